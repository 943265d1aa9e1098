import Foundation
import RecordCoding
import RecordModel

/// What was written as a response.
public struct ExportedResponse: Sendable, Hashable {
  /// The number of records.
  public var records: Int
  /// What the dialect could not say of them. Web Services' dialect says all but the bytes of assets,
  /// which no response has.
  public var losses: ResponseLosses
}

extension Archiver {
  /// Writes the records of a bundle or container as one response, without the bytes of assets.
  ///
  /// ```swift
  /// let exported = try archiver.exportResponse(source, as: .cktool) { data in
  ///   try file.write(contentsOf: data)
  /// }
  /// for loss in exported.losses.clauses { print(loss) }
  /// ```
  ///
  /// - Parameters:
  ///   - source: The bundle or container.
  ///   - dialect: The dialect of the response.
  ///   - output: Called with each piece of the text.
  /// - Returns: The number of records, and what the dialect cannot express.
  /// - Throws: ``ExportError/severalDatabases(_:)`` if more than one database has content to write;
  ///   ``ExportError/responseTooLarge(limit:)`` before the output exceeds what `ResponseReader`
  ///   accepts; errors of reading and of `output`.
  @discardableResult
  public func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices,
    output: @escaping (Data) throws -> Void
  ) throws -> ExportedResponse {
    try exportResponse(
      source, as: dialect, atMost: ResponseReader().maximumSize, output: output)
  }

  func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices, atMost limit: Int,
    output: @escaping (Data) throws -> Void
  ) throws -> ExportedResponse {
    try source.read { reader in
      var progress = ArchiveProgress(records: 0, bytes: 0)
      progress.totalRecords = try reader.recordCount(filter)
      try refuseSeveralDatabases(reader)
      var size = 0
      let stream = ResponseStream(dialect, zones: try reader.zones().map(\.zone)) { piece in
        size += piece.count
        guard size <= limit else { throw ExportError.responseTooLarge(limit: limit) }
        try output(piece)
      }
      try reader.forEachRecord(filter) { record, _ in
        try stream.append(record)
        progress.records += 1
        if progress.records & 255 == 0 { try report(progress) }
      }
      try reader.forEachTombstone(filter) { tombstone, _ in try stream.append(tombstone) }
      try stream.finish()
      try report(progress)
      return ExportedResponse(records: progress.records, losses: stream.losses)
    }
  }

  /// Throws for several databases: responses do not name the database of a record.
  private func refuseSeveralDatabases(_ reader: ArchiveReader) throws {
    var databases = Set(try reader.sections(filter).map(\.database))
    try reader.forEachTombstone(filter) { databases.insert($1) }
    if databases.count > 1 { throw ExportError.severalDatabases(databases.sorted()) }
  }
}

extension ArchiveSource {
  /// Calls `body` with the tombstone of each deleted record.
  public func forEachTombstone(
    _ filter: RecordFilter = .all, _ body: (Tombstone, DatabaseScope) throws -> Void
  ) throws {
    try read { try $0.forEachTombstone(filter, body) }
  }
}

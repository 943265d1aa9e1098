import Foundation
import RecordCoding
import RecordModel

extension Archiver {
  /// Writes the records of a bundle or container as one CloudKit Web Services response, without the
  /// bytes of assets.
  ///
  /// - Parameter output: Called with each piece of the text.
  /// - Returns: The number of records.
  /// - Throws: ``ExportError/severalDatabases(_:)`` if more than one database has content to write;
  ///   ``ExportError/responseTooLarge(limit:)`` before the output exceeds what `WebServicesReader`
  ///   accepts; errors of reading and of `output`.
  @discardableResult
  public func exportWebServices(
    _ source: ArchiveSource, output: @escaping (Data) throws -> Void
  ) throws -> Int {
    try exportWebServices(source, atMost: WebServicesReader().maximumSize, output: output)
  }

  func exportWebServices(
    _ source: ArchiveSource, atMost limit: Int, output: @escaping (Data) throws -> Void
  ) throws -> Int {
    try source.read { reader in
      var progress = ArchiveProgress(records: 0, bytes: 0)
      progress.totalRecords = try reader.recordCount(filter)
      try refuseSeveralDatabases(reader)
      var size = 0
      let writer = WebServicesWriter(zones: try reader.zones().map(\.zone))
      let stream = WebServicesStream(writer) { piece in
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
      return progress.records
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

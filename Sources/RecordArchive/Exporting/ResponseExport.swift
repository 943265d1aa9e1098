import Foundation
import RecordCoding
import RecordModel

/// What was written as a response.
public struct ExportedResponse: Sendable, Hashable {
  /// The number of records.
  public var records = 0
  /// What the dialect could not say of them. Web Services' dialect says all but the bytes of assets,
  /// which no response has.
  public var losses = ResponseLosses()
}

extension Archiver {
  /// Writes the records as one response.
  ///
  /// - Throws: ``ExportError/severalDatabases(_:)`` if more than one database has content to write;
  ///   ``ExportError/responseTooLarge(limit:)`` before the output exceeds `limit` bytes, by default
  ///   what `ResponseReader` accepts; errors of reading and of `output`.
  func writeResponse(
    of reader: ArchiveReader, _ dialect: ResponseDialect,
    limit: Int = ResponseReader().maxSize, _ output: @escaping (Data) throws -> Void
  ) throws -> ExportedResponse {
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

  /// Throws for several databases: responses do not name the database of a record.
  private func refuseSeveralDatabases(_ reader: ArchiveReader) throws {
    var databases = Set(try reader.sections(filter).map(\.database))
    try reader.forEachTombstone(filter) { databases.insert($1) }
    if databases.count > 1 { throw ExportError.severalDatabases(databases.sorted()) }
  }
}

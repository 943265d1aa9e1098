import Foundation
import RecordCoding
import RecordModel

/// The counts of a response that was written.
public struct ExportedResponse: Sendable, Hashable {
  /// The number of records.
  public var records = 0
  /// The parts of the records that the dialect cannot express. Web Services' dialect expresses
  /// everything except the bytes of assets, which no response has.
  public var losses = ResponseLosses()
}

extension Archiver {
  /// Writes the records as one response.
  ///
  /// - Throws: ``ArchiveError/severalDatabases(_:)`` if more than one database has content to write;
  ///   ``ArchiveError/responseTooLarge(limit:)`` before the output exceeds `limit` bytes, by default
  ///   the size that `ResponseContents` reads; `RecordCodingError` for a dialect that is only read;
  ///   errors of reading and of `output`.
  func writeResponse(
    of reader: ArchiveReader, _ dialect: ResponseDialect,
    limit: Int = ResponseContents.maxSize, _ output: @escaping (Data) throws -> Void
  ) throws -> ExportedResponse {
    var progress = ArchiveProgress(records: 0, bytes: 0)
    progress.totalRecords = try reader.recordCount(filter)
    let database = try onlyDatabase(of: reader)
    let zones = try reader.zones().filter { $0.database == database }.map(\.zone)
    var size = 0
    let stream = try ResponseStream(dialect, zones: zones) { piece in
      size += piece.count
      guard size <= limit else { throw ArchiveError.responseTooLarge(limit: limit) }
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

  /// The database to write; nil if there are no records. Throws for several, as responses do not
  /// name the database of a record.
  private func onlyDatabase(of reader: ArchiveReader) throws -> DatabaseScope? {
    var databases = Set(try reader.sections(filter).map(\.database))
    try reader.forEachTombstone(filter) { databases.insert($1) }
    if databases.count > 1 { throw ArchiveError.severalDatabases(databases.sorted()) }
    return databases.first
  }
}

import Foundation
import RecordCoding
import RecordModel

extension Archiver {
  /// Writes the records of a bundle or container as one response of CloudKit Web Services, as a real
  /// server would send it; assets lose their bytes.
  ///
  /// - Parameter output: gets the text piece by piece.
  /// - Returns: the number of records.
  /// - Throws: ``ExportError/severalDatabases(_:)`` where more than one database has something to
  ///   write; ``ExportError/responseTooLarge(limit:)`` before more is handed out than
  ///   `WebServicesReader` takes; what reading and `output` throw.
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

  /// Responses do not say which database they come from: two in one could not be told apart.
  private func refuseSeveralDatabases(_ reader: ArchiveReader) throws {
    var databases = Set(try reader.sections(filter).map(\.database))
    try reader.forEachTombstone(filter) { databases.insert($1) }
    if databases.count > 1 { throw ExportError.severalDatabases(databases.sorted()) }
  }
}

extension ArchiveSource {
  /// Visits the traces of deleted records.
  public func forEachTombstone(
    _ filter: RecordFilter = .all, _ body: (Tombstone, DatabaseScope) throws -> Void
  ) throws {
    try read { try $0.forEachTombstone(filter, body) }
  }
}

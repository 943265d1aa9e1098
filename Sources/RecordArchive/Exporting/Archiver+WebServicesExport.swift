import Foundation
import RecordCoding
import RecordModel

extension Archiver {
  /// Writes the records of a bundle or container as one response of CloudKit Web Services, as a real
  /// server would send it; assets lose their bytes.
  ///
  /// - Parameter output: gets the text piece by piece.
  /// - Returns: the number of records.
  @discardableResult
  public func exportWebServices(
    _ source: ArchiveSource, output: @escaping (Data) throws -> Void
  ) throws -> Int {
    let writer = WebServicesWriter(zones: try source.zones().map(\.zone))
    let stream = WebServicesStream(writer, output: output)
    var progress = ArchiveProgress(records: 0, bytes: 0)
    progress.totalRecords = try source.sections(filter).reduce(0) { $0 + $1.records }
    try source.forEachRecord(filter) { record, _ in
      try stream.append(record)
      progress.records += 1
      if progress.records & 255 == 0 { try report(progress) }
    }
    try source.forEachTombstone { tombstone, database in
      guard filter.contains(database: database, zoneID: tombstone.recordID.zoneID) else { return }
      try stream.append(tombstone)
    }
    try stream.finish()
    try report(progress)
    return progress.records
  }
}

extension ArchiveSource {
  /// Visits the traces of deleted records.
  public func forEachTombstone(_ body: (Tombstone, DatabaseScope) throws -> Void) throws {
    try read { try $0.forEachTombstone(body) }
  }
}

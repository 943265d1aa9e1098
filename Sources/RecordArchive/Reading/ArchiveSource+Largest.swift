import RecordBundle
import RecordCoding
import RecordModel

/// A record and its size.
public struct RecordSize: Sendable, Hashable {
  /// The database of the record.
  public var database: DatabaseScope
  /// The record's identity.
  public var recordID: RecordID
  /// The record's type.
  public var recordType: String
  /// The size of its line in a bundle in bytes, without assets.
  public var bytes: Int

  private var section: RecordSection { RecordSection(database, recordID.zoneID, recordType) }

  /// Whether a record comes before another one in a list by size; of the same size, in a bundle.
  fileprivate static func isLarger(_ a: RecordSize, _ b: RecordSize) -> Bool {
    if a.bytes != b.bytes { return a.bytes > b.bytes }
    return a.section.precedes(b.section, a.recordID.recordName, b.recordID.recordName)
  }
}

extension ArchiveSource {
  /// Returns the largest records, by the size of their lines. Reads all records, on several
  /// threads, in bounded memory.
  ///
  /// - Parameters:
  ///   - count: The maximum number of records to return.
  ///   - threads: The number of threads that scan records.
  ///   - progress: Called periodically; an error it throws ends the search.
  public func largestRecords(
    _ count: Int, threads: Int = BundleThreads.recommended,
    progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws -> [RecordSize] {
    try read { reader in
      var largest = LargestRecords(count)
      var done = ArchiveProgress(records: 0, bytes: 0)
      let selection = LineSelection([.record], .all)
      done.totalBytes = reader.lineBytes(of: selection)
      try reader.mapBatches(
        of: selection, threads: threads,
        transform: { batch in
          var found = LargestRecords(count)
          try batch.forEach(
            scanned: { scan, line, _ in
              guard found.takes(line.count) else { return }
              let name = batch.reader.recordName(of: line, scan)
              found.add(
                RecordSize(
                  database: scan.database,
                  recordID: RecordID(recordName: name, zoneID: scan.zoneID),
                  recordType: scan.recordType, bytes: line.count))
            },
            item: { item, _ in
              guard case .record(let record, let database) = item else { return }
              let bytes = RecordLine.size(
                ofDictionary: try record.jsonValue().compactData.count, in: database)
              found.add(
                RecordSize(
                  database: database, recordID: record.recordID, recordType: record.recordType,
                  bytes: bytes))
            })
          return (found, batch.size)
        },
        consume: { found, size in
          for record in found.records { largest.add(record) }
          done.bytes += size
          try progress?(done)
        })
      return largest.records
    }
  }
}

/// The largest of the records that were added.
struct LargestRecords: Sendable {
  private let limit: Int
  /// The records, largest first.
  private(set) var records: [RecordSize] = []

  init(_ limit: Int) { self.limit = limit }

  /// Whether a record of this size may be among the largest.
  func takes(_ bytes: Int) -> Bool {
    records.count < limit || bytes >= records.last?.bytes ?? 0
  }

  mutating func add(_ record: RecordSize) {
    guard takes(record.bytes), limit > 0 else { return }
    let index = records.firstIndex { RecordSize.isLarger(record, $0) } ?? records.endIndex
    records.insert(record, at: index)
    if records.count > limit { records.removeLast() }
  }
}

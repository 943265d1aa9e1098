import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordStore

/// Counts and sizes of the content of a bundle or container.
public struct ArchiveSummary: Sendable, Hashable {
  /// Information about the container.
  public var info: ContainerInfo
  /// The zones of each database, including those without records.
  public var zones: [Zone]
  /// The record sections, in the order of a bundle.
  public var sections: [ArchiveSource.Section]
  /// The number of subscriptions.
  public var subscriptions = 0
  /// The number of tombstones of records.
  public var tombstones = 0
  /// The number of tombstones of zones.
  public var zoneTombstones = 0
  /// The number of assets with stored bytes.
  public var assets = 0
  /// The size of the assets in bytes; in a bundle, of their lines with base64 text.
  public var assetBytes = 0
  /// The size of all lines in bytes; nil for a container.
  public var contentBytes: Int?
  /// The size of the file or files in bytes; nil for a container in memory.
  public var fileBytes: Int?

  /// A zone of a database.
  public struct Zone: Sendable, Hashable {
    /// The database.
    public var database: DatabaseScope
    /// The zone.
    public var zoneID: ZoneID
  }

  /// The number of records.
  public var records: Int { sections.reduce(0) { $0.added($1.records) } }
  /// The size of the canonical JSON of all records in bytes.
  public var recordBytes: Int { sections.reduce(0) { $0.added($1.bytes) } }
}

extension ArchiveSource {
  /// Summarizes the content. For a bundle, only the index and the zones are read.
  public func summary() throws -> ArchiveSummary {
    var summary = ArchiveSummary(
      info: try info(), zones: try zones().map { .init(database: $0, zoneID: $1.zoneID) },
      sections: try sections())
    switch self {
    case .bundle(let bundle): summary.count(bundle)
    case .container(let container): try read { try summary.count($0, at: container.path) }
    case .responses: try read { try summary.count($0, at: nil) }
    }
    return summary
  }
}

extension ArchiveSummary {
  fileprivate mutating func count(_ bundle: BundleReader) {
    for section in bundle.sections {
      switch section.kind {
      case .subscription: subscriptions = subscriptions.added(section.lines)
      case .tombstone: tombstones = tombstones.added(section.lines)
      case .zoneTombstone: zoneTombstones = zoneTombstones.added(section.lines)
      case .asset:
        assets = assets.added(section.assets)
        assetBytes = assetBytes.added(section.bytes)
      case .header, .zone, .record, .index: break
      }
    }
    contentBytes = bundle.indexes.reduce(0) { $0.added($1.bytes) }
    fileBytes = Int(clamping: bundle.size)
  }

  fileprivate mutating func count(_ reader: ArchiveReader, at path: String?) throws {
    subscriptions = try reader.subscriptions().count
    zoneTombstones = try reader.zoneTombstones().count
    try reader.forEachTombstone { _, _ in tombstones += 1 }
    let stored = try reader.storedAssets()
    assets = stored.count
    assetBytes = stored.reduce(0) { $0.added($1.size) }
    guard let path else { return }
    // Recent changes are in the write-ahead log until a checkpoint.
    fileBytes = [path, path + "-wal"].compactMap { file in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      return (attributes?[.size] as? NSNumber)?.intValue
    }.reduce(0, +)
  }
}

extension Int {
  /// The sum, or `Int.max` on overflow: counts in a file are untrusted.
  fileprivate func added(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

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

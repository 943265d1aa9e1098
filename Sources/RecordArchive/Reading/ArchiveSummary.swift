import Foundation
import RecordBundle
import RecordModel

/// Counts and sizes of the content of a bundle or container.
package struct ArchiveSummary: Sendable, Hashable {
  /// Information about the container.
  package var info: ContainerInfo
  /// The zones of each database, including those without records.
  package var zones: [ZoneLocation]
  /// The record sections, in the order of a bundle.
  package var sections: [ArchiveSource.Section]
  /// The number of subscriptions.
  package var subscriptions = 0
  /// The number of tombstones of records.
  package var tombstones = 0
  /// The number of tombstones of zones.
  package var zoneTombstones = 0
  /// The number of assets with stored bytes.
  package var assets = 0
  /// The size of the assets in bytes; in a bundle, of their lines with base64 text.
  package var assetBytes = 0
  /// The size of all lines in bytes; nil for a container.
  package var contentBytes: Int?
  /// The size of the file or files in bytes; nil for a container in memory.
  package var fileBytes: Int?

  /// The number of records.
  package var records: Int { sections.reduce(0) { $0.clampedSum($1.records) } }
  /// The size of the canonical JSON of all records in bytes.
  package var recordBytes: Int { sections.reduce(0) { $0.clampedSum($1.bytes) } }
}

extension ArchiveSource {
  /// Summarizes the content as of one moment. For a bundle, only the index and the zones are read.
  package func summary() throws -> ArchiveSummary {
    try read { reader in
      var summary = ArchiveSummary(
        info: try reader.info(),
        zones: try reader.zones().map { ZoneLocation($0, $1.zoneID) },
        sections: try reader.sections())
      switch self {
      case .bundle(let bundle): summary.count(bundle)
      case .container(let container): try summary.count(reader, at: container.path)
      case .responses: try summary.count(reader, at: nil)
      case .appStore(let store): try summary.count(reader, at: store.path)
      }
      return summary
    }
  }
}

extension ArchiveSummary {
  fileprivate mutating func count(_ bundle: BundleReader) {
    for section in bundle.sections {
      switch section.kind {
      case .subscription: subscriptions = subscriptions.clampedSum(section.lines)
      case .tombstone: tombstones = tombstones.clampedSum(section.lines)
      case .zoneTombstone: zoneTombstones = zoneTombstones.clampedSum(section.lines)
      case .asset:
        assets = assets.clampedSum(section.assets)
        assetBytes = assetBytes.clampedSum(section.bytes)
      case .header, .zone, .record, .index: break
      }
    }
    contentBytes = bundle.indexes.reduce(0) { $0.clampedSum($1.bytes) }
    fileBytes = Int(clamping: bundle.size)
  }

  fileprivate mutating func count(_ reader: ArchiveReader, at path: String?) throws {
    guard case .snapshot(let snapshot, _) = reader.content else { return }
    for scope in DatabaseScope.allCases {
      let counts = try snapshot.storedCounts(in: scope)
      subscriptions += counts.subscriptions
      tombstones += counts.tombstones
      zoneTombstones += counts.zoneTombstones
    }
    let stored = try reader.storedAssets()
    assets = stored.count
    assetBytes = stored.reduce(0) { $0.clampedSum($1.size) }
    guard let path else { return }
    // Recent changes are in the write-ahead log until a checkpoint.
    fileBytes = [path, path + "-wal"].compactMap { file in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      return (attributes?[.size] as? NSNumber)?.intValue
    }.reduce(0, +)
  }
}

/// A record and its size.
package struct RecordSize: Sendable, Hashable {
  /// The database of the record.
  package var database: DatabaseScope
  /// The record's identity.
  package var recordID: RecordID
  /// The record's type.
  package var recordType: String
  /// The entity of a record of Core Data, where it is known.
  package var entity: String?
  /// The size of its line in a bundle in bytes, without assets.
  package var bytes: Int

  private var section: RecordSection { RecordSection(database, recordID.zoneID, recordType) }

  /// Whether a record comes before another one in a list by size; of the same size, in a bundle.
  fileprivate static func isLarger(_ a: RecordSize, _ b: RecordSize) -> Bool {
    if a.bytes != b.bytes { return a.bytes > b.bytes }
    return a.section.precedes(b.section, a.recordID.recordName, b.recordID.recordName)
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

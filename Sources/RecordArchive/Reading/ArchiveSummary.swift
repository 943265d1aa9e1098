import Foundation
import RecordStore
import RecordBundle
import RecordModel

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

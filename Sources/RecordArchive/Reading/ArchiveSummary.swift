import Foundation
import MockCloud
import RecordBundle
import RecordModel

/// What a bundle or container holds, in numbers.
public struct ArchiveSummary: Sendable, Hashable {
  /// What is known of the container.
  public var info: ContainerInfo
  /// The zones of each database, those without records too.
  public var zones: [Zone]
  /// Records by database, zone and type.
  public var sections: [ArchiveSource.Section]
  /// The number of subscriptions.
  public var subscriptions = 0
  /// The number of traces of deleted records.
  public var tombstones = 0
  /// The number of traces of deleted zones.
  public var zoneTombstones = 0
  /// The number of assets whose bytes are there.
  public var assets = 0
  /// Bytes that the assets take: of a bundle those of their lines, which are base64.
  public var assetBytes = 0
  /// Bytes of all lines; nil for a container.
  public var contentBytes: Int?
  /// Bytes of the file or files; nil for a container in memory.
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
  /// Bytes of the records' canonical JSON.
  public var recordBytes: Int { sections.reduce(0) { $0.added($1.bytes) } }
}

extension ArchiveSource {
  /// What is there, in numbers.
  ///
  /// Of a bundle, only the index and the zones are read, whatever its size.
  public func summary() throws -> ArchiveSummary {
    var summary = ArchiveSummary(
      info: try info(), zones: try zones().map { .init(database: $0, zoneID: $1.zoneID) },
      sections: try sections())
    switch self {
    case .bundle(let bundle): summary.count(bundle)
    case .container(let container): try read { try summary.count($0, of: container) }
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

  fileprivate mutating func count(_ reader: ArchiveReader, of container: MockContainer) throws {
    subscriptions = try reader.subscriptions().count
    zoneTombstones = try reader.zoneTombstones().count
    try reader.forEachTombstone { _, _ in tombstones += 1 }
    let stored = try reader.storedAssets()
    assets = stored.count
    assetBytes = stored.reduce(0) { $0.added($1.size) }
    guard let path = container.path else { return }
    // What was saved last lies in the write-ahead log until it is settled.
    fileBytes = [path, path + "-wal"].compactMap { file in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      return (attributes?[.size] as? NSNumber)?.intValue
    }.reduce(0, +)
  }
}

extension Int {
  /// The sum, or the largest number: what a file counts is not to be trusted.
  fileprivate func added(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

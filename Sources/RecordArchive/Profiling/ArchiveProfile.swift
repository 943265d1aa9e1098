import RecordModel
import RecordPlatform
import RecordSchema

/// Counts and sizes of the content of a bundle or container. It has names of types, fields, zones,
/// users and records, and no value of a field.
package struct ArchiveProfile: Sendable {
  /// The kind of a source.
  package enum Kind: String, Sendable {
    case bundle, container
  }

  /// The records of one type in one zone.
  package struct Section: Sendable {
    package var database: DatabaseScope
    package var zoneID: ZoneID
    package var recordType: String
    /// The entity of Core Data's records, which are counted by entity; nil for other records.
    package var entity: String?
    package var records = 0
    /// The size of their lines in a bundle in bytes, without assets.
    package var bytes = 0
    /// The sizes of the stored assets that they refer to in bytes. An asset counts once, in the
    /// first section that refers to it.
    package var assetBytes = 0

    /// The entity, or else the record type.
    package var name: String { entity ?? recordType }
  }

  package var kind: Kind
  /// The name of the source: its path, where it has one.
  package var name: String
  package var info: ContainerInfo
  /// The format version of a bundle.
  package var formatVersion: Int?
  /// The size of the file or files in bytes; nil for a container in memory.
  package var fileBytes: Int?
  /// The size of a bundle's lines in bytes.
  package var contentBytes: Int?
  /// Whether everything was counted, not only a part that a filter selects.
  package var isWhole: Bool
  /// The zones of each database, including those without records, in the order of a bundle.
  package var zones: [ZoneLocation]
  /// The records by section, in the order of a bundle.
  package var sections: [Section] = []
  /// The fields of each record type and entity, in the order of the types' names.
  package var types: [RecordCensus.TypeCount] = []
  /// The records by the days of their creation.
  package var created = DayCounts()
  /// The records by the days of their last modification.
  package var modified = DayCounts()
  /// The largest records, largest first.
  package var largest: [RecordSize] = []
  /// The users who created or modified records.
  package var users = UserCounts()
  package var assets = AssetProfile()
  package var shares = ShareCounts()
  package var subscriptions: [SubscriptionProfile] = []
  /// The deleted records that left traces.
  package var tombstones = TombstoneCounts()
  /// The number of deleted zones that left traces.
  package var zoneTombstones = 0

  package var records: Int { sections.reduce(0) { $0 + $1.records } }
  package var recordBytes: Int { sections.reduce(0) { $0 + $1.bytes } }
}

/// A subscription without its condition, which may contain values.
package struct SubscriptionProfile: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case query, zone, database
  }

  package var database: DatabaseScope
  package var kind: Kind
  @ExactText package var recordType: String?
  /// The number of such subscriptions.
  package var count = 0
}

/// The number of deleted records, by type and by day.
package struct TombstoneCounts: Sendable {
  package private(set) var count = 0
  /// By record type; the empty name is for an unknown type, and for all types after the first 1,000.
  package private(set) var types: [ExactString: Int] = [:]
  package private(set) var days = DayCounts()

  mutating func add(_ tombstone: DeletedRecord) {
    count += 1
    let type = ExactString(tombstone.recordType ?? "")
    let isCounted = types[type] != nil || types.count < 1000
    types[isCounted ? type : "", default: 0] += 1
    days.add(tombstone.deletionDate)
  }
}

/// The assets of a bundle or container.
package struct AssetProfile: Sendable {
  /// Assets of similar sizes.
  package struct SizeRange: Sendable, Hashable {
    /// The sizes are below this one, in bytes; nil for no limit.
    package var below: Int?
    package var count = 0
    package var bytes = 0
  }

  /// The number of assets with stored bytes. With a filter, of the assets that its records refer to.
  package internal(set) var stored = 0
  package internal(set) var storedBytes = 0
  /// The stored assets by their sizes: below 1 kB, 10 kB, … 1 GB, and larger.
  package internal(set) var sizes: [SizeRange] = limits.map { SizeRange(below: $0) }
  /// The number of stored assets that no record refers to; nil with a filter.
  package internal(set) var unused: Int?
  /// How often records refer to assets.
  package internal(set) var references = 0
  /// How often records refer to assets whose bytes are not stored.
  package internal(set) var missing = 0

  private static let limits: [Int?] =
    [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, nil]

  package init() {}

  mutating func addStored(_ size: Int) {
    stored += 1
    storedBytes = storedBytes.clampedSum(size)
    let place = sizes.firstIndex { $0.below.map { size < $0 } ?? true } ?? 0
    sizes[place].count += 1
    sizes[place].bytes = sizes[place].bytes.clampedSum(size)
  }
}

/// The sizes of the assets with stored bytes, by their digests: about 60 bytes each.
typealias StoredAssets = [SHA256Digest: Int]

extension Int {
  /// The sum, or `Int.max` on overflow: sizes in a file are untrusted.
  package func clampedSum(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

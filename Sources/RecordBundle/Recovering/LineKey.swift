import RecordModel

/// The sort key of a line, as bytes that compare as the lines do.
///
/// Only the first bytes of each name count, so that every key is small.
struct LineKey: Comparable {
  private var bytes: [UInt8]
  private static let maxNameBytes = 256

  var count: Int { bytes.count }

  /// Creates the key of no line, which precedes all others.
  init() { bytes = [] }

  /// Creates the key of an item.
  init(of item: BundleItem) {
    bytes = []
    switch item {
    case .zone(let zone, let database):
      begin(.zone, database, zone.zoneID)
    case .subscription(let subscription, let database):
      begin(.subscription, database)
      append(subscription.subscriptionID)
    case .record(let record, let database):
      begin(.record, database, record.recordID.zoneID)
      append(record.recordType)
      append(record.recordID.recordName)
    case .tombstone(let tombstone, let database):
      begin(.tombstone, database, tombstone.recordID.zoneID)
      append(tombstone.recordID.recordName)
    case .zoneTombstone(let zoneID, let database):
      begin(.zoneTombstone, database, zoneID)
    case .asset(let chunk):
      begin(.asset, nil)
      append(chunk.sha256)
      withUnsafeBytes(of: UInt64(chunk.offset).bigEndian) { bytes.append(contentsOf: $0) }
    }
  }

  static func < (lhs: LineKey, rhs: LineKey) -> Bool {
    lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
  }

  private mutating func begin(
    _ kind: LineKind, _ database: DatabaseScope?, _ zoneID: ZoneID? = nil
  ) {
    bytes.append(UInt8(kind.rank))
    if let database { bytes.append(UInt8(database.rank)) }
    if let zoneID {
      append(zoneID.ownerName)
      append(zoneID.zoneName)
    }
  }

  /// Appends a name and a terminator that precedes every byte of a longer one.
  private mutating func append(_ name: String) {
    for byte in name.utf8.prefix(Self.maxNameBytes) {
      bytes.append(byte)
      if byte == 0 { bytes.append(1) }
    }
    bytes.append(0)
    bytes.append(0)
  }
}

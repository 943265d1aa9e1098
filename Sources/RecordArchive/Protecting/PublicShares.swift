import RecordCoding
import RecordModel

/// The shares with a public permission, and the records below them.
struct PublicShares {
  /// The number of parents that are followed.
  private static let maxDepth = 1000

  private struct Zone: Hashable {
    var database: DatabaseScope
    var zoneID: ZoneID
  }

  private struct Key: Hashable {
    var database: DatabaseScope
    var recordID: RecordID
  }

  private(set) var count = 0
  private(set) var unknown = 0
  private var zones: Set<Zone> = []
  private var shares: Set<Key> = []
  private var zonesOfHierarchies: Set<Zone> = []
  private var parents: [Key: RecordID] = [:]
  private var roots: Set<Key> = []

  /// Whether there are public shares of a record and its descendants.
  var hasHierarchies: Bool { !shares.isEmpty }

  /// Adds a record if it is a share with a public permission.
  mutating func add(share record: ResultRecord, in database: DatabaseScope) {
    guard record.isShare, database != .public else { return }
    let zone = Zone(database: database, zoneID: record.recordID.zoneID)
    switch record.shareInfo?.publicPermission {
    case .some(.readOnly), .some(.readWrite):
      count += 1
      if record.recordID.recordName == Share.zoneWideRecordName {
        zones.insert(zone)
      } else {
        shares.insert(Key(database: database, recordID: record.recordID))
        zonesOfHierarchies.insert(zone)
      }
    case .some(.none): break
    case .some(.unknown), nil: unknown += 1
    }
  }

  /// Adds what a record in a zone with public shares says of its place in a hierarchy.
  mutating func add(descendant record: ResultRecord, in database: DatabaseScope) {
    let zone = Zone(database: database, zoneID: record.recordID.zoneID)
    guard zonesOfHierarchies.contains(zone) else { return }
    let key = Key(database: database, recordID: record.recordID)
    if let share = record.share, shares.contains(Key(database: database, recordID: share.recordID))
    {
      roots.insert(key)
    }
    if let parent = record.parent { parents[key] = parent.recordID }
  }

  /// Whether a record is in a zone that is shared publicly, or a publicly shared record or share is
  /// above it.
  func contains(_ record: ResultRecord, in database: DatabaseScope) -> Bool {
    if zones.contains(Zone(database: database, zoneID: record.recordID.zoneID)) { return true }
    guard hasHierarchies else { return false }
    var key = Key(database: database, recordID: record.recordID)
    if shares.contains(key) { return true }
    // Parents in a circle would never end.
    var steps = 0
    while steps < Self.maxDepth {
      if roots.contains(key) { return true }
      guard let parent = parents[key] else { return false }
      key.recordID = parent
      steps += 1
    }
    return false
  }
}

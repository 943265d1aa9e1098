import RecordModel

import struct Foundation.Data

/// What a migration needs beside the record at hand.
public struct MigrationEnvironment: Sendable {
  /// Finds the bytes of an asset by its SHA-256; nil where they are not at hand.
  public typealias AssetLookup = @Sendable (_ sha256: String) throws -> Data?

  /// Finds the bytes of assets.
  public var assets: AssetLookup?
  /// The new identities of records, by the number of the migration in its chain.
  package var identities: [Int: IdentityMap] = [:]
  /// The records that are left behind, where references to them are to be counted.
  package var leftBehind: IdentityMap?

  /// Makes an environment.
  public init(assets: AssetLookup? = nil) {
    self.assets = assets
  }
}

/// Which record has become which, where names or zones change.
///
/// Takes about a hundred bytes for each record that changes its identity, and nothing for others.
package struct IdentityMap: Sendable {
  /// What changes in one zone; there are few zones, and one look at a name is all a lookup costs.
  private struct Zone {
    let database: DatabaseScope
    let zoneID: ZoneID
    var changes: [PackedName: RecordID] = [:]
  }

  private var zones: [Zone] = []

  package init() {}

  package var isEmpty: Bool { zones.isEmpty }

  /// Notes a record of which nothing is asked but whether it is here.
  package mutating func note(_ recordID: RecordID, in database: DatabaseScope) {
    note(recordID, became: recordID, in: database)
  }

  package mutating func note(_ old: RecordID, became new: RecordID, in database: DatabaseScope) {
    let known = zones.firstIndex { $0.database == database && $0.zoneID == old.zoneID }
    if known == nil { zones.append(Zone(database: database, zoneID: old.zoneID)) }
    zones[known ?? zones.count - 1].changes[old.packedName] = new
  }

  package func newIdentity(of old: RecordID, in database: DatabaseScope) -> RecordID? {
    for index in zones.indices
    where zones[index].database == database
      && (zones[index].zoneID.isIdentical(to: old.zoneID) || zones[index].zoneID == old.zoneID)
    {
      return zones[index].changes[old.packedName]
    }
    return nil
  }
}

extension IdentityMap {
  /// Looks up references, one after the other: those of a record mostly lead to the same one.
  final class Lookup {
    private let map: IdentityMap
    @exclusivity(unchecked) private var latest: RecordID?
    @exclusivity(unchecked) private var latestDatabase = DatabaseScope.private
    @exclusivity(unchecked) private var found: RecordID?

    init(_ map: IdentityMap) { self.map = map }

    func newIdentity(of old: RecordID, in database: DatabaseScope) -> RecordID? {
      if let latest, latest == old, latestDatabase == database { return found }
      latest = old
      latestDatabase = database
      found = map.newIdentity(of: old, in: database)
      return found
    }
  }
}

import Foundation
import RecordModel

/// The zones of a damaged container that have records or deletions, and no row.
final class LostZones {
  private let db: SQLiteConnection
  /// The numbers of the zones.
  let numbers: [Int64]
  private var known: [Int64: DatabaseScope] = [:]
  private var taken: [(DatabaseScope, ZoneID)] = []
  /// How many zones and records each database counts, and does not have.
  private var missing: [DatabaseScope: (zones: Int64, records: Int64)] = [:]

  init(in db: SQLiteConnection) throws {
    self.db = db
    let known = try db.readable {
      try db.all(
        """
        SELECT zone FROM record WHERE zone NOT IN (SELECT id FROM zone)
        UNION SELECT zone FROM tombstone WHERE zone NOT IN (SELECT id FROM zone)
        """
      ) { $0.int64(0) }
    }
    numbers = try known ?? Self.readNumbers(in: db)
    guard !numbers.isEmpty else { return }
    for scope in DatabaseScope.allCases {
      guard let expected = try? DatabaseRow.read(scope, from: db).counts,
        let found = try db.readable({ try RowCounts.counted(in: scope, db) })
      else { continue }
      missing[scope] = (
        expected[.zones] &- found[.zones], expected[.records] &- found[.records]
      )
    }
  }

  /// Returns the numbers, although pages are damaged.
  private static func readNumbers(in db: SQLiteConnection) throws -> [Int64] {
    var (used, known): (Set<Int64>, Set<Int64>) = ([], [])
    try ReadableRows("record", "zone", in: db).forEachNumbered { used.insert($0.int64(0)) }
    try ReadableRows("tombstone", "zone", in: db).forEach(by: ["zone", "name"]) {
      used.insert($0.int64(0))
    }
    try ReadableRows("zone", "id", in: db).forEachNumbered { known.insert($0.int64(0)) }
    return used.subtracting(known).sorted()
  }

  /// The number, name and database of a zone, and whether the checksum matches with them.
  typealias ZoneKeys = (id: Int64, zoneID: ZoneID, scope: DatabaseScope, isIntact: Bool)

  /// Returns the keys of a zone. If one of them is damaged, the checksum may match with another one.
  func keys(ofZone row: SQLiteStatement, _ zoneID: ZoneID?) throws -> ZoneKeys {
    let own = row.zoneID(2)
    for id in [row.int64(0)] + numbers {
      for scope in DatabaseScope.allCases {
        for zoneID in [own, zoneID ?? own] {
          let hash = try RowChecksum.column(
            of: [id] + zoneID.columns(in: scope)
              + [row.int64(4), row.int64(5), Data(row.bytes(6))])
          if hash == row.int64(7) { return (id, zoneID, scope, true) }
        }
      }
    }
    let scope = try row.scope(1) ?? scope(of: own, row.int64(0))
    return (row.int64(0), own, scope, false)
  }

  /// The database of a zone without a row: one that does not have a zone of this name, and lacks as
  /// many records as the zone has.
  func scope(of zoneID: ZoneID, _ id: Int64) throws -> DatabaseScope {
    if let scope = known[id] { return scope }
    let named =
      try db.readable {
        try db.all(
          "\(CheckedTable.zone.select) WHERE name = ? AND owner = ?",
          [zoneID.zoneName, zoneID.ownerName]
        ) { (scope: $0.scope(1), isIntact: $0.isIntact(.zone)) }
      } ?? []
    let records =
      try db.readable {
        try db.integer("SELECT count(*) FROM record WHERE zone = ?", [id]) ?? 0
      } ?? 0
    let all: [DatabaseScope] =
      zoneID.isDefault ? [.private, .public, .shared] : [.private, .shared, .public]
    let possible = all.filter { scope in
      !taken.contains { $0 == (scope, zoneID) }
        && !named.contains { $0.scope == scope && $0.isIntact }
    }
    // A damaged row with this name may be the row of the zone.
    let damaged = possible.filter { scope in named.contains { $0.scope == scope } }
    let lacking = damaged.isEmpty ? possible.filter { missing[$0]?.zones ?? 0 > 0 } : damaged
    let scopes = lacking.isEmpty ? possible : lacking
    let scope =
      scopes.first { missing[$0]?.records == records }
      ?? scopes.first { missing[$0]?.records ?? 0 >= records } ?? scopes.first ?? .private
    if let rest = missing[scope] { missing[scope] = (rest.zones - 1, rest.records - records) }
    known[id] = scope
    taken.append((scope, zoneID))
    return scope
  }
}

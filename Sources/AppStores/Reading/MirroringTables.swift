import Foundation
import RecordModel
import RecordStore

/// The tables in which Core Data notes the records of a mirrored store. Most names of columns were
/// inferred, so each may be missing.
struct MirroringTables {
  typealias Zone = (scope: DatabaseScope, zoneID: ZoneID)

  private let db: SQLiteConnection
  /// The zones by the keys of their rows.
  let zones: [Int64: Zone]
  /// Whether the store mirrors the public database alone.
  let isPublic: Bool
  private let hasZone: Bool
  private let linkName: String?
  private let columns: [String: Set<String>]

  /// - Returns: nil for a store that was never mirrored.
  init?(_ db: SQLiteConnection, _ path: String) throws {
    var columns: [String: Set<String>] = [:]
    try db.forEachRow(
      """
      SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name LIKE 'ANSCK%'
      """
    ) { columns[$0.string(0), default: []].insert($0.string(1)) }
    let records = columns["ANSCKRECORDMETADATA"] ?? []
    guard records.isSuperset(of: ["ZENTITYID", "ZENTITYPK", "ZCKRECORDNAME"]) else { return nil }
    self.db = db
    self.columns = columns
    hasZone = records.contains("ZRECORDZONE")
    let databases = columns["ANSCKDATABASEMETADATA"] ?? []
    let scope = ["ZDATABASESCOPENUM", "ZDATABASESCOPE"].first(where: databases.contains)
    zones = try Self.zones(db, columns, scope, path)
    let scopes = try scope.map {
      try db.all("SELECT DISTINCT \($0) FROM ANSCKDATABASEMETADATA") { $0.int64(0) }
    }
    isPublic = scopes == [1]
    let links = columns["ANSCKMIRROREDRELATIONSHIP"] ?? []
    let needed: Set = ["ZRECORDNAME", "ZRELATEDRECORDNAME", "ZRELATIONSHIPNAME"]
    linkName =
      links.isSuperset(of: needed)
      ? ["ZCKRECORDID", "ZCKRECORDNAME"].first(where: links.contains) : nil
  }

  private static func zones(
    _ db: SQLiteConnection, _ columns: [String: Set<String>], _ scope: String?, _ path: String
  ) throws -> [Int64: Zone] {
    let table = columns["ANSCKRECORDZONEMETADATA"] ?? []
    guard table.isSuperset(of: ["ZCKRECORDZONENAME", "ZCKOWNERNAME"]) else { return [:] }
    let join = scope.flatMap { column in
      table.contains("ZDATABASE")
        ? "(SELECT \(column) FROM ANSCKDATABASEMETADATA d WHERE d.Z_PK = z.ZDATABASE)" : nil
    }
    var zones: [Int64: Zone] = [:]
    try db.forEachRow(
      """
      SELECT Z_PK, ZCKRECORDZONENAME, ZCKOWNERNAME, \(join ?? "NULL")
      FROM ANSCKRECORDZONEMETADATA z
      """
    ) { row in
      guard !row.string(1).isEmpty, row.isNull(2) || !row.string(2).isEmpty else {
        throw AppStoreError(
          .damaged, path,
          "the row \(row.int64(0)) of 'ANSCKRECORDZONEMETADATA' has no name of a zone; "
            + "give it one in a copy of the store")
      }
      let owner = row.isNull(2) ? ZoneID.currentUserOwnerName : row.string(2)
      // CKDatabase.Scope: 1 is public, 2 private, 3 shared.
      let scope: DatabaseScope =
        switch row.int64(3) {
        case 1: .public
        case 3: .shared
        case 2: .private
        default: owner == ZoneID.currentUserOwnerName ? .private : .shared
        }
      zones[row.int64(0)] = (scope, ZoneID(zoneName: row.string(1), ownerName: owner).shared())
    }
    return zones
  }

  /// Returns the name that CloudKit has for an object, nil before its first export, and the row of its
  /// zone. Returns nil for an object that the mirroring has not seen.
  func record(entity: Int64, key: Int64) throws -> (name: CompactName?, zone: Int64?)? {
    let found = try SQLiteStatement.cached(
      """
      SELECT ZCKRECORDNAME, \(hasZone ? "ZRECORDZONE" : "NULL") FROM ANSCKRECORDMETADATA
      WHERE ZENTITYID = ? AND ZENTITYPK = ? ORDER BY ZCKRECORDNAME IS NULL, rowid
      """, in: db)
    defer { found.reset() }
    found.bind(1, entity)
    found.bind(2, key)
    guard try found.step() else { return nil }
    let name = found.string(0)
    return (name.isEmpty ? nil : CompactName(name), found.isNull(1) ? nil : found.int64(1))
  }

  /// Finds a name that several objects have in one zone, and the rows that give it to them.
  ///
  /// - Parameters:
  ///   - tables: The tables of objects, by the numbers of their entities.
  ///   - zone: Returns the zone of a row of zones.
  func repeatedName(
    _ tables: [Int64: String], in zone: (Int64?) -> ZoneLocation
  ) throws -> (name: String, rows: [String])? {
    let names = try db.all(
      """
      SELECT ZCKRECORDNAME FROM ANSCKRECORDMETADATA WHERE ZCKRECORDNAME <> ''
      GROUP BY 1 HAVING count(*) > 1
      """
    ) { $0.string(0) }
    for name in names {
      var objects: [ZoneLocation: [String]] = [:]
      var known: Set<[Int64]> = []
      try db.forEachRow(
        """
        SELECT rowid, ZENTITYID, ZENTITYPK, \(hasZone ? "ZRECORDZONE" : "NULL")
        FROM ANSCKRECORDMETADATA WHERE ZCKRECORDNAME = ? ORDER BY rowid
        """, [name]
      ) { row in
        let (entity, key) = (row.int64(1), row.int64(2))
        guard let table = tables[entity], known.insert([entity, key]).inserted,
          try db.integer(
            "SELECT 1 FROM \(table.quoted) WHERE Z_PK = ? AND Z_ENT = ?", [key, entity]) == 1
        else { return }
        objects[zone(row.isNull(3) ? nil : row.int64(3)), default: []]
          .append("row \(row.int64(0)) for the row \(key) of '\(table)'")
      }
      if let rows = objects.values.first(where: { $0.count > 1 }) { return (name, rows) }
    }
    return nil
  }

  // MARK: Links

  /// Copies the names of links to a temporary table with an index, as the store's has none. Links that wait
  /// for their deletion are left out.
  func indexLinks() throws {
    guard let linkName else { return }
    func column(_ name: String) -> String { has("ANSCKMIRROREDRELATIONSHIP", name) ? name : "NULL" }
    try db.execute(
      """
      DROP TABLE IF EXISTS temp.recordpackLink;
      CREATE TEMP TABLE recordpackLink (near, far, relationship, zone, name);
      INSERT INTO temp.recordpackLink SELECT ZRECORDNAME, ZRELATEDRECORDNAME, ZRELATIONSHIPNAME,
        \(column("ZRECORDZONE")), \(linkName)
      FROM ANSCKMIRROREDRELATIONSHIP
      WHERE \(linkName) <> '' AND ifnull(\(column("ZNEEDSDELETE")), 0) = 0 ORDER BY Z_PK;
      CREATE INDEX temp.recordpackLinkEnds ON recordpackLink (near, far, relationship);
      """)
  }

  /// Returns the name of the record of a link, and the row of its zone; nil if none is noted. Call
  /// ``indexLinks()`` before.
  ///
  /// - Parameter zone: The row of the zone of the linked objects. Objects of another zone can have the same
  ///   names.
  func link(
    _ names: [String], _ relationships: [String], in zone: Int64?
  ) throws -> (name: CompactName, zone: Int64?)? {
    guard linkName != nil else { return nil }
    for side in 0...1 {
      let found = try db.first(
        """
        SELECT name, zone FROM temp.recordpackLink
        WHERE near = ?1 AND far = ?2 AND relationship = ?3
          AND (zone IS NULL OR ?4 < 0 OR zone = ?4)
        ORDER BY zone IS NULL, rowid
        """, [names[side], names[1 - side], relationships[side], zone ?? -1]
      ) { (CompactName($0.string(0)), $0.isNull(1) ? nil : $0.int64(1)) }
      if let found { return found }
    }
    return nil
  }

  // MARK: Facts

  func has(_ table: String, _ column: String) -> Bool { columns[table]?.contains(column) == true }

  /// The number of rows of records that meet a condition on a column; nil without the column.
  func count(where column: String, _ condition: String) throws -> Int? {
    guard has("ANSCKRECORDMETADATA", column) else { return nil }
    return try db.integer(
      "SELECT count(*) FROM ANSCKRECORDMETADATA WHERE \(column) \(condition)"
    ).map { Int($0) }
  }

  /// The last event of a kind that ended, or the last one: 0 is setup, 1 import, 2 export.
  func lastEvent(_ type: Int) throws -> StoreFacts.Event? {
    let needed: Set = ["ZCLOUDKITEVENTTYPE", "ZSUCCEEDED", "ZSTARTEDAT"]
    guard columns["ANSCKEVENT"]?.isSuperset(of: needed) == true else { return nil }
    let error =
      has("ANSCKEVENT", "ZERRORDOMAIN") && has("ANSCKEVENT", "ZERRORCODE")
      ? "ZERRORDOMAIN, ZERRORCODE" : "NULL, NULL"
    // An event that runs, or whose app was ended, has no end.
    let isRunning = has("ANSCKEVENT", "ZENDEDAT") ? "ZENDEDAT IS NULL" : "1 = 0"
    return try db.first(
      """
      SELECT ZSTARTEDAT, ZSUCCEEDED, \(error), \(isRunning) FROM ANSCKEVENT
      WHERE ZCLOUDKITEVENTTYPE = ? ORDER BY \(isRunning), ZSTARTEDAT DESC LIMIT 1
      """, [type]
    ) { row in
      let domain = row.isNull(2) ? nil : row.string(2)
      return StoreFacts.Event(
        date: row.double(0).flatMap {
          $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil
        },
        hasEnded: row.int64(4) == 0, hasSucceeded: row.int64(1) != 0,
        error: domain.map { "\($0) \(row.int64(3))" })
    }
  }
}

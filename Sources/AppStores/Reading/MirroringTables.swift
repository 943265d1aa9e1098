import Foundation
import RecordModel
import RecordStore

/// The tables in which Core Data notes the records of a mirrored store. Most names of columns were
/// inferred, so each may be missing.
struct MirroringTables {
  private let db: SQLiteConnection
  /// The zones by the keys of their rows.
  let zones: [Int64: (scope: DatabaseScope, zoneID: ZoneID)]
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
    zones = try Self.zones(db, columns, path)
    let links = columns["ANSCKMIRROREDRELATIONSHIP"] ?? []
    let needed: Set = ["ZRECORDNAME", "ZRELATEDRECORDNAME", "ZRELATIONSHIPNAME"]
    linkName =
      links.isSuperset(of: needed)
      ? ["ZCKRECORDID", "ZCKRECORDNAME"].first(where: links.contains) : nil
  }

  private static func zones(
    _ db: SQLiteConnection, _ columns: [String: Set<String>], _ path: String
  ) throws -> [Int64: (scope: DatabaseScope, zoneID: ZoneID)] {
    let table = columns["ANSCKRECORDZONEMETADATA"] ?? []
    guard table.isSuperset(of: ["ZCKRECORDZONENAME", "ZCKOWNERNAME"]) else { return [:] }
    let scopes = columns["ANSCKDATABASEMETADATA"] ?? []
    let scope = ["ZDATABASESCOPENUM", "ZDATABASESCOPE"].first(where: scopes.contains)
    let join = scope.flatMap { column in
      table.contains("ZDATABASE")
        ? "(SELECT \(column) FROM ANSCKDATABASEMETADATA d WHERE d.Z_PK = z.ZDATABASE)" : nil
    }
    var zones: [Int64: (scope: DatabaseScope, zoneID: ZoneID)] = [:]
    try db.forEachRow(
      """
      SELECT Z_PK, ZCKRECORDZONENAME, ZCKOWNERNAME, \(join ?? "NULL")
      FROM ANSCKRECORDZONEMETADATA z
      """
    ) { row in
      guard !row.string(1).isEmpty, row.isNull(2) || !row.string(2).isEmpty else {
        throw AppStoreError(
          .damaged, path,
          "the row \(row.int64(0)) of 'ANSCKRECORDZONEMETADATA' has no name of a zone")
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

  /// Returns the name that CloudKit has for an object, and the row of its zone; nil for an object that
  /// was never exported.
  func record(entity: Int64, key: Int64) throws -> (name: CompactName, zone: Int64?)? {
    let found = try SQLiteStatement.cached(
      """
      SELECT ZCKRECORDNAME, \(hasZone ? "ZRECORDZONE" : "NULL") FROM ANSCKRECORDMETADATA
      WHERE ZENTITYID = ? AND ZENTITYPK = ? AND ZCKRECORDNAME NOT NULL
      """, in: db)
    defer { found.reset() }
    found.bind(1, entity)
    found.bind(2, key)
    guard try found.step() else { return nil }
    let name = found.string(0)
    guard !name.isEmpty else { return nil }
    return (CompactName(name), found.isNull(1) ? nil : found.int64(1))
  }

  /// Returns the name of the record of a link; nil if none is noted.
  func link(_ names: [String], _ relationships: [String]) throws -> CompactName? {
    guard let linkName else { return nil }
    for side in 0...1 {
      let name = try db.text(
        """
        SELECT \(linkName) FROM ANSCKMIRROREDRELATIONSHIP
        WHERE ZRECORDNAME = ? AND ZRELATEDRECORDNAME = ? AND ZRELATIONSHIPNAME = ?
        """, [names[side], names[1 - side], relationships[side]])
      if let name, !name.isEmpty { return CompactName(name) }
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

  /// The last event of a kind: 0 is setup, 1 import, 2 export.
  func lastEvent(_ type: Int) throws -> StoreFacts.Event? {
    let needed: Set = ["ZCLOUDKITEVENTTYPE", "ZSUCCEEDED", "ZSTARTEDAT"]
    guard columns["ANSCKEVENT"]?.isSuperset(of: needed) == true else { return nil }
    let error =
      has("ANSCKEVENT", "ZERRORDOMAIN") && has("ANSCKEVENT", "ZERRORCODE")
      ? "ZERRORDOMAIN, ZERRORCODE" : "NULL, NULL"
    return try db.first(
      """
      SELECT ZSTARTEDAT, ZSUCCEEDED, \(error) FROM ANSCKEVENT
      WHERE ZCLOUDKITEVENTTYPE = ? ORDER BY ZSTARTEDAT DESC LIMIT 1
      """, [type]
    ) { row in
      let domain = row.isNull(2) ? nil : row.string(2)
      return StoreFacts.Event(
        date: row.double(0).flatMap {
          $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil
        },
        hasSucceeded: row.int64(1) != 0, error: domain.map { "\($0) \(row.int64(3))" })
    }
  }
}

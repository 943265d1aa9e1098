import Foundation
import RecordModel

/// Repairs of a container, before and after an import that replaces.
extension ImportTransaction {
  /// Restores the numbers and names of zones, where the checksum or the records tell them.
  func repairZones() throws {
    let lost = try LostZones(in: db)
    let damaged = try db.all(CheckedTable.zone.select) { row in
      let zone = try? StoreCoding.read(RecordZone.self, from: row.bytes(6), name: "")
      return row.isIntact(.zone)
        ? nil : (row: row.int64(0), keys: try lost.keys(ofZone: row, zone?.zoneID))
    }
    for (row, keys) in damaged.compactMap(\.self) {
      // The checksum matches again, or the zone is written anew.
      try db.run(
        "UPDATE OR IGNORE zone SET id = ?, scope = ?, name = ?, owner = ? WHERE id = ?",
        [keys.id] + keys.zoneID.columns(in: keys.scope) + [row])
    }
    let missing = try LostZones(in: db)
    for id in missing.numbers {
      guard let zoneID = try intactRecord("zone", id)?.recordID.zoneID else { continue }
      try db.insert(
        [id] + zoneID.columns(in: missing.scope(of: zoneID, id))
          + [lastChange(ofZone: id), 1, StoreCoding.json(of: RecordZone(zoneID: zoneID))],
        into: .zone, or: .ignore)
    }
  }

  /// Removes the rows that are damaged still.
  func removeDamage() throws {
    try removeRecords(damaged(.record))
    for id in try damaged(.zone) {
      let zone = try db.first("SELECT scope, name, owner FROM zone WHERE id = ?", [id]) { row in
        row.scope(0).map { ($0, row.zoneID(1)) }
      }
      let isUsed = try ["record", "tombstone"].contains {
        try db.integer("SELECT 1 FROM \($0) WHERE zone = ? LIMIT 1", [id]) != nil
      }
      if let (scope, zoneID) = zone ?? nil, isUsed || zoneID.isDefault {
        try write(RecordZone(zoneID: zoneID), in: scope)
      } else {
        try db.run("DELETE FROM zone WHERE id = ?", [id])
      }
    }
    let orphans = try db.all("SELECT id FROM record WHERE zone NOT IN (SELECT id FROM zone)") {
      $0.int64(0)
    }
    try removeRecords(orphans)
    counts.unreadable += orphans.count
    let access = counts.unreadable
    for table in [CheckedTable.accessChange, .lostZone] { try removeDamage(table) }
    // Nothing is known any more about the records that their accounts saw.
    if counts.unreadable > access { try changes.noteRemovedZone() }
    for table in [CheckedTable.tombstone, .zoneTombstone, .subscription, .setting] {
      try removeDamage(table)
    }
    try db.execute(
      """
      DELETE FROM accessChange WHERE zone NOT IN (SELECT id FROM zone);
      DELETE FROM tombstone WHERE zone NOT IN (SELECT id FROM zone);
      DELETE FROM tombstone WHERE EXISTS (
        SELECT 1 FROM record WHERE record.zone = tombstone.zone AND record.name = tombstone.name);
      DELETE FROM zoneTombstone WHERE EXISTS (
        SELECT 1 FROM zone WHERE zone.scope = zoneTombstone.scope AND zone.name = zoneTombstone.name
          AND zone.owner = zoneTombstone.owner);
      """)
    mustRecount = true
  }

  private func removeRecords(_ ids: [Int64]) throws {
    for id in ids {
      try db.run("DELETE FROM record WHERE id = ?", [id])
      try assets.removeReferences(record: id)
    }
  }

  /// Removes the damaged rows of a table whose rows have no number.
  private func removeDamage(_ table: CheckedTable) throws {
    let condition = table.columns.split(separator: ", ").dropLast().map { "\($0) IS ?" }
      .joined(separator: " AND ")
    let rows = try db.all(table.select) { row in
      row.isIntact(table) ? nil : (0..<table.width).map { CopiedCell(row.cell($0)) }
    }.compactMap(\.self)
    for row in rows { try db.run("DELETE FROM \(table.name) WHERE \(condition)", row) }
    counts.unreadable += rows.count
  }

  /// The numbers of the damaged rows of a table.
  private func damaged(_ table: CheckedTable) throws -> [Int64] {
    let found = try db.all("SELECT \(table.columns), id FROM \(table.name)") { row in
      row.isIntact(table) ? nil : row.int64(table.width + 1)
    }.compactMap(\.self)
    counts.unreadable += found.count
    return found
  }
}

/// A value of a damaged row, which may have any type.
private enum CopiedCell: ColumnValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(Data)
  case blob(Data)

  init(_ cell: SQLiteCell) {
    self =
      switch cell {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let bytes): .text(Data(bytes))
      case .blob(let bytes): .blob(Data(bytes))
      }
  }

  func bind(to statement: SQLiteStatement, at index: Int32) throws {
    switch self {
    case .null: statement.bindNull(index)
    case .integer(let number): statement.bind(index, number)
    case .real(let number): statement.bind(index, number)
    case .text(let data):
      try data.withUnsafeBytes { try statement.bindText(index, $0, isCopied: true) }
    case .blob(let data): try data.bind(to: statement, at: index)
    }
  }

  func add(to hash: inout RowChecksum) {}
}

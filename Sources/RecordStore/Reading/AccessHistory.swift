import RecordModel

/// The records and zones of other users that an account began or ceased to see.
///
/// A row of `accessChange` with the name of a record says that the account began or ceased to see
/// it; one with an empty name, that it began to see the zone. A row of `lostZone` is a zone that it
/// saw and does not see any more.
///
/// Readers do not check the checksums of these rows: nothing can take the place of a damaged one, and a
/// feed without it says the same as one with it, or more. `verify` does.
extension ContainerTransaction {
  /// Notes that an account began or ceased to see records of a zone.
  package func noteAccess(
    to names: [String], in zoneID: ZoneID, of scope: DatabaseScope, account: String
  ) throws {
    guard !names.isEmpty, let zone = try zoneState(zoneID, in: scope) else { return }
    let change = try changes.next(in: scope)
    for name in names { try noteAccess(name, in: zone, of: account, change: change) }
  }

  /// Notes that an account began to see a zone. Nothing is known about what it saw before.
  package func noteGainedZone(_ zoneID: ZoneID, in scope: DatabaseScope, account: String) throws {
    guard let zone = try zoneState(zoneID, in: scope) else { return }
    try removeAccess(to: zone, of: account)
    try db.run(
      "DELETE FROM lostZone WHERE account = ? AND name = ? AND owner = ?",
      [account, zoneID.zoneName, zoneID.ownerName])
    try noteAccess("", in: zone, of: account, change: changes.next(in: scope))
  }

  /// Notes that an account ceased to see a zone.
  package func noteLostZone(_ zoneID: ZoneID, in scope: DatabaseScope, account: String) throws {
    if let zone = try zoneState(zoneID, in: scope) { try removeAccess(to: zone, of: account) }
    try db.insert(
      [account, zoneID.zoneName, zoneID.ownerName, changes.next(in: scope)], into: .lostZone,
      or: .replace)
  }

  private func noteAccess(
    _ name: String, in zone: ZoneState, of account: String, change: Int64
  ) throws {
    try db.insert([zone.id, account, name, change], into: .accessChange, or: .replace)
    updateLastChange(zone, change)
  }

  private func removeAccess(to zone: ZoneState, of account: String) throws {
    try db.run(
      "DELETE FROM accessChange WHERE zone = ? AND account = ?", [zone.id, account])
  }
}

extension ContainerSnapshot {
  /// Returns the number of the change with which an account began to see a zone; nil if it is not
  /// known.
  package func gainedZone(_ zone: ZoneHistory, account: String) throws -> Int64? {
    try accessChange(of: "", in: zone, account: account)
  }

  /// Returns the number of the change with which an account began or ceased to see a record; nil if
  /// it did not.
  package func accessChange(
    of name: String, in zone: ZoneHistory, account: String
  ) throws -> Int64? {
    try db.integer(
      "SELECT change FROM accessChange WHERE zone = ? AND account = ? AND name = ?",
      [zone.id, account, name])
  }

  /// Returns the records that an account began or ceased to see after a change, in that order.
  package func accessChanges(
    in zone: ZoneHistory, account: String, after position: ChangePosition
  ) throws -> [(name: String, change: Int64)] {
    let rows: [(name: String, change: Int64)] = try db.all(
      """
      SELECT name, change FROM accessChange
      WHERE zone = ? AND account = ? AND change >= ? AND name <> '' ORDER BY change, name
      """, [zone.id, account, position.change]
    ) { (name: $0.string(0), change: $0.int64(1)) }
    return rows.filter { row in
      if row.change > position.change { return true }
      guard let last = position.name else { return false }
      return compareUTF8(row.name, last) > 0
    }
  }

  /// Whether it is known of any record of a zone that an account began or ceased to see it.
  package func hasAccessChanges(in zone: ZoneHistory, account: String) throws -> Bool {
    try db.integer(
      "SELECT 1 FROM accessChange WHERE zone = ? AND account = ? AND name <> '' LIMIT 1",
      [zone.id, account]) != nil
  }

  /// Returns the number of a record's last change; nil if the record does not exist.
  package func change(of recordID: RecordID, in scope: DatabaseScope) throws -> Int64? {
    guard let zone = try zoneRow(recordID.zoneID, in: scope) else { return nil }
    return try db.integer(
      "SELECT change FROM record WHERE zone = ? AND name = ?", [zone, recordID.recordName])
  }

  /// Returns the tombstone of a record; nil if it was not deleted, or exists again.
  package func tombstone(of recordID: RecordID, in scope: DatabaseScope) throws -> DeletedRecord? {
    guard let zone = try zoneRow(recordID.zoneID, in: scope) else { return nil }
    return try db.first(
      "\(CheckedTable.tombstone.select) WHERE zone = ? AND name = ?", [zone, recordID.recordName]
    ) { try read($0, .tombstone, "deleted record '\(recordID.recordName)'", in: scope) }
  }

  /// Returns the zones that an account ceased to see after a change, with its number, by that.
  package func lostZones(
    of account: String, after change: Int64
  ) throws -> [(zoneID: ZoneID, change: Int64)] {
    try db.all(
      """
      SELECT name, owner, change FROM lostZone WHERE account = ? AND change > ?
      ORDER BY change, owner, name
      """, [account, change]
    ) { ($0.zoneID(0), $0.int64(2)) }
  }
}

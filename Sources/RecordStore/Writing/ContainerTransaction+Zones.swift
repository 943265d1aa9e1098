import Foundation
import RecordModel
import RecordPlatform

extension ContainerTransaction {
  /// Returns the state of a zone; nil if it does not exist.
  func zoneState(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState? {
    let db = try db
    // Most requests are to one zone.
    if let lastZone, lastZone.scope == scope, lastZone.zoneID == zoneID { return lastZone }
    let known = zonesByText[Self.text(of: zoneID, in: scope)]?.first {
      $0.scope == scope && $0.zoneID == zoneID
    }
    if let known {
      lastZone = known
      return known
    }
    if isNew && !zoneID.isDefault { return nil }
    let stored = try db.first(
      "SELECT id, lastChange FROM zone WHERE \(ZoneID.columns)", zoneID.columns(in: scope)
    ) { row in (id: row.int64(0), lastChange: row.int64(1)) }
    return stored.map { add(zoneID, in: scope, id: $0.id, lastChange: $0.lastChange) }
  }

  func zoneState(withID id: Int64) throws -> ZoneState? {
    if let known = zones.first(where: { $0?.id == id }) { return known }
    let found = try db.first("SELECT scope, name, owner FROM zone WHERE id = ?", [id]) { row in
      (Int(clamping: row.int64(0)), row.zoneID(1))
    }
    guard let (rank, zoneID) = found, let scope = DatabaseScope(rank: rank) else { return nil }
    return try zoneState(zoneID, in: scope)
  }

  /// Returns the state of an existing zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`.
  package func existingZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState {
    guard let zone = try zoneState(zoneID, in: scope) else {
      throw CloudError.zoneNotFound(zoneID, in: scope)
    }
    return zone
  }

  private func add(
    _ zoneID: ZoneID, in scope: DatabaseScope, id: Int64, lastChange: Int64
  ) -> ZoneState {
    let state = ZoneState(
      id: id, index: zones.count, scope: scope, zoneID: zoneID, lastChange: lastChange)
    zones.append(state)
    sections.append([])
    zonesByText[Self.text(of: zoneID, in: scope), default: []].append(state)
    return state
  }

  private static func text(of zoneID: ZoneID, in scope: DatabaseScope) -> String {
    "\(scope.rank)/\(zoneID.ownerName)/\(zoneID.zoneName)"
  }

  /// Adds a zone, or replaces an existing one; its records stay. The name can be one that no client saves.
  package func write(_ zone: RecordZone, in scope: DatabaseScope) throws {
    let known = try zoneState(zone.zoneID, in: scope)
    let json = try StoreCoding.readableJSON(of: zone, name: "the zone")
    let change = try changes.next(in: scope)
    if let known {
      // If the row is damaged, the change that created the zone is not known any more, and its last
      // change is that of its records.
      let first = try zoneRow(of: known).flatMap { $0.isIntact ? $0.firstChange : nil }
      if first == nil { known.lastChange = try lastChange(ofZone: known.id) }
      updateLastChange(known, change)
      return try update(known, firstChange: first ?? min(change, known.lastChange), json)
    }
    let key = zone.zoneID.columns(in: scope)
    let id = try nextID(in: "zone")
    if !isNew || rowCounts[scope.rank][.zoneTombstones] != 0 {
      try db.run("DELETE FROM zoneTombstone WHERE \(ZoneID.columns)", key)
      countRows(.zoneTombstones, try -db.changesCount, in: scope)
    }
    try db.insert([id] + key + [change, change, json], into: .zone)
    countRows(.zones, 1, in: scope)
    _ = add(zone.zoneID, in: scope, id: id, lastChange: change)
  }

  /// Returns the number of the last change of the contents of a zone.
  func lastChange(ofZone id: Int64) throws -> Int64 {
    try ["record", "tombstone", "accessChange"].map {
      try db.integer(
        "SELECT max(change) FROM \($0) WHERE zone = ? AND change < \(Int64.max / 2)", [id]) ?? 0
    }.max() ?? 0
  }

  private func zoneRow(
    of zone: ZoneState
  ) throws -> (isIntact: Bool, firstChange: Int64, json: Data)? {
    try db.first("\(CheckedTable.zone.select) WHERE id = ?", [zone.id]) { row in
      (row.isIntact(.zone), row.int64(5), Data(row.bytes(6)))
    }
  }

  func writeLastChange(of zone: ZoneState) throws {
    guard let row = try zoneRow(of: zone), row.isIntact else {
      throw unreadable(
        "zone '\(zone.zoneID)'", in: zone.scope, ContainerStoreError.otherChecksum)
    }
    try update(zone, firstChange: row.firstChange, row.json)
  }

  private func update(_ zone: ZoneState, firstChange: Int64, _ json: Data) throws {
    // The checksum also covers the columns that stay.
    try db.runHashed(
      "UPDATE zone SET lastChange = ?5, firstChange = ?6, json = ?7, hash = ?8 WHERE id = ?1",
      [zone.id] + zone.zoneID.columns(in: zone.scope) + [zone.lastChange, firstChange, json])
    zone.isDirty = false
  }

  /// Deletes a zone with all its contents, and the subscriptions to it.
  func remove(_ zone: ZoneState) throws {
    let id = zone.id
    if changes.countsContents {
      for table in ["record", "tombstone"] {
        try db.forEachRow("SELECT json FROM \(table) WHERE zone = ?", [id]) {
          changes.removeContent(XXH64.hash($0.bytes(0)), in: zone.scope)
        }
      }
    }
    var records = 0
    try db.forEachRow("\(CheckedTable.section.select) WHERE zone = ?", [id]) { row in
      if row.isIntact(.section) { records += Int(row.int64(2)) } else { mustRecount = true }
    }
    try db.execute(
      """
      DELETE FROM assetUse WHERE record IN (SELECT id FROM record WHERE zone = \(id));
      DELETE FROM record WHERE zone = \(id);
      DELETE FROM section WHERE zone = \(id);
      DELETE FROM zone WHERE id = \(id);
      """)
    countRows(.zones, -1, in: zone.scope)
    countRows(.records, -records, in: zone.scope)
    try indexes.removeZone(id)
    try db.run("DELETE FROM accessChange WHERE zone = ?", [id])
    try db.run("DELETE FROM tombstone WHERE zone = ?", [id])
    countRows(.tombstones, try -db.changesCount, in: zone.scope)
    try deleteSubscriptions(to: zone)
    zonesByText[Self.text(of: zone.zoneID, in: zone.scope)]?.removeAll { $0 === zone }
    lastZone = nil
    zones[zone.index] = nil
    sections[zone.index] = []
    lastSection = nil
    assets.mayHaveUnused = true
  }

  /// Returns the number of records of a zone, with what the transaction has changed.
  func recordCount(of zone: ZoneState) throws -> Int {
    let stored =
      try db.integer(
        "SELECT CAST(total(records) AS INTEGER) FROM section WHERE zone = ?", [zone.id])
      ?? 0
    return sections[zone.index].reduce(Int(stored)) {
      $0 + Int($1.extent.records &- $1.storedRecords)
    }
  }

  @inline(__always)
  func updateLastChange(_ zone: ZoneState, _ change: Int64) {
    zone.lastChange = max(zone.lastChange, change)
    zone.isDirty = true
  }
}

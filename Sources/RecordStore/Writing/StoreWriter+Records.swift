import Foundation
import CSystemSQLite
import RecordCoding
import RecordModel

extension StoreWriter {
  /// Returns the row of a record; the index of names must exist.
  func find(_ name: UnsafeRawBufferPointer, in zone: ZoneState) throws -> StoredRow? {
    let findRecord = try findRecord
    defer { findRecord.reset() }
    findRecord.bind(1, zone.id)
    try findRecord.bindText(2, name)
    guard try findRecord.step() else { return nil }
    return StoredRow(findRecord)
  }

  func find(_ recordID: RecordID, in zone: ZoneState) throws -> StoredRow? {
    try recordID.packedName.withUTF8 { try find($0, in: zone) }
  }

  /// Returns a record with its row; nil if it does not exist.
  func stored(_ recordID: RecordID, in zone: ZoneState) throws -> StoredRecord? {
    let select = try SQLiteStatement.cached(
      "SELECT id, type, length(json), json FROM record WHERE zone = ? AND name = ?", in: db)
    defer { select.reset() }
    return try recordID.packedName.withUTF8 { name in
      select.bind(1, zone.id)
      try select.bindText(2, name)
      guard try select.step() else { return nil }
      let record = try StoreCoding.record(
        select.bytes(3), by: reader, name: "record '\(recordID)'")
      return StoredRecord(record: record, row: StoredRow(select))
    }
  }

  /// Adds a record, or replaces the stored one.
  ///
  /// - Parameters:
  ///   - previous: the stored record, if the caller has read it.
  ///   - change: the number of the change.
  func save(
    _ row: RecordRow, over stored: StoredRow?, previous: StoredRecord? = nil, change: Int64
  ) throws {
    if let stored {
      try replace(stored, with: row, previous: previous, change: change)
    } else {
      try insert(row, change: change)
    }
  }

  /// Adds a record that does not exist.
  @inline(__always)
  func insert(_ row: RecordRow, change: Int64) throws {
    insertRecord.bind(1, row.zone.id)
    insertRecord.bind(2, row.type.id)
    try insertRecord.bindText(3, row.name)
    insertRecord.bind(4, change)
    insertRecord.bind(5, row.modified)
    try insertRecord.bindBlob(6, row.payload)
    insertRecord.bind(7, row.hash(change: change))
    try insertRecord.run()
    let id = sqlite3_last_insert_rowid(sqlite3_db_handle(insertRecord.pointer))
    try section(row.zone, row.type).append(id: id, name: row.name, bytes: row.payload.count)
    updateLastChange(row.zone, change)
    changes.noteContent(row.hashes.payload, in: row.zone.scope)
    if hasTombstones { try removeTombstone(row.name, in: row.zone) }
    if row.mayContainAssets { try assets.addReferences(payload: row.payload, record: id) }
    if !indexes.isEmpty {
      try indexes.update(id, in: row.zone, type: row.type.id, old: nil, new: row.payload)
    }
  }

  func replace(
    _ stored: StoredRow, with row: RecordRow, previous: StoredRecord? = nil, change: Int64
  ) throws {
    guard stored.type == row.type.id else {
      // In its new section the row would be out of order.
      try remove(stored, from: row.zone)
      return try insert(row, change: change)
    }
    if !indexes.isEmpty {
      try withPayload(of: stored.id) {
        try indexes.update(stored.id, in: row.zone, type: stored.type, old: $0, new: row.payload)
      }
    }
    changes.noteRewrite()
    let update = try SQLiteStatement.cached(
      "UPDATE record SET change = ?, modified = ?, json = ?, hash = ? WHERE id = ?", in: db)
    update.bind(1, change)
    update.bind(2, row.modified)
    try update.bindBlob(3, row.payload)
    update.bind(4, row.hash(change: change))
    update.bind(5, stored.id)
    try update.run()
    let section = try section(row.zone, row.type)
    section.bytes &+= Int64(row.payload.count) &- stored.bytes
    section.isDirty = true
    updateLastChange(row.zone, change)
    if previous?.mayContainAssets ?? true { try assets.removeReferences(record: stored.id) }
    if row.mayContainAssets { try assets.addReferences(payload: row.payload, record: stored.id) }
  }

  /// Removes the row of a record, without adding a tombstone.
  func remove(_ stored: StoredRow, from zone: ZoneState) throws {
    if !indexes.isEmpty {
      try withPayload(of: stored.id) {
        try indexes.update(stored.id, in: zone, type: stored.type, old: $0, new: nil)
      }
    }
    changes.noteRewrite()
    let delete = try SQLiteStatement.cached("DELETE FROM record WHERE id = ?", in: db)
    delete.bind(1, stored.id)
    try delete.run()
    try section(zone, try type(withID: stored.type)).remove(bytes: stored.bytes)
    try assets.removeReferences(record: stored.id)
  }

  /// Returns the number of a record's last change.
  func change(of stored: StoredRow) throws -> Int64 {
    try db.integer("SELECT change FROM record WHERE id = ?", [stored.id]) ?? 0
  }

  /// Calls `body` with the payload of a row.
  func withPayload<R>(of id: Int64, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    let select = try SQLiteStatement.make("SELECT json FROM record WHERE id = ?", in: db)
    defer { select.reset() }
    select.bind(1, id)
    guard try select.step() else {
      throw ContainerStoreError.damaged(
        detail: "the index of names refers to the missing row \(id)")
    }
    return try body(select.bytes(0))
  }
}

extension StoreWriter {
  /// Whether the stored tombstone of a record is identical; nil if there is none.
  func hasSame(_ tombstone: DeletedRecord, in zone: ZoneState) throws -> Bool? {
    guard hasTombstones else { return nil }
    let json = try StoreCoding.json(of: tombstone)
    return try db.first(
      "SELECT json FROM tombstone WHERE zone = ? AND name = ?",
      [zone.id, tombstone.recordID.recordName]
    ) { $0.bytes(0).elementsEqual(json) }
  }

  /// Whether a record was deleted, and not saved again.
  func hasTombstone(_ name: String, in zone: ZoneState) throws -> Bool {
    guard hasTombstones else { return false }
    return try exists("tombstone WHERE zone = ? AND name = ?", [zone.id, name])
  }

  func hasZoneTombstone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Bool {
    try exists("zoneTombstone WHERE \(ZoneID.columns)", zoneID.columns(in: scope))
  }

  func addTombstone(
    _ tombstone: DeletedRecord, in zone: ZoneState, change: Int64
  ) throws {
    let key: [any ColumnValue] = [zone.id, tombstone.recordID.recordName]
    if try exists("tombstone WHERE zone = ? AND name = ?", key) {
      changes.noteRewrite()
    } else {
      count(.tombstones, 1, in: zone.scope)
    }
    let json = try StoreCoding.json(of: tombstone)
    changes.noteContent(json, in: zone.scope)
    try db.runHashed(
      "INSERT OR REPLACE INTO tombstone (zone, name, change, json, hash) VALUES (?, ?, ?, ?, ?)",
      key + [change, json])
    updateLastChange(zone, change)
    hasTombstones = true
  }

  private func removeTombstone(_ name: UnsafeRawBufferPointer, in zone: ZoneState) throws {
    let delete = try SQLiteStatement.cached(
      "DELETE FROM tombstone WHERE zone = ? AND name = ?", in: db)
    delete.bind(1, zone.id)
    try delete.bindText(2, name)
    try delete.run()
    let removed = db.changesCount
    guard removed > 0 else { return }
    count(.tombstones, -removed, in: zone.scope)
    changes.noteRewrite()
  }

  func addZoneTombstone(_ tombstone: DeletedZone, in scope: DatabaseScope) throws {
    let zoneID = tombstone.zoneID
    let change = try changes.lastChange(of: zoneID, in: scope) ?? nextChange(in: scope)
    if try !hasZoneTombstone(zoneID, in: scope) { count(.zoneTombstones, 1, in: scope) }
    try db.runHashed(
      """
      INSERT OR REPLACE INTO zoneTombstone (scope, name, owner, change, reason, hash)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      zoneID.columns(in: scope) + [change, tombstone.reason.rawValue])
  }

  func save(_ subscription: CloudSubscription, in scope: DatabaseScope) throws {
    let key: [any ColumnValue] = [scope.rank, subscription.subscriptionID]
    if try !exists("subscription WHERE scope = ? AND id = ?", key) {
      count(.subscriptions, 1, in: scope)
    }
    try db.runHashed(
      "INSERT OR REPLACE INTO subscription (scope, id, change, json, hash) VALUES (?, ?, ?, ?, ?)",
      key + [try nextChange(in: scope), try StoreCoding.json(of: subscription)])
  }

  private func exists(_ rows: String, _ key: [any ColumnValue]) throws -> Bool {
    try db.integer("SELECT 1 FROM \(rows)", key) != nil
  }
}

extension StoreWriter {
  /// Deletes a record and adds its tombstone.
  ///
  /// - Returns: whether it existed.
  func delete(_ recordID: RecordID, in zone: ZoneState, at date: Date?) throws -> Bool {
    guard let tombstone = try remove(recordID, from: zone, at: date) else { return false }
    try delete(tombstone, in: zone)
    return true
  }

  /// Adds the tombstone of a record that is deleted now, with the next change tag.
  func delete(_ tombstone: DeletedRecord, in zone: ZoneState) throws {
    let change = try nextChange(in: zone.scope)
    var tombstone = tombstone
    tombstone.recordChangeTag = ChangeTag.text(of: change)
    try addTombstone(tombstone, in: zone, change: change)
  }

  /// Deletes a record.
  ///
  /// - Returns: its tombstone, which is not yet added; nil if it did not exist.
  func remove(_ recordID: RecordID, from zone: ZoneState, at date: Date?) throws -> DeletedRecord? {
    guard let stored = try find(recordID, in: zone) else { return nil }
    let type = try type(withID: stored.type)
    try remove(stored, from: zone)
    return DeletedRecord(recordID: recordID, recordType: type.name, deletionDate: date)
  }

  /// Deletes the subscriptions to a zone, as the server does with the zone.
  func deleteSubscriptions(to zone: ZoneState) throws {
    let ids: [String?] = try db.all(
      "SELECT id, json FROM subscription WHERE scope = ?", [zone.scope.rank]
    ) { row in
      let id = row.string(0)
      let subscription = try StoreCoding.read(
        CloudSubscription.self, from: row.bytes(1), name: "subscription '\(id)'")
      return subscription.zoneID == zone.zoneID ? id : nil
    }
    for id in ids.compactMap({ $0 }) { try deleteSubscription(id, in: zone.scope) }
  }

  func deleteSubscription(_ id: String, in scope: DatabaseScope) throws {
    try db.run("DELETE FROM subscription WHERE scope = ? AND id = ?", [scope.rank, id])
    count(.subscriptions, -db.changesCount, in: scope)
  }
}

import CSystemSQLite
import Foundation
import RecordModel
import RecordPlatform

// MARK: Rows of records

extension ContainerTransaction {
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
    try recordID.withUTF8RecordName { try find($0, in: zone) }
  }

  /// Calls `body` with the row of a record; it is valid during the call.
  func withRow<R>(
    of record: ResultRecord, in zone: ZoneState, _ body: (RecordRow) throws -> R
  ) throws -> R {
    let system = record.systemFields
    let type = try type(system.recordType)
    buffer.reset()
    try json.write(record, to: buffer)
    try checkReadable(record, zone)
    return try system.recordID.withUTF8RecordName { name in
      try body(
        RecordRow(
          zone: zone, type: type, name: name,
          modified: system.modified?.date?.timeIntervalSinceReferenceDate, payload: buffer.bytes))
    }
  }

  /// Reads the encoded record in the buffer back with the code that will read it.
  ///
  /// - Throws: CloudKit's `invalidArguments` for a record that cannot be read.
  private func checkReadable(_ record: ResultRecord, _ zone: ZoneState) throws {
    let recordID = record.recordID
    try StoreCoding.reading("record '\(recordID)'") {
      if record.isShare {
        _ = try reader.read(buffer.bytes).readShareInfo()
      } else {
        try recordID.withUTF8RecordName {
          try check(
            buffer.bytes,
            of: RecordKey(
              zoneID: zone.zoneID, recordType: record.recordType,
              name: UnsafeRawBufferPointer($0)), in: zone.scope)
        }
      }
    }
  }

  /// Adds a record, or replaces the stored one.
  ///
  /// - Parameters:
  ///   - previous: the stored record, if the caller has read it.
  ///   - change: the number of the change.
  func write(
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
    guard let insertRecord else { throw ContainerStoreError.closed }
    if before != nil {
      let name = String(decoding: row.name, as: UTF8.self)
      before?.note(RecordID(recordName: name, zoneID: row.zone.zoneID), nil, in: row.zone)
    }
    insertRecord.bind(1, row.zone.id)
    insertRecord.bind(2, row.type.id)
    try insertRecord.bindText(3, row.name)
    insertRecord.bind(4, change)
    insertRecord.bind(5, row.modified)
    try insertRecord.bindBlob(6, row.payload)
    insertRecord.bind(7, row.hash(change: change))
    try insertRecord.run()
    let id = sqlite3_last_insert_rowid(sqlite3_db_handle(insertRecord.pointer))
    try section(row.zone, row.type).change {
      $0.append(id: id, name: row.name, bytes: row.payload.count)
    }
    updateLastChange(row.zone, change)
    changes.addContent(row.hashes.payload, in: row.zone.scope)
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
    if before != nil || !indexes.isEmpty {
      let old = try previous?.record ?? intactRecord(of: stored, in: row.zone)
      // A new tag alone is not a change.
      let isChange = previous?.change != change
      if let old { before?.note(old.recordID, old, in: row.zone, isChange: isChange) }
      if !indexes.isEmpty { try leaveIndexes(stored, old, in: row.zone, new: row.payload) }
    } else if previous == nil, try !isIntact(stored) {
      mustRecount = true
    }
    try removeContent(of: stored, in: row.zone.scope)
    let update = try SQLiteStatement.cached(
      "UPDATE record SET change = ?, modified = ?, json = ?, hash = ? WHERE id = ?", in: db)
    update.bind(1, change)
    update.bind(2, row.modified)
    try update.bindBlob(3, row.payload)
    update.bind(4, row.hash(change: change))
    update.bind(5, stored.id)
    try update.run()
    changes.addContent(row.hashes.payload, in: row.zone.scope)
    try section(row.zone, row.type).change {
      $0.bytes &+= Int64(row.payload.count) &- stored.bytes
    }
    updateLastChange(row.zone, change)
    if previous?.mayContainAssets ?? true { try assets.removeReferences(record: stored.id) }
    if row.mayContainAssets { try assets.addReferences(payload: row.payload, record: stored.id) }
  }

  /// Removes the row of a record, without adding a tombstone.
  func remove(_ stored: StoredRow, from zone: ZoneState) throws {
    let old = try intactRecord(of: stored, in: zone)
    if let old { before?.note(old.recordID, old, in: zone) }
    if !indexes.isEmpty { try leaveIndexes(stored, old, in: zone, new: nil) }
    try removeContent(of: stored, in: zone.scope)
    let delete = try SQLiteStatement.cached("DELETE FROM record WHERE id = ?", in: db)
    delete.bind(1, stored.id)
    try delete.run()
    // The damage may have changed the type and the size, which a section counts.
    if old != nil {
      try section(zone, type(withID: stored.type)).change { $0.remove(bytes: stored.bytes) }
    }
    try assets.removeReferences(record: stored.id)
  }

  /// Whether the row of a record matches its checksum.
  func isIntact(_ stored: StoredRow) throws -> Bool {
    try db.first("\(CheckedTable.record.select) WHERE id = ?", [stored.id]) {
      $0.isIntact(.record)
    } ?? false
  }

  /// Updates the indexes for a record that is replaced or removed.
  ///
  /// - Parameter old: the record; nil if it is damaged.
  private func leaveIndexes(
    _ stored: StoredRow, _ old: ResultRecord?, in zone: ZoneState, new: UnsafeRawBufferPointer?
  ) throws {
    // The entries of a damaged record are not known, so they have to be searched.
    if old == nil { try indexes.removeEntries(of: stored.id, in: zone) }
    try indexes.update(stored.id, in: zone, type: stored.type, old: old, new: new)
  }

  /// Returns the record of a row; nil if it is damaged.
  private func intactRecord(of stored: StoredRow, in zone: ZoneState) throws -> ResultRecord? {
    do {
      return try db.first("\(CheckedTable.record.select) WHERE id = ?", [stored.id]) {
        try record(of: $0, inZone: zone.zoneID, of: zone.scope)
      }
    } catch is ContainerStoreError {
      mustRecount = true
      return nil
    }
  }

  /// Takes a row that is replaced or removed out of the contents that are being loaded.
  private func removeContent(of stored: StoredRow, in scope: DatabaseScope) throws {
    guard changes.countsContents else { return }
    try withPayload(of: stored.id) { changes.removeContent(XXH64.hash($0), in: scope) }
  }

  /// Calls `body` with the payload of a row, which may be damaged.
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

// MARK: Rows of tombstones and subscriptions

extension ContainerTransaction {
  /// Returns the JSON of the tombstone of a record, and whether it is intact; nil if there is none.
  func tombstoneJSON(
    _ name: String, in zone: ZoneState
  ) throws -> (json: Data, isIntact: Bool)? {
    guard hasTombstones else { return nil }
    return try db.first(
      "\(CheckedTable.tombstone.select) WHERE zone = ? AND name = ?", [zone.id, name]
    ) { (Data($0.bytes(3)), $0.isIntact(.tombstone)) }
  }

  func addTombstone(_ tombstone: DeletedRecord, in zone: ZoneState, change: Int64) throws {
    let name = tombstone.recordID.recordName
    if let old = try tombstoneJSON(name, in: zone)?.json {
      changes.removeContent(Self.hash(of: old), in: zone.scope)
    } else {
      countRows(.tombstones, 1, in: zone.scope)
    }
    let json = try StoreCoding.readableJSON(of: tombstone, name: "the deletion of a record")
    changes.addContent(Self.hash(of: json), in: zone.scope)
    try db.insert([zone.id, name, change, json], into: .tombstone, or: .replace)
    updateLastChange(zone, change)
    hasTombstones = true
  }

  private static func hash(of json: Data) -> UInt64 { json.withUnsafeBytes { XXH64.hash($0) } }

  func removeTombstone(_ name: UnsafeRawBufferPointer, in zone: ZoneState) throws {
    if changes.countsContents,
      let json = try tombstoneJSON(String(decoding: name, as: UTF8.self), in: zone)?.json
    {
      changes.removeContent(Self.hash(of: json), in: zone.scope)
    }
    let delete = try SQLiteStatement.cached(
      "DELETE FROM tombstone WHERE zone = ? AND name = ?", in: db)
    delete.bind(1, zone.id)
    try delete.bindText(2, name)
    try delete.run()
    countRows(.tombstones, try -db.changesCount, in: zone.scope)
  }

  func hasZoneTombstone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Bool {
    try exists("zoneTombstone WHERE \(ZoneID.columns)", zoneID.columns(in: scope))
  }

  func hasIntactZoneTombstone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Bool {
    try db.first(
      "\(CheckedTable.zoneTombstone.select) WHERE \(ZoneID.columns)", zoneID.columns(in: scope)
    ) { $0.isIntact(.zoneTombstone) } ?? false
  }

  func addZoneTombstone(_ tombstone: DeletedZone, in scope: DatabaseScope) throws {
    let zoneID = tombstone.zoneID
    if try !hasZoneTombstone(zoneID, in: scope) { countRows(.zoneTombstones, 1, in: scope) }
    try db.insert(
      zoneID.columns(in: scope) + [changes.next(in: scope), tombstone.reason.rawValue],
      into: .zoneTombstone, or: .replace)
  }

  /// Adds a subscription, or replaces the one with the same identifier. Names are not checked.
  package func write(_ subscription: CloudSubscription, in scope: DatabaseScope) throws {
    let json = try StoreCoding.readableJSON(of: subscription, name: "the subscription")
    let key: [any ColumnValue] = [scope.rank, subscription.subscriptionID]
    if try !exists("subscription WHERE scope = ? AND id = ?", key) {
      countRows(.subscriptions, 1, in: scope)
    }
    try db.insert(key + [changes.next(in: scope), json], into: .subscription, or: .replace)
  }

  private func exists(_ rows: String, _ key: [any ColumnValue]) throws -> Bool {
    try db.integer("SELECT 1 FROM \(rows)", key) != nil
  }

  /// Deletes the subscriptions to a zone, as the server does with the zone.
  func deleteSubscriptions(to zone: ZoneState) throws {
    // A subscription that cannot be read is one to no zone.
    for subscription in try subscriptions(in: zone.scope, damaged: { _ in })
    where subscription.zoneID == zone.zoneID {
      try deleteSubscription(subscription.subscriptionID, in: zone.scope)
    }
  }
}

import GRDB
import RecordModel

extension ContainerWriter {
  /// Builds the index of names if a load has deferred it, and resolves duplicates.
  func settle() throws {
    let store = try store
    guard store.isIdentityDeferred else { return }
    store.isIdentityDeferred = false
    do {
      try store.db.execute(sql: StoreSchema.identityIndex)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      try store.db.execute(sql: "CREATE INDEX recordTwice ON record (zone, name)")
      try settleDuplicates()
      try store.db.execute(sql: "DROP INDEX recordTwice")
      try store.db.execute(sql: StoreSchema.identityIndex)
    }
  }

  /// Resolves the records of each repeated name, in the order in which they were added.
  private func settleDuplicates() throws {
    // The list must not depend on the records that are deleted below.
    try store.db.execute(
      sql: """
        CREATE TEMP TABLE twice AS SELECT zone, name FROM record INDEXED BY recordTwice
        GROUP BY zone, name HAVING count(*) > 1
        """)
    let names = try RawStatement.make(
      """
      SELECT twice.zone, scope, zone.name, owner, twice.name
      FROM twice JOIN zone ON zone.id = twice.zone ORDER BY scope, owner, zone.name, twice.name
      """, in: store.db)
    while try names.step() {
      let zoneID = ZoneID(zoneName: names.string(2), ownerName: names.string(3))
      guard let scope = DatabaseScope(rank: Int(names.int64(1))),
        let zone = try store.zone(zoneID, in: scope)
      else { continue }
      try settle(names.string(4), in: zone)
    }
    names.reset()
    try store.db.execute(sql: "DROP TABLE twice")
  }

  /// Keeps one of the records with a name.
  private func settle(_ recordName: String, in zone: ZoneState) throws {
    let rows = try RawStatement.make(
      """
      SELECT id, type, length(json) FROM record INDEXED BY recordTwice
      WHERE zone = ? AND name = ? ORDER BY id
      """, in: store.db)
    rows.bind(1, zone.id)
    try rows.bind(2, recordName)
    var stored: [StoredRow] = []
    while try rows.step() {
      stored.append(StoredRow(id: rows.int64(0), type: rows.int64(1), bytes: rows.int64(2)))
    }
    rows.reset()
    guard var winner = stored.first else { return }
    stored.removeFirst()
    for incoming in stored {
      let decision = try decide(recordName, in: zone, winner, incoming)
      count(decision)
      if decision == .replace {
        try store.remove(winner, from: zone)
        winner = incoming
      } else {
        try store.remove(incoming, from: zone)
      }
    }
  }

  private func decide(
    _ recordName: String, in zone: ZoneState, _ existing: StoredRow, _ incoming: StoredRow
  ) throws -> Decision {
    let existingType = try store.type(withID: existing.type).name
    let incomingType = try store.type(withID: incoming.type).name
    var recordName = recordName
    return try recordName.withUTF8 { name in
      try store.withPayload(of: existing.id) { existing in
        try store.withPayload(of: incoming.id) { incoming in
          try decide(
            zone, name: UnsafeRawBufferPointer(name), existingType, existing, incomingType,
            incoming)
        }
      }
    }
  }
}

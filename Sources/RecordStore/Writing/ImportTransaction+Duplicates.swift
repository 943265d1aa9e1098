import CSystemSQLite
import RecordModel

extension ImportTransaction {
  /// Builds the index of names if a load has deferred it, and resolves duplicates.
  func resolveDuplicates() throws {
    guard isIdentityDeferred else { return }
    isIdentityDeferred = false
    do {
      try db.execute(StoreSchema.identityIndex)
    } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
      try db.execute("CREATE INDEX recordDuplicate ON record (zone, name)")
      try resolveEach()
      try db.execute("DROP INDEX recordDuplicate")
      try db.execute(StoreSchema.identityIndex)
    }
  }

  /// Resolves the records of each repeated name, in the order in which they were added.
  private func resolveEach() throws {
    // The list must not depend on the records that are deleted below.
    try db.execute(
      """
      CREATE TEMP TABLE duplicate AS SELECT zone, name FROM record INDEXED BY recordDuplicate
      GROUP BY zone, name HAVING count(*) > 1
      """)
    try db.forEachRow(
      """
      SELECT scope, zone.name, owner, duplicate.name
      FROM duplicate JOIN zone ON zone.id = duplicate.zone
      ORDER BY scope, owner, zone.name, duplicate.name
      """
    ) { row in
      let zoneID = row.zoneID(1)
      guard let scope = DatabaseScope(rank: Int(row.int64(0))),
        let zone = try zoneState(zoneID, in: scope)
      else { return }
      try resolve(row.string(3), in: zone)
    }
    try db.execute("DROP TABLE duplicate")
  }

  /// Keeps one of the records with a name.
  private func resolve(_ recordName: String, in zone: ZoneState) throws {
    let stored = try db.all(
      """
      SELECT id, type, length(json) FROM record INDEXED BY recordDuplicate
      WHERE zone = ? AND name = ? ORDER BY id
      """, [zone.id, recordName], StoredRow.init)
    guard var winner = stored.first else { return }
    for incoming in stored.dropFirst() {
      let decision = try decide(recordName, in: zone, winner, incoming)
      count(decision, wasAdded: true)
      if decision == .replace {
        try remove(winner, from: zone)
        winner = incoming
      } else {
        try remove(incoming, from: zone)
      }
    }
  }

  private func decide(
    _ recordName: String, in zone: ZoneState, _ existing: StoredRow, _ incoming: StoredRow
  ) throws -> Decision {
    let existingType = try type(withID: existing.type).name
    let incomingType = try type(withID: incoming.type).name
    var recordName = recordName
    return try recordName.withUTF8 { name in
      try withPayload(of: existing.id) { existing in
        try withPayload(of: incoming.id) { incoming in
          try decide(
            zone, name: UnsafeRawBufferPointer(name), existingType, existing, incomingType,
            incoming)
        }
      }
    }
  }
}

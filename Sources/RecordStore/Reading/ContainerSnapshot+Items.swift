import RecordModel

extension ContainerSnapshot {
  /// Returns the subscriptions of a database, by identifier.
  public func subscriptions(in scope: DatabaseScope) throws -> [CloudSubscription] {
    try subscriptions(in: scope, damaged: leaveOut)
  }

  /// Returns the subscriptions of a database that can be read, by identifier.
  ///
  /// - Parameter damaged: gets the error of each other one.
  package func subscriptions(
    in scope: DatabaseScope, damaged: (ContainerStoreError) throws -> Void
  ) throws -> [CloudSubscription] {
    let subscriptions: [CloudSubscription?] = try db.all(
      "\(CheckedTable.subscription.select) WHERE scope = ? ORDER BY id", [scope.rank]
    ) { try readable($0, .subscription, "subscription '\($0.string(1))'", in: scope, damaged) }
    try checkCount(subscriptions.count, of: .subscriptions, in: scope, damaged)
    return subscriptions.compactMap(\.self)
  }

  /// Returns the errors of the settings, users, zones and subscriptions that cannot be read. All else
  /// can.
  package func damagedMetadata() throws -> [ContainerStoreError] {
    var found = try StoredInfo(from: db).damage
    for scope in DatabaseScope.allCases {
      _ = try zones(in: scope) { found.append($0) }
      _ = try subscriptions(in: scope) { found.append($0) }
    }
    return found
  }

  /// Returns the subscription with an identifier; nil if there is none.
  public func subscription(_ id: String, in scope: DatabaseScope) throws -> CloudSubscription? {
    try db.first(
      "\(CheckedTable.subscription.select) WHERE scope = ? AND id = ?", [scope.rank, id]
    ) { try read($0, .subscription, "subscription '\(id)'", in: scope) }
  }

  /// Calls `body` with the tombstone of each deleted record, by zone and name.
  public func forEachTombstone(
    in scope: DatabaseScope, filter: RecordFilter = .all, _ body: (DeletedRecord) throws -> Void
  ) throws {
    var count = 0
    try db.forEachRow(
      """
      SELECT tombstone.zone, tombstone.name, change, tombstone.json, tombstone.hash
      FROM zone JOIN tombstone ON tombstone.zone = zone.id
      WHERE scope = ? ORDER BY zone.owner, zone.name, tombstone.name
      """, [scope.rank]
    ) { row in
      count += 1
      let tombstone: DeletedRecord? = try readable(
        row, .tombstone, "deleted record '\(row.string(1))'", in: scope, leaveOut)
      if let tombstone, filter.contains(tombstone, database: scope) { try body(tombstone) }
    }
    try checkCount(count, of: .tombstones, in: scope, leaveOut)
  }

  /// Returns the zones that were deleted from a database, by owner and name.
  public func zoneTombstones(in scope: DatabaseScope) throws -> [DeletedZone] {
    let zones: [DeletedZone?] = try db.all(
      "\(CheckedTable.zoneTombstone.select) WHERE scope = ? ORDER BY owner, name", [scope.rank]
    ) { row in
      let zoneID = row.zoneID(1)
      do {
        try checkRow(row, .zoneTombstone, "the deleted zone '\(zoneID)'", in: scope)
      } catch let error as ContainerStoreError {
        try leaveOut(error)
        return nil
      }
      return DeletedZone(zoneID: zoneID, reason: reason(row.string(4)))
    }
    try checkCount(zones.count, of: .zoneTombstones, in: scope, leaveOut)
    return zones.compactMap(\.self)
  }
}

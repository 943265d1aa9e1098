import RecordModel

/// The numbers of a zone that the change feed needs.
package struct ZoneHistory: Sendable, Hashable {
  let id: Int64
  /// The zone.
  package let zoneID: ZoneID
  /// The number of the last change of the zone or its records.
  package let lastChange: Int64
  /// The number of the change that created the zone: nothing is known about an earlier zone with the
  /// same name.
  package let firstChange: Int64
}

/// The version of the records, zones and subscriptions of a container. Two states with the same version
/// have the same.
package struct ContentVersion: Sendable, Equatable {
  /// The object that no other container has, now or later.
  fileprivate let container: InfoCache
  fileprivate let changes: [ChangeCounters]

  package static func == (a: Self, b: Self) -> Bool {
    a.container === b.container && a.changes == b.changes
  }

  /// Whether the change feed has all changes since an earlier version.
  package func continues(_ earlier: ContentVersion) -> Bool {
    container === earlier.container
      && changes.map(\.contentID) == earlier.changes.map(\.contentID)
      && changes.map(\.firstShared) == earlier.changes.map(\.firstShared)
  }
}

/// A place in the history of a zone.
package struct ChangePosition: Sendable, Hashable {
  /// The number of the last change that was read.
  package var change: Int64
  /// The name of the last record that was read, if more records have the same number; they are read
  /// by name. Records of an import may have the same number.
  package var name: String?

  package init(change: Int64 = 0, name: String? = nil) {
    self.change = change
    self.name = name
  }

  /// Whether a position with a name comes after this one.
  package func precedes(_ other: ChangePosition) -> Bool {
    if change != other.change { return change < other.change }
    guard let name, let otherName = other.name else { return false }
    return compareUTF8(name, otherName) < 0
  }
}

/// A record that was saved or deleted.
package enum StoredChange: Sendable {
  /// The record as it is now.
  case saved(ResultRecord)
  /// The record was deleted, and not saved again.
  case deleted(DeletedRecord)
  /// The record, or its deletion, cannot be read: it is damaged, or a record that decides about it is.
  case unreadable(RecordID, ContainerStoreError)
}

extension ContainerSnapshot {
  package func version() throws -> ContentVersion {
    ContentVersion(
      container: infoCache, changes: try DatabaseScope.allCases.map { try changes(of: $0) })
  }

  /// Returns the history of a zone; nil if the zone does not exist.
  package func history(of zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneHistory? {
    try db.first(
      "\(CheckedTable.zone.select) WHERE \(ZoneID.columns)", zoneID.columns(in: scope)
    ) { try history(in: $0, of: scope) }
  }

  /// Returns the histories of all zones of a database that have changed after a number, by their
  /// last change, owner and name. Nothing is known about the history of a damaged zone.
  package func histories(in scope: DatabaseScope, after change: Int64) throws -> [ZoneHistory] {
    try db.all(
      """
      \(CheckedTable.zone.select) WHERE scope = ? AND lastChange > ?
      ORDER BY lastChange, owner, name
      """, [scope.rank, change]
    ) { $0.isIntact(.zone) ? try history(in: $0, of: scope) : nil }.compactMap(\.self)
  }

  /// Returns the zones of a database that have changed after a number, with the number of their last
  /// change; a damaged zone may have another one.
  package func changedZones(
    in scope: DatabaseScope, after change: Int64
  ) throws -> [(zoneID: ZoneID, change: Int64, isDamaged: Bool)] {
    try db.all(
      "\(CheckedTable.zone.select) WHERE scope = ? AND lastChange > ?", [scope.rank, change]
    ) { row in
      (
        row.zoneID(2), row.int64(4),
        !row.isIntact(.zone)
      )
    }
  }

  /// Reads the history of a zone from a row of the table `zone`.
  private func history(in row: SQLiteStatement, of scope: DatabaseScope) throws -> ZoneHistory {
    let zoneID = row.zoneID(2)
    guard row.isIntact(.zone) else {
      throw unreadable("zone '\(zoneID)'", in: scope, ContainerStoreError.otherChecksum)
    }
    return ZoneHistory(
      id: row.int64(0), zoneID: zoneID, lastChange: row.int64(4), firstChange: row.int64(5))
  }

  /// Returns the zones that were deleted after a change, with its number, by that, owner and name.
  package func deletedZones(
    in scope: DatabaseScope, after change: Int64
  ) throws -> [(tombstone: DeletedZone, change: Int64)] {
    try db.all(
      """
      \(CheckedTable.zoneTombstone.select)
      WHERE scope = ? AND change > ? ORDER BY change, owner, name
      """, [scope.rank, change]
    ) { row -> (tombstone: DeletedZone, change: Int64)? in
      // Of a damaged row, it is still known that there is no zone of that name.
      let zoneID = row.zoneID(1)
      guard try row.isIntact(.zoneTombstone) || zoneRow(zoneID, in: scope) == nil else {
        return nil
      }
      return (DeletedZone(zoneID: zoneID, reason: reason(row.string(4))), row.int64(3))
    }.compactMap(\.self)
  }

  /// Returns the tombstone of a zone; nil if it was not deleted, or exists again.
  package func tombstone(of zoneID: ZoneID, in scope: DatabaseScope) throws -> DeletedZone? {
    try db.first(
      "SELECT reason FROM zoneTombstone WHERE \(ZoneID.columns)", zoneID.columns(in: scope)
    ) { DeletedZone(zoneID: zoneID, reason: reason($0.string(0))) }
  }

  func reason(_ word: String) -> DeletedZone.Reason {
    DeletedZone.Reason(rawValue: word) ?? .deleted
  }

  /// Calls `body` with the changes of a zone after a position, in the order of their numbers, until
  /// it returns false. Each record comes once, with its last change.
  ///
  /// - Parameter body: gets the change and the position after it.
  package func forEachChange(
    of zone: ZoneHistory, in scope: DatabaseScope, after position: ChangePosition,
    _ body: (StoredChange, ChangePosition) throws -> Bool
  ) throws {
    let records = try rows(of: .record, zone, position)
    defer { records.reset() }
    let tombstones = try rows(of: .tombstone, zone, position)
    defer { tombstones.reset() }
    var (hasRecord, hasTombstone) = (try records.step(), try tombstones.step())
    var goesOn = true
    while goesOn, hasRecord || hasTombstone {
      if hasRecord, !hasTombstone || isFirst(records, before: tombstones) {
        let position = ChangePosition(change: records.int64(3), name: records.string(2))
        goesOn = try body(savedChange(records, of: zone, in: scope), position)
        hasRecord = try records.step()
      } else {
        let position = ChangePosition(change: tombstones.int64(2), name: tombstones.string(1))
        goesOn = try body(deletion(tombstones, of: zone, in: scope), position)
        hasTombstone = try tombstones.step()
      }
    }
  }

  /// Reads a change from a row of the table `record`.
  private func savedChange(
    _ row: SQLiteStatement, of zone: ZoneHistory, in scope: DatabaseScope
  ) throws -> StoredChange {
    do {
      return .saved(try record(of: row, inZone: zone.zoneID, of: scope))
    } catch let error as ContainerStoreError where error.recordID != nil {
      return .unreadable(row.recordID(2, in: zone.zoneID), error)
    }
  }

  /// Reads a change from the row of a tombstone.
  private func deletion(
    _ row: SQLiteStatement, of zone: ZoneHistory, in scope: DatabaseScope
  ) throws -> StoredChange {
    do {
      return .deleted(try read(row, .tombstone, "deleted record '\(row.string(1))'", in: scope))
    } catch let error as ContainerStoreError where error.code == .damaged {
      return .unreadable(row.recordID(1, in: zone.zoneID), error)
    }
  }

  /// Returns the last changes of a zone between two positions, the last one first.
  ///
  /// - Parameters:
  ///   - start: the position before the first change.
  ///   - end: the position of the change after the last one; nil for the end of the history.
  ///   - limit: The maximum number of changes.
  package func newestChanges(
    of zone: ZoneHistory, in scope: DatabaseScope, after start: ChangePosition = ChangePosition(),
    before end: ChangePosition? = nil, limit: Int
  ) throws -> [(change: StoredChange, position: ChangePosition)] {
    let end = end ?? ChangePosition(change: .max)
    // A position without a name is after all changes with its number.
    let condition = """
      WHERE zone = ?1 AND (change, name) < (?2, ?3)
      AND \(start.name == nil ? "change > ?4" : "(change, name) > (?4, ?5)")
      ORDER BY change DESC, name DESC LIMIT ?6
      """
    let values: [any ColumnValue] = [
      zone.id, end.change, end.name ?? "", start.change, start.name ?? "", Int64(limit),
    ]
    var found: [(change: StoredChange, position: ChangePosition)] = try db.all(
      "\(CheckedTable.record.select) \(condition)", values
    ) { row in
      let position = ChangePosition(change: row.int64(3), name: row.string(2))
      return (try savedChange(row, of: zone, in: scope), position)
    }
    found += try db.all("\(CheckedTable.tombstone.select) \(condition)", values) { row in
      let position = ChangePosition(change: row.int64(2), name: row.string(1))
      return (try deletion(row, of: zone, in: scope), position)
    }
    found.sort { $1.position.precedes($0.position) }
    return Array(found.prefix(limit))
  }

  /// Returns the last changes of the records in all zones of a database, the last one first.
  ///
  /// - Parameter limit: The maximum number of changes.
  package func newestChanges(
    in scope: DatabaseScope, limit: Int
  ) throws -> [(zoneID: ZoneID, change: StoredChange, position: ChangePosition)] {
    var newest: [(zoneID: ZoneID, change: StoredChange, position: ChangePosition)] = []
    // The tags of an import are its numbers: there may be gaps, and many records with one number.
    for zone in try histories(in: scope, after: .min).reversed() {
      // Of other zones, only changes count that are newer than all that would be returned.
      var start = ChangePosition()
      if newest.count == limit, let last = newest.last { start.change = last.position.change }
      guard zone.lastChange >= start.change else { break }
      newest += try newestChanges(of: zone, in: scope, after: start, limit: limit).map {
        (zone.zoneID, $0.change, $0.position)
      }
      newest = Array(newest.sorted { $0.position.change > $1.position.change }.prefix(limit))
    }
    return newest
  }

  /// Returns the counters of a database's changes. Those of the shared database include those of the
  /// private one: it has the zones that accounts see in their shared databases.
  package func changes(of scope: DatabaseScope) throws -> ChangeCounters {
    var changes = try DatabaseRow.readable(scope, from: db).changes
    changes.last = try lastChange(in: scope)
    if scope == .private {
      // Both databases have one counter, so the last number of either was known when both were filled.
      let shared = try DatabaseRow.readable(.shared, from: db).changes
      changes.loaded = max(changes.loaded, shared.loaded)
    }
    if scope == .shared {
      let own = try DatabaseRow.readable(.private, from: db).changes
      changes.loaded = max(changes.loaded, own.loaded)
      changes.historyID = changes.contentID &* 31 &+ own.historyID
      changes.contentID = changes.contentID &* 31 &+ own.contentID
      changes.firstShared = max(changes.firstShared, own.firstShared)
    }
    return changes
  }

  private func rows(
    of table: CheckedTable, _ zone: ZoneHistory, _ position: ChangePosition
  ) throws -> SQLiteStatement {
    // Without a name, all records with the number of the position were read. The pair is compared at
    // once, so that the index leads to its place among many with the same number.
    let (change, name) = (position.change, position.name)
    let rows = try SQLiteStatement.make(
      """
      \(table.select)
      WHERE zone = ?1 AND \(name == nil ? "change > ?2" : "(change, name) > (?2, ?3)")
      ORDER BY change, name
      """, in: db)
    rows.bind(1, zone.id)
    rows.bind(2, change)
    if let name { try rows.bind(3, name) }
    return rows
  }

  private func isFirst(_ record: SQLiteStatement, before tombstone: SQLiteStatement) -> Bool {
    let (left, right) = (record.int64(3), tombstone.int64(2))
    return left < right
      || left == right && compareBytes(record.bytes(2), tombstone.bytes(1)) < 0
  }
}

extension ContainerStore {
  /// Calls `body` with the state of the container, as ``snapshot(_:)`` does. Makes the indexes by which
  /// changes are found before, if the container does not have them and can be changed. Without them,
  /// all records of a zone are read.
  ///
  /// - Throws: ``MissingIndex`` in place of making them, unless `makesIndexes`.
  package func changes<T>(
    makesIndexes: Bool = true, _ body: (ContainerSnapshot) throws -> T
  ) throws -> T {
    // Another process may remove them in between.
    for _ in 0..<3 where !isReadOnly {
      let result = try snapshot { try $0.hasIndex("recordChange") ? body($0) : nil }
      if let result { return result }
      guard makesIndexes else { throw MissingIndex.changes }
      try make(.changes)
    }
    return try snapshot(body)
  }
}

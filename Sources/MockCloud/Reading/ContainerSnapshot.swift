import Foundation
import GRDB
import RecordCoding
import RecordModel

/// A container as it was at one moment: everything read through one snapshot belongs together,
/// whatever is saved meanwhile.
///
/// ``MockContainer/snapshot(_:)`` hands one out; it is valid within that call, on its thread.
public final class ContainerSnapshot {
  /// Nil once the call has ended.
  private var open: Database?
  private let reader = RecordJSONReader()

  init(_ db: Database) { open = db }

  /// What is read from.
  ///
  /// - Throws: ``MockContainerError/closed`` where the snapshot has left its closure.
  var db: Database {
    get throws(MockContainerError) {
      guard let open else { throw .closed }
      return open
    }
  }

  /// Ends the snapshot.
  func end() { open = nil }

  /// What the container says about itself.
  public func info() throws -> ContainerInfo { try ContainerInfo.read(from: db) }

  // MARK: Zones and types

  /// The zones of a database, by name and owner.
  public func zones(in scope: DatabaseScope) throws -> [RecordZone] {
    let rows = try RawStatement.make(
      "SELECT name, json FROM zone WHERE scope = ? ORDER BY name, owner", in: db)
    rows.bind(1, Int64(scope.rank))
    var zones: [RecordZone] = []
    while try rows.step() {
      zones.append(
        try StoreCoding.read(RecordZone.self, from: rows.bytes(1), name: "zone '\(rows.string(0))'")
      )
    }
    return zones
  }

  /// One zone; nil where it is not there.
  public func zone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> RecordZone? {
    let row = try RawStatement.make(
      "SELECT json FROM zone WHERE scope = ? AND name = ? AND owner = ?", in: db)
    row.bind(1, Int64(scope.rank))
    try row.bind(2, zoneID.zoneName)
    try row.bind(3, zoneID.ownerName)
    guard try row.step() else { return nil }
    return try StoreCoding.read(RecordZone.self, from: row.bytes(0), name: "zone '\(zoneID)'")
  }

  func zoneRow(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Int64? {
    try db.value(
      as: Int64.self, "SELECT id FROM zone WHERE scope = ? AND name = ? AND owner = ?",
      [scope.rank, zoneID.zoneName, zoneID.ownerName])
  }

  /// The record types of a database zone by zone, with the number and size of their records.
  public func recordTypes(in scope: DatabaseScope) throws -> [RecordTypeSummary] {
    var summaries: [RecordTypeSummary] = []
    try forEachSection(in: scope, .all) { section in
      summaries.append(
        RecordTypeSummary(
          zoneID: section.zoneID, recordType: section.recordType,
          recordCount: Int(section.records), byteCount: section.bytes))
    }
    return summaries
  }

  // MARK: Single records

  /// The record of that identity; nil where there is none.
  public func record(for recordID: RecordID, in scope: DatabaseScope) throws -> ResultRecord? {
    guard let zone = try zoneRow(recordID.zoneID, in: scope) else { return nil }
    return try record(named: recordID.recordName, inZone: zone)
  }

  func record(named name: String, inZone zone: Int64) throws -> ResultRecord? {
    let row = try RawStatement.cached(
      "SELECT json FROM record WHERE zone = ? AND name = ?", in: db)
    defer { row.reset() }
    row.bind(1, zone)
    try row.bind(2, name)
    guard try row.step() else { return nil }
    return try record(from: row.bytes(0), name: name)
  }

  func record(from payload: UnsafeRawBufferPointer, name: String) throws -> ResultRecord {
    try StoreCoding.record(payload, by: reader, name: name)
  }

  // MARK: What else a database holds

  /// The subscriptions of a database, by identity.
  public func subscriptions(in scope: DatabaseScope) throws -> [Subscription] {
    let rows = try RawStatement.make(
      "SELECT id, json FROM subscription WHERE scope = ? ORDER BY id", in: db)
    rows.bind(1, Int64(scope.rank))
    var subscriptions: [Subscription] = []
    while try rows.step() {
      subscriptions.append(
        try StoreCoding.read(
          Subscription.self, from: rows.bytes(1), name: "subscription '\(rows.string(0))'"))
    }
    return subscriptions
  }

  /// The subscription of that identity; nil where there is none.
  public func subscription(_ id: String, in scope: DatabaseScope) throws -> Subscription? {
    let row = try RawStatement.make(
      "SELECT json FROM subscription WHERE scope = ? AND id = ?", in: db)
    row.bind(1, Int64(scope.rank))
    try row.bind(2, id)
    guard try row.step() else { return nil }
    return try StoreCoding.read(
      Subscription.self, from: row.bytes(0), name: "subscription '\(id)'")
  }

  /// Calls `body` with what is left of each deleted record, by zone and name.
  public func forEachTombstone(
    in scope: DatabaseScope, filter: RecordFilter = .all, _ body: (Tombstone) throws -> Void
  ) throws {
    let rows = try RawStatement.make(
      """
      SELECT tombstone.name, tombstone.json FROM zone JOIN tombstone ON tombstone.zone = zone.id
      WHERE scope = ? ORDER BY zone.name, zone.owner, tombstone.name
      """, in: db)
    rows.bind(1, Int64(scope.rank))
    while try rows.step() {
      let tombstone = try StoreCoding.read(
        Tombstone.self, from: rows.bytes(1), name: "deleted record '\(rows.string(0))'")
      if filter.contains(tombstone, database: scope) { try body(tombstone) }
    }
  }

  /// The zones that were deleted from a database, by name and owner.
  public func zoneTombstones(in scope: DatabaseScope) throws -> [ZoneID] {
    let rows = try RawStatement.make(
      "SELECT name, owner FROM zoneTombstone WHERE scope = ? ORDER BY name, owner", in: db)
    rows.bind(1, Int64(scope.rank))
    var zones: [ZoneID] = []
    while try rows.step() {
      zones.append(ZoneID(zoneName: rows.string(0), ownerName: rows.string(1)))
    }
    return zones
  }

  /// The number of the last change of a database: each save and each deletion takes the next.
  public func lastChange(in scope: DatabaseScope) throws -> Int64 {
    try db.value(as: Int64.self, "SELECT lastChange FROM database WHERE scope = ?", [scope.rank])
      ?? 0
  }
}

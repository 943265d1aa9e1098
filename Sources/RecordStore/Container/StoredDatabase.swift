import Foundation
import RecordModel

/// A database in a store: its zones, records and subscriptions, read and changed without the rules of
/// the server.
///
/// Each call is one transaction. Errors of CloudKit are `CloudError`, others
/// ``ContainerStoreError``.
public struct StoredDatabase: Sendable {
  /// The container of the database.
  public let container: ContainerStore
  /// The scope of the database.
  public let scope: DatabaseScope

  // MARK: Zones

  /// Returns the zones of the database, by owner and name.
  public func zones() throws -> [RecordZone] {
    try container.snapshot { try $0.zones(in: scope) }
  }

  /// Returns a zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`.
  public func zone(for zoneID: ZoneID) throws -> RecordZone {
    try container.snapshot { snapshot in
      guard let zone = try snapshot.zone(zoneID, in: scope) else {
        throw CloudError.zoneNotFound(zoneID, in: scope)
      }
      return zone
    }
  }

  /// Saves zones. An existing zone keeps its records.
  ///
  /// - Throws: CloudKit's `invalidArguments` for an invalid name.
  public func save(_ zones: [RecordZone]) throws {
    try container.transaction { transaction in
      for zone in zones { try transaction.save(zone, in: scope) }
    }
  }

  /// Deletes a zone with all its records, and leaves a tombstone of the zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`; `invalidArguments` for the default zone.
  public func deleteZone(_ zoneID: ZoneID) throws {
    try container.transaction { try $0.deleteZone(zoneID, in: scope) }
  }

  /// Returns the IDs of deleted zones, by owner and name.
  public func zoneTombstones() throws -> [DeletedZone] {
    try container.snapshot { try $0.zoneTombstones(in: scope) }
  }

  /// Returns the record types of each zone, with the number and size of their records.
  public func recordTypes() throws -> [RecordTypeSummary] {
    try container.snapshot { try $0.recordTypes(in: scope) }
  }

  // MARK: Subscriptions

  /// Returns the subscriptions of the database, by identifier.
  public func subscriptions() throws -> [CloudSubscription] {
    try container.snapshot { try $0.subscriptions(in: scope) }
  }

  /// Saves subscriptions, and replaces those with the same identifier.
  ///
  /// - Throws: CloudKit's `invalidArguments` for an invalid name.
  public func save(_ subscriptions: [CloudSubscription]) throws {
    try container.transaction { transaction in
      for subscription in subscriptions { try transaction.save(subscription, in: scope) }
    }
  }

  /// Deletes subscriptions. Those that do not exist are ignored.
  public func deleteSubscriptions(_ ids: [String]) throws {
    try container.transaction { transaction in
      for id in ids { try transaction.deleteSubscription(id, in: scope) }
    }
  }
}

extension StoredDatabase {
  /// Returns the record with an ID.
  ///
  /// - Throws: CloudKit's `zoneNotFound` or `unknownItem`.
  public func record(for recordID: RecordID) throws -> ResultRecord {
    try container.snapshot { try result(for: recordID, in: $0).get() }
  }

  /// Returns the record or the error for each ID.
  public func records(
    for recordIDs: [RecordID]
  ) throws -> [RecordID: Result<ResultRecord, CloudError>] {
    try container.snapshot { snapshot in
      var results: [RecordID: Result<ResultRecord, CloudError>] = [:]
      for recordID in recordIDs where results[recordID] == nil {
        results[recordID] = try result(for: recordID, in: snapshot)
      }
      return results
    }
  }

  private func result(
    for recordID: RecordID, in snapshot: ContainerSnapshot
  ) throws -> Result<ResultRecord, CloudError> {
    if let record = try snapshot.record(for: recordID, in: scope) { return .success(record) }
    return try snapshot.hasZone(recordID.zoneID, in: scope)
      ? .failure(.unknownItem(recordID, in: scope))
      : .failure(.zoneNotFound(recordID.zoneID, in: scope))
  }

  /// Calls `body` with each record in canonical order (zone, type, name), one at a time.
  public func forEachRecord(
    _ filter: RecordFilter = .all, _ body: (ResultRecord) throws -> Void
  ) throws {
    try container.snapshot { try $0.forEachRecord(in: scope, filter: filter, body) }
  }

  /// Saves drafts: creates the records, or replaces them completely.
  ///
  /// Each record gets the next change tag and the time of the save. The content of assets is read
  /// and stored; an asset without content must be one that the container stores, or that the record
  /// had before. Either all drafts are saved, or none.
  ///
  /// - Parameters:
  ///   - drafts: the records to save; of two with the same ID, the later one counts.
  ///   - user: the record name of the saving user; nil for the container's signed-in user.
  ///   - deviceID: the identifier of the saving device.
  /// - Returns: the saved records, in the order of the drafts.
  /// - Throws: CloudKit's `zoneNotFound` or `assetFileNotFound`; `invalidArguments` or
  ///   `limitExceeded` for a draft that exceeds a limit.
  @discardableResult
  public func save(
    _ drafts: [DraftRecord], savingAs user: String? = nil, deviceID: String? = nil
  ) throws -> [ResultRecord] {
    try container.transaction {
      try $0.save(drafts, in: scope, savingAs: user, deviceID: deviceID)
    }
  }

  /// Deletes records, and leaves a tombstone of each. Records that do not exist are ignored.
  ///
  /// - Returns: the IDs of the deleted records.
  /// - Throws: CloudKit's `zoneNotFound`; nothing is deleted then.
  @discardableResult
  public func deleteRecords(_ recordIDs: [RecordID]) throws -> [RecordID] {
    try container.transaction { transaction in
      try recordIDs.filter { try transaction.delete($0, in: scope) }
    }
  }

  /// Returns the tombstones of deleted records, by zone and name.
  public func tombstones() throws -> [DeletedRecord] {
    try container.snapshot { snapshot in
      var tombstones: [DeletedRecord] = []
      try snapshot.forEachTombstone(in: scope) { tombstones.append($0) }
      return tombstones
    }
  }
}

extension CloudError {
  /// The error for a zone that a database does not have.
  package static func zoneNotFound(_ zoneID: ZoneID, in scope: DatabaseScope) -> CloudError {
    CloudError(.zoneNotFound, "zone '\(zoneID)' is not in the \(scope.rawValue) database")
  }

  /// The error for a record that a database does not have.
  package static func unknownItem(_ recordID: RecordID, in scope: DatabaseScope) -> CloudError {
    CloudError(.unknownItem, "record '\(recordID)' is not in the \(scope.rawValue) database")
  }
}

extension ContainerSnapshot {
  /// Returns the error for a zone that a database does not have: `userDeletedZone` if the user has
  /// purged it, and `zoneNotFound` otherwise, which says whether the user reset their encrypted data.
  ///
  /// Sources: Apple's documentation of `CKError.Code.userDeletedZone`; the message in Seam3 #72;
  /// <https://developer.apple.com/documentation/cloudkit/encrypting-user-data>.
  ///
  /// - Throws: the error of a zone that cannot be read, if one may have this name: an app deletes its
  ///   copy of a zone that does not exist.
  package func missingZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> CloudError {
    let tombstone = try tombstone(of: zoneID, in: scope)
    guard try tombstone != nil || !lacksZones(in: scope) else {
      throw unreadable(
        "zone '\(zoneID)'", in: scope,
        "it is not found, but the row of a zone is damaged or missing")
    }
    let reason = tombstone?.reason
    if reason == .purged { return CloudError(.userDeletedZone, "Zone was purged by user") }
    var error = CloudError.zoneNotFound(zoneID, in: scope)
    error.userDidResetEncryptedData = reason == .encryptedDataReset
    return error
  }

  /// Whether a subscription of a database may exist without being found.
  package func lacksSubscriptions(in scope: DatabaseScope) throws -> Bool {
    let areNamed = try db.all(
      "SELECT scope, id, change, json, hash FROM subscription WHERE scope = ?", [scope.rank]
    ) { row in
      guard !row.isIntact(0..<4),
        let subscription = try? StoreCoding.read(
          CloudSubscription.self, from: row.bytes(3), name: "")
      else { return true }
      return subscription.subscriptionID == row.string(1)
    }
    let counts = (try? DatabaseRow.read(scope, from: db))?.counts
    return areNamed.contains(false)
      || hasCounts && counts.map { $0[.subscriptions] != areNamed.count } ?? false
  }

  /// Whether a zone of a database may exist without being found. A snapshot looks once.
  package func lacksZones(in scope: DatabaseScope) throws -> Bool {
    if let known = lacksZones[scope] { return known }
    let areNamed = try db.all(
      "SELECT \(Self.zoneColumns) FROM zone WHERE scope = ?", [scope.rank]
    ) { row in
      guard !row.isIntact(0..<7),
        let zone = try? StoreCoding.read(RecordZone.self, from: row.bytes(6), name: "")
      else { return true }
      return zone.zoneID == ZoneID(zoneName: row.string(2), ownerName: row.string(3))
    }
    let result =
      try areNamed.contains(false)
      || expectedZones(in: scope).map { $0 != areNamed.count } ?? false
    lacksZones[scope] = result
    return result
  }
}

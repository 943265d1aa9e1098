import Foundation
import RecordCoding
import RecordModel

/// Saves and deletions in the databases of a container that take effect together. Each sees those
/// before it.
///
/// It is valid during the call that provides it, on its thread.
package struct ContainerTransaction {
  let writer: StoreWriter
  private let limits: RecordLimits
  private let date: Date

  init(_ writer: StoreWriter, limits: RecordLimits, date: Date) {
    self.writer = writer
    self.limits = limits
    self.date = date.wholeMilliseconds
  }

  /// Returns the metadata of the container.
  package func info() throws -> ContainerInfo { try writer.info() }

  /// Replaces the metadata of the container.
  package func setInfo(_ info: ContainerInfo) throws { try writer.setInfo(info) }

  /// Whether a database has a zone.
  package func hasZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Bool {
    try writer.zone(zoneID, in: scope) != nil
  }

  /// Calls `body` with what the transaction sees.
  package func reading<T>(_ body: (ContainerSnapshot) throws -> T) rethrows -> T {
    try body(writer.snapshot)
  }

  /// Returns a record; nil if it or its zone does not exist.
  package func record(_ recordID: RecordID, in scope: DatabaseScope) throws -> ResultRecord? {
    try stored(recordID, in: scope)?.record
  }

  /// Returns a record with its row; nil if it or its zone does not exist.
  package func stored(_ recordID: RecordID, in scope: DatabaseScope) throws -> StoredRecord? {
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else { return nil }
    return try writer.stored(recordID, in: zone)
  }

  /// Whether a record exists.
  package func contains(_ recordID: RecordID, in scope: DatabaseScope) throws -> Bool {
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else { return false }
    return try writer.find(recordID, in: zone) != nil
  }

  /// Whether a record was deleted, and not saved again.
  package func isDeleted(_ recordID: RecordID, in scope: DatabaseScope) throws -> Bool {
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else { return false }
    return try writer.hasTombstone(recordID.recordName, in: zone)
  }

  /// Returns the number of records in a zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`.
  package func recordCount(in zoneID: ZoneID, of scope: DatabaseScope) throws -> Int {
    try writer.recordCount(of: zone(zoneID, in: scope))
  }

  /// Saves a zone. An existing zone keeps its records.
  ///
  /// - Throws: CloudKit's `invalidArguments` for an invalid name.
  package func save(_ zone: RecordZone, in scope: DatabaseScope) throws {
    try NameCheck(limits: limits).check(zone.zoneID)
    try writer.save(zone, in: scope)
  }

  /// Saves drafts: creates the records, or replaces them completely.
  ///
  /// - Throws: like ``StoredDatabase/save(_:savingAs:deviceID:)``.
  package func save(
    _ drafts: [DraftRecord], in scope: DatabaseScope, savingAs user: String? = nil,
    deviceID: String? = nil
  ) throws -> [ResultRecord] {
    for draft in drafts { try limits.check(draft) }
    let saver = try saver(in: scope, user: user, deviceID: deviceID)
    return try drafts.map { try saver.save($0) }
  }

  /// Returns a saver for drafts that were checked, all with the same stamp.
  ///
  /// - Parameter user: the record name of the saving user; nil for the signed-in user.
  package func saver(
    in scope: DatabaseScope, user: String? = nil, deviceID: String? = nil
  ) throws -> DraftSaver {
    let user = try user ?? info().currentUserRecordName
    let stamp = RecordStamp(
      date: date, userRecordName: user ?? ZoneID.currentUserOwnerName, deviceID: deviceID)
    return DraftSaver(writer: writer, scope: scope, stamp: stamp, limits: limits)
  }

  /// Returns the records that refer to a record of the same zone, by name. An index finds them, which
  /// the first call makes.
  ///
  /// - Parameter kind: `parent` or `owner`.
  package func records(
    referringTo recordID: RecordID, as kind: RecordIndex.Kind, in scope: DatabaseScope
  ) throws -> [RecordID] {
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else { return [] }
    return try writer.names(of: kind, to: recordID, in: zone)
      .map { RecordID(recordName: $0, zoneID: recordID.zoneID) }
  }

  /// Returns the shares of a zone that a user has accepted, by name.
  package func shares(
    acceptedBy user: String, in zoneID: ZoneID, of scope: DatabaseScope
  ) throws -> [RecordID] {
    guard let zone = try writer.zone(zoneID, in: scope) else { return [] }
    return try writer.shares(acceptedBy: user, in: zone)
      .map { RecordID(recordName: $0, zoneID: zoneID) }
  }

  /// Returns all zones of a database, by owner and name.
  package func zones(in scope: DatabaseScope) throws -> [ZoneID] {
    try writer.db.all(
      "SELECT name, owner FROM zone WHERE scope = ? ORDER BY owner, name", [scope.rank]
    ) { ZoneID(zoneName: $0.string(0), ownerName: $0.string(1)) }
  }

  /// Returns the records of a type in a zone, by name.
  package func recordIDs(
    ofType recordType: String, in zoneID: ZoneID, of scope: DatabaseScope
  ) throws -> [RecordID] {
    try writer.db.all(
      """
      SELECT record.name FROM zone JOIN record ON record.zone = zone.id
        JOIN recordType ON recordType.id = record.type
      WHERE \(ZoneID.qualifiedColumns) AND recordType.name = ? AND EXISTS (
        SELECT 1 FROM section WHERE section.zone = zone.id AND section.type = recordType.id)
      ORDER BY record.name
      """, zoneID.columns(in: scope) + [recordType]
    ) { RecordID(recordName: $0.string(0), zoneID: zoneID) }
  }

  /// Returns a zone; nil if it does not exist.
  package func zone(withID zoneID: ZoneID, in scope: DatabaseScope) throws -> RecordZone? {
    try writer.snapshot.zone(zoneID, in: scope)
  }

  /// Returns the subscriptions of a database, by identifier.
  package func subscriptions(in scope: DatabaseScope) throws -> [CloudSubscription] {
    try writer.snapshot.subscriptions(in: scope)
  }

  /// Adds a subscription, or replaces the one with the same identifier.
  package func save(_ subscription: CloudSubscription, in scope: DatabaseScope) throws {
    try writer.save(subscription, in: scope)
  }

  /// Deletes a subscription if it exists.
  package func deleteSubscription(_ id: String, in scope: DatabaseScope) throws {
    try writer.deleteSubscription(id, in: scope)
  }

  /// Deletes a record, and leaves its tombstone.
  ///
  /// - Returns: whether it existed.
  /// - Throws: CloudKit's `zoneNotFound`.
  package func delete(_ recordID: RecordID, in scope: DatabaseScope) throws -> Bool {
    try writer.delete(recordID, in: zone(recordID.zoneID, in: scope), at: date)
  }

  /// Deletes a zone with all its records and the subscriptions to it, and leaves a tombstone of the
  /// zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`; `invalidArguments` for the default zone.
  package func deleteZone(
    _ zoneID: ZoneID, in scope: DatabaseScope, for reason: DeletedZone.Reason = .deleted
  ) throws {
    guard !zoneID.isDefault else {
      throw CloudError(.invalidArguments, "the default zone cannot be deleted")
    }
    try writer.delete(zone(zoneID, in: scope))
    try writer.addZoneTombstone(DeletedZone(zoneID: zoneID, reason: reason), in: scope)
  }

  private func zone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState {
    guard let zone = try writer.zone(zoneID, in: scope) else {
      throw CloudError.zoneNotFound(zoneID, in: scope)
    }
    return zone
  }
}

extension ContainerStore {
  /// Changes the container in one transaction, which is rolled back if `body` throws.
  ///
  /// - Parameters:
  ///   - isLarge: Whether the transaction may fill the disk. If it does, its log is removed.
  ///   - limits: The limits that saves are checked against; nil for those of the store.
  ///   - date: The time of the transaction; nil for that of the store's clock.
  package func changing<T>(
    isLarge: Bool = false, limits: RecordLimits? = nil, at date: Date? = nil,
    _ body: (ContainerTransaction) throws -> T
  ) throws -> T {
    try write(isLarge: isLarge) { writer in
      try body(
        ContainerTransaction(writer, limits: limits ?? self.limits, date: date ?? now()))
    }
  }

  /// Creates a container file with the saves of one transaction. The file appears when it is
  /// complete, or, if `body` throws, not at all.
  ///
  /// - Throws: the error of `body`, or ``ContainerStoreError``.
  package static func create<T>(
    path: String, info: ContainerInfo, limits: RecordLimits = .cloudKit, now: Date = Date(),
    _ body: (ContainerTransaction) throws -> T
  ) throws -> T {
    try buildFile(path: path, info: info) { db in
      let writer = try StoreWriter(db)
      let result = try body(ContainerTransaction(writer, limits: limits, date: now))
      try writer.finish()
      return result
    }
  }
}

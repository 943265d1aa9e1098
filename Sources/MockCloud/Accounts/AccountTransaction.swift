import RecordModel
import RecordStore

/// A database as one user sees it, in the transaction of a request of the user.
///
/// Unlike ``AccountSnapshot``, its functions for records do not look at shares: the rules do.
final class AccountTransaction: AccountSnapshot {
  let container: ContainerTransaction
  /// The stamp of all records that the request saves.
  private let stamp: RecordStamp

  /// - Parameter deviceID: the device that sent the request.
  init(
    _ container: ContainerTransaction, of database: DatabaseKey, from deviceID: String? = nil
  ) throws {
    self.container = container
    let user = try database.account ?? container.info().signedInUserRecordName
    stamp = try container.stamp(user: user, deviceID: deviceID)
    try super.init(container, of: database)
  }

  /// Returns the user's access to the zones of others, as it is now.
  override func access() -> ShareAccess { ShareAccess(of: view.user, in: base) }

  /// Returns the user's access to the zones of others without some shares.
  func access(leaving shares: [RecordID]) -> ShareAccess {
    let stored = shares.compactMap { view.location(of: $0)?.recordID }
    return ShareAccess(of: view.user, in: base, leaving: Set(stored))
  }

  // MARK: Zones

  /// Saves a zone in the container.
  func save(_ zone: RecordZone) throws {
    guard let location = view.location(of: zone.zoneID) else {
      throw CloudError.zoneNotFound(zone.zoneID, in: scope)
    }
    try container.save(view.inContainer(zone), in: location.database)
  }

  /// Returns the number of zones that the user has created.
  func createdZones() throws -> Int {
    try base.createdZones(of: view.inContainer(ZoneID.default).ownerName, in: scope)
  }

  /// Returns a zone; nil if the user does not see it, or it cannot be read.
  func readableZone(_ zoneID: ZoneID) throws -> RecordZone? {
    do {
      return try zone(zoneID)
    } catch let error as ContainerStoreError where error.isOfItem {
      return nil
    }
  }

  /// Returns the shares of another user's zone that the user has accepted; nil for other zones.
  func sharesToLeave(_ zoneID: ZoneID) throws -> [RecordID]? {
    guard let zone = view.location(of: zoneID), view.isOfOthers(zone) else { return nil }
    return try base.shares(acceptedBy: view.user, in: zone.zoneID, of: zone.database)
      .map { RecordID(recordName: $0.recordName, zoneID: zoneID) }
  }

  /// Deletes a zone with all that it has. Other users lose what was shared with them.
  ///
  /// - Throws: `zoneNotFound`; `invalidArguments` for the default zone.
  func deleteZone(
    _ zoneID: ZoneID, for reason: DeletedZone.Reason = .deleted, _ notifier: Notifier
  ) throws {
    guard let zone = try existingZone(zoneID) else { throw try missingZone(zoneID) }
    let tracker = zone.database == .private ? try AccessTracker(container) : nil
    try tracker?.includeZone(zone.zoneID)
    try container.deleteZone(zone.zoneID, in: zone.database, for: reason)
    // The store deletes the subscriptions of the signed-in user.
    try changeSubscriptions { subscriptions in
      subscriptions.removeAll { $0.databaseScope == scope && $0.subscription.zoneID == zoneID }
    }
    notifier.noteZone(in: view.key)
    try tracker?.finish(notifier, view)
  }

  // MARK: Records

  /// Returns a record; nil if it or its zone does not exist.
  func record(_ recordID: RecordID) throws -> ResultRecord? {
    guard let location = view.location(of: recordID) else { return nil }
    return try base.record(for: location.recordID, in: location.database).map(view.visible)
  }

  /// Returns a record as the container stores it; nil if it or its zone does not exist.
  func storedRecord(_ recordID: RecordID) throws -> StoredRecord? {
    guard let location = view.location(of: recordID) else { return nil }
    return try base.storedRecord(location.recordID, in: location.database)
  }

  /// Returns a record as the container stores it, or the error of one that is damaged.
  func readableRecord(
    _ recordID: RecordID
  ) throws -> Result<StoredRecord?, ContainerStoreError> {
    guard let location = view.location(of: recordID) else { return .success(nil) }
    return try base.readableRecord(location.recordID, in: location.database)
  }

  /// Returns a record; nil if it or its zone does not exist, or if it is damaged.
  func intactRecord(_ recordID: RecordID) throws -> ResultRecord? {
    guard case .success(let stored?) = try readableRecord(recordID) else { return nil }
    return view.visible(stored.record)
  }

  /// Returns a record as the server sends it to the user.
  ///
  /// - Parameter record: the record of ``record(_:)``.
  func shown(_ record: ResultRecord) -> ResultRecord {
    guard let zone = view.location(of: record.recordID.zoneID), view.isOfOthers(zone),
      record.isShare
    else { return record }
    return record.shown(to: view.user)
  }

  /// Whether a record exists.
  func contains(_ recordID: RecordID) throws -> Bool {
    guard let location = view.location(of: recordID) else { return false }
    return try container.contains(location.recordID, in: location.database)
  }

  func records(
    referringTo recordID: RecordID, as kind: RecordIndex.Kind
  ) throws -> [RecordID] {
    guard let location = view.location(of: recordID) else { return [] }
    return try base.records(referringTo: location.recordID, as: kind, in: location.database)
      .map { RecordID(recordName: $0.recordName, zoneID: recordID.zoneID) }
  }

  func recordIDs(ofType recordType: String, in zoneID: ZoneID) throws -> [RecordID] {
    guard let zone = view.location(of: zoneID) else { return [] }
    return try base.recordIDs(ofType: recordType, in: zone.zoneID, of: zone.database)
      .map { RecordID(recordName: $0.recordName, zoneID: zoneID) }
  }

  // MARK: Saving

  /// Returns the location of a record whose zone the database may have.
  private func location(of recordID: RecordID) throws -> RecordLocation {
    guard let location = view.location(of: recordID) else {
      throw CloudError.zoneNotFound(recordID.zoneID, in: scope)
    }
    return location
  }

  /// Creates a record, or replaces it completely.
  ///
  /// - Parameters:
  ///   - stored: the record that the container stores under the record's name.
  ///   - isDamaged: whether a damaged record is stored under the name.
  /// - Returns: the record as the container stores it, and as the server sends it to the user.
  func save(
    _ record: ResultRecord, over stored: StoredRecord?, replacingDamage isDamaged: Bool = false
  ) throws -> (stored: ResultRecord, shown: ResultRecord) {
    let location = try location(of: record.recordID)
    let saved = try container.save(
      view.inContainer(record), over: stored, replacingDamage: isDamaged, in: location.database,
      stampedBy: stamp)
    return (saved, view.shown(saved, in: location.zone))
  }

  /// Deletes a record, and leaves its tombstone.
  func delete(_ recordID: RecordID) throws {
    guard let location = view.location(of: recordID) else { return }
    try container.delete(location.recordID, in: location.database)
  }

  /// Gives a record the next change tag and changes nothing else.
  func advanceChangeTag(of recordID: RecordID, isChange: Bool) throws {
    let location = try location(of: recordID)
    try container.advanceChangeTag(
      of: location.recordID, in: location.database, isChange: isChange)
  }

  /// Removes the reference of a record to its share.
  func removeShare(of recordID: RecordID) throws {
    let location = try location(of: recordID)
    try container.removeShare(of: location.recordID, in: location.database)
  }

  // MARK: Access

  /// Returns what the user may do with a record.
  func level(of record: ResultRecord, _ access: ShareAccess) throws -> AccessLevel {
    guard let zone = view.location(of: record.recordID.zoneID) else { return .none }
    if view.isOfOthers(zone) { return try access.level(of: view.inContainer(record)) }
    return scope == .shared ? try importedLevel(of: record) : .readWrite
  }

  /// Returns what the user may do with a record of a shared zone that was imported: what its share
  /// says of the user, and everything if it says nothing.
  private func importedLevel(of record: ResultRecord) throws -> AccessLevel {
    let imported = ShareAccess(of: view.user, in: base, .shared)
    let candidates = [
      record.isShare ? record.recordID : nil, try imported.share(above: record),
      record.recordID.zoneID.zoneWideShare,
    ]
    for case let recordID? in candidates {
      guard let share = try base.record(for: recordID, in: .shared)?.shareInfo else { continue }
      let participant = share.currentUserParticipant ?? share.participant(view.user)
      return participant?.permission == .readOnly ? .readOnly : .readWrite
    }
    return .readWrite
  }

  // MARK: Subscriptions

  /// Adds a subscription, or replaces the one with the same identifier.
  func save(_ subscription: CloudSubscription) throws {
    guard view.account != nil else { return try container.save(subscription, in: scope) }
    try changeSubscriptions { subscriptions in
      subscriptions.removeAll { isSubscription($0, subscription.subscriptionID) }
      subscriptions.append(.init(subscription, to: scope))
    }
  }

  /// Deletes a subscription if it exists.
  func deleteSubscription(_ id: String) throws {
    guard view.account != nil else { return try container.deleteSubscription(id, in: scope) }
    try changeSubscriptions { $0.removeAll { isSubscription($0, id) } }
  }

  private func isSubscription(
    _ subscription: ContainerAccount.Subscription, _ id: String
  ) -> Bool {
    subscription.databaseScope == scope
      && subscription.subscription.subscriptionID.sameScalars(as: id)
  }

  private func changeSubscriptions(
    _ body: (inout [ContainerAccount.Subscription]) -> Void
  ) throws {
    var info = try base.info()
    guard let account = view.account, let index = info.index(ofAccount: account) else { return }
    body(&info.accounts[index].subscriptions)
    info.accounts[index].subscriptions.sort { $0.precedes($1) }
    try container.setInfo(info)
  }
}

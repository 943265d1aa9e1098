import RecordModel
import RecordStore

/// Saves and deletions in a database as one user sees it, in the transaction that answers a request.
struct AccountTransaction {
  let base: ContainerTransaction
  let view: AccountView

  init(_ base: ContainerTransaction, _ view: AccountView) {
    self.base = base
    self.view = view
  }

  var scope: DatabaseScope { view.scope }

  // MARK: Zones

  /// Whether the database may have a zone, and it exists; shares are not looked at.
  func stored(_ zoneID: ZoneID) throws -> StoredZone? {
    guard let zone = view.stored(zoneID), try base.hasZone(zone.zoneID, in: zone.scope) else {
      return nil
    }
    return zone
  }

  /// Whether the user sees a zone.
  func hasZone(_ zoneID: ZoneID) throws -> Bool {
    guard let zone = try stored(zoneID) else { return false }
    return try !view.isOfOthers(zone) || access().includes(zone.zoneID)
  }

  func zone(withID zoneID: ZoneID) throws -> RecordZone? {
    guard let zone = view.stored(zoneID) else { return nil }
    return try base.zone(withID: zone.zoneID, in: zone.scope).map(view.seen)
  }

  /// Saves a zone in the container.
  func save(_ zone: RecordZone) throws {
    guard let place = view.stored(zone.zoneID) else {
      throw CloudError.zoneNotFound(zone.zoneID, in: scope)
    }
    try base.save(view.inContainer(zone), in: place.scope)
  }

  /// Returns the shares of another user's zone that the user has accepted; nil for other zones.
  func sharesToLeave(_ zoneID: ZoneID) throws -> [RecordID]? {
    guard let zone = view.stored(zoneID), view.isOfOthers(zone) else { return nil }
    return try base.shares(acceptedBy: view.user, in: zone.zoneID, of: zone.scope)
      .map { RecordID(recordName: $0.recordName, zoneID: zoneID) }
  }

  /// Deletes a zone with all that it has. Other users lose what was shared with them.
  ///
  /// - Throws: `zoneNotFound`; `invalidArguments` for the default zone.
  func deleteZone(
    _ zoneID: ZoneID, for reason: ZoneTombstone.Reason = .deleted, _ notifier: Notifier
  ) throws {
    guard let zone = try stored(zoneID) else { throw try missingZone(zoneID) }
    let tracker = zone.scope == .private ? try AccessTracker(base) : nil
    try tracker?.includeZone(zone.zoneID)
    try base.deleteZone(zone.zoneID, in: zone.scope, for: reason)
    notifier.noteZone(in: view.key)
    try tracker?.finish(notifier, view)
  }

  /// Returns the error for a zone that the user does not see.
  func missingZone(_ zoneID: ZoneID) throws -> CloudError {
    try base.reading { try AccountSnapshot($0, view).missingZone(zoneID) }
  }

  // MARK: Records

  private func stored(_ recordID: RecordID) -> (id: RecordID, scope: DatabaseScope)? {
    view.stored(recordID.zoneID).map {
      (RecordID(recordName: recordID.recordName, zoneID: $0.zoneID), $0.scope)
    }
  }

  /// Returns a record; nil if it or its zone does not exist. Shares are not looked at.
  func record(_ recordID: RecordID) throws -> ResultRecord? {
    guard let stored = stored(recordID) else { return nil }
    return try base.record(stored.id, in: stored.scope).map(view.seen)
  }

  /// Returns a record as the server sends it to the user.
  ///
  /// - Parameter record: the record of ``record(_:)``.
  func shown(_ record: ResultRecord) -> ResultRecord {
    guard let zone = view.stored(record.recordID.zoneID), view.isOfOthers(zone) else {
      return record
    }
    return record.isShare ? record.shown(to: view.user) : record
  }

  /// Whether a record exists. Shares are not looked at.
  func contains(_ recordID: RecordID) throws -> Bool {
    guard let stored = stored(recordID) else { return false }
    return try base.contains(stored.id, in: stored.scope)
  }

  func records(
    referringTo recordID: RecordID, as kind: RecordIndex.Kind
  ) throws -> [RecordID] {
    guard let stored = stored(recordID) else { return [] }
    return try base.records(referringTo: stored.id, as: kind, in: stored.scope)
      .map { RecordID(recordName: $0.recordName, zoneID: recordID.zoneID) }
  }

  func recordIDs(ofType recordType: String, in zoneID: ZoneID) throws -> [RecordID] {
    guard let zone = view.stored(zoneID) else { return [] }
    return try base.recordIDs(ofType: recordType, in: zone.zoneID, of: zone.scope)
      .map { RecordID(recordName: $0.recordName, zoneID: zoneID) }
  }

  /// Deletes a record, and leaves its tombstone.
  func delete(_ recordID: RecordID) throws {
    guard let stored = stored(recordID) else { return }
    _ = try base.delete(stored.id, in: stored.scope)
  }

  // MARK: Access

  /// Returns what decides about the user's access to the zones of others, as they are now.
  func access() -> ShareAccess { ShareAccess(of: view.user, in: base) }

  /// Returns what the user may do with a record.
  func level(of record: ResultRecord, _ access: ShareAccess) throws -> AccessLevel {
    guard let zone = view.stored(record.recordID.zoneID) else { return .none }
    if view.isOfOthers(zone) { return try access.level(of: view.inContainer(record)) }
    return scope == .shared ? try importedLevel(of: record) : .readWrite
  }

  /// Returns what the user may do with a record of a shared zone that was imported: what its share
  /// says of the user, and everything if it says nothing.
  private func importedLevel(of record: ResultRecord) throws -> AccessLevel {
    let imported = ShareAccess(
      of: view.user, record: { try base.record($0, in: .shared) }, shares: { _ in [] })
    let zoneWide = RecordID(
      recordName: Share.zoneWideRecordName, zoneID: record.recordID.zoneID)
    let candidates = [
      record.isShare ? record.recordID : nil, try imported.share(above: record), zoneWide,
    ]
    for case let recordID? in candidates {
      guard let share = try base.record(recordID, in: .shared)?.shareInfo else { continue }
      let participant = share.currentUserParticipant ?? share.participant(view.user)
      return participant?.permission == .readOnly ? .readOnly : .readWrite
    }
    return .readWrite
  }
}

// MARK: Subscriptions

extension AccountTransaction {
  /// Returns the subscriptions of the user to the database, by identifier.
  func subscriptions() throws -> [CloudSubscription] {
    guard let account = view.account else { return try base.subscriptions(in: scope) }
    return try base.info().account(account)?.subscriptions(to: scope) ?? []
  }

  /// Adds a subscription, or replaces the one with the same identifier.
  func save(_ subscription: CloudSubscription) throws {
    guard view.account != nil else { return try base.save(subscription, in: scope) }
    try changeSubscriptions { subscriptions in
      subscriptions.removeAll { isSubscription($0, subscription.subscriptionID) }
      subscriptions.append(.init(subscription, to: scope))
    }
  }

  /// Deletes a subscription if it exists.
  func deleteSubscription(_ id: String) throws {
    guard view.account != nil else { return try base.deleteSubscription(id, in: scope) }
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
    info.accounts[index].subscriptions.sort { a, b in
      a.databaseScope != b.databaseScope
        ? a.databaseScope < b.databaseScope
        : compareUTF8(a.subscription.subscriptionID, b.subscription.subscriptionID) < 0
    }
    try base.setInfo(info)
  }
}

extension ContainerInfo {
  func index(ofAccount userRecordName: String) -> Int? {
    accounts.firstIndex { $0.userRecordName.sameScalars(as: userRecordName) }
  }

  func account(_ userRecordName: String) -> ContainerAccount? {
    index(ofAccount: userRecordName).map { accounts[$0] }
  }
}

extension AccountView {
  /// Returns a zone that the user saves as it is in the container.
  func inContainer(_ zone: RecordZone) -> RecordZone {
    var result = zone
    result.zoneID = inContainer(zone.zoneID)
    result.share = zone.share?.replacingZone { inContainer($0) }
    return result
  }
}

/// Saves records of a request as one user; all get the same stamp.
final class AccountSaver {
  private let transaction: AccountTransaction
  private let deviceID: String?
  private var savers: [DatabaseScope: DraftSaver] = [:]

  init(_ transaction: AccountTransaction, from deviceID: String?) {
    self.transaction = transaction
    self.deviceID = deviceID
  }

  private func saver(for zoneID: ZoneID) throws -> DraftSaver {
    guard let zone = transaction.view.stored(zoneID) else {
      throw CloudError.zoneNotFound(zoneID, in: transaction.scope)
    }
    if let known = savers[zone.scope] { return known }
    let saver = try transaction.base.saver(
      in: zone.scope, user: transaction.view.account, deviceID: deviceID)
    savers[zone.scope] = saver
    return saver
  }

  /// Creates a record, or replaces it completely.
  ///
  /// - Returns: the record as it is in the container, and as the server sends it to the user.
  func save(_ record: ResultRecord) throws -> (stored: ResultRecord, shown: ResultRecord) {
    let view = transaction.view
    let zoneID = record.recordID.zoneID
    let stored = try saver(for: zoneID).save(DraftRecord(view.inContainer(record)))
    guard let zone = view.stored(zoneID) else { return (stored, stored) }
    return (stored, view.shown(stored, in: zone))
  }

  /// Gives a record the next change tag and changes nothing else.
  func touch(_ recordID: RecordID, isChange: Bool) throws {
    try saver(for: recordID.zoneID).touch(inContainer(recordID), isChange: isChange)
  }

  /// Removes the reference of a record to its share.
  func removeShare(of recordID: RecordID) throws {
    try saver(for: recordID.zoneID).removeShare(of: inContainer(recordID))
  }

  func checkAssets(of draft: DraftRecord, over stored: ResultRecord?) throws {
    try saver(for: draft.recordID.zoneID).checkAssets(of: draft, over: stored)
  }

  private func inContainer(_ recordID: RecordID) -> RecordID {
    let zoneID = transaction.view.stored(recordID.zoneID)?.zoneID ?? recordID.zoneID
    return RecordID(recordName: recordID.recordName, zoneID: zoneID)
  }
}

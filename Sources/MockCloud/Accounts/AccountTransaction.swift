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
    return try base.zone(zone.zoneID, in: zone.scope).map(view.seen)
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
    _ zoneID: ZoneID, for reason: DeletedZone.Reason = .deleted, _ notifier: Notifier
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
    try AccountSnapshot(base, view, base.info()).missingZone(zoneID)
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
    return try base.record(for: stored.id, in: stored.scope).map(view.seen)
  }

  /// Returns a record as it lies in the container; nil if it or its zone does not exist. Shares are
  /// not looked at.
  func row(of recordID: RecordID) throws -> StoredRecord? {
    guard let stored = stored(recordID) else { return nil }
    return try base.storedRecord(stored.id, in: stored.scope)
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
    try base.delete(stored.id, in: stored.scope)
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
      of: view.user, record: { try base.record(for: $0, in: .shared) }, shares: { _ in [] })
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

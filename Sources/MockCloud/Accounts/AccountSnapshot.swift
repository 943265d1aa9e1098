import RecordModel
import RecordStore

/// The state of a database at one moment, as one user sees it.
struct AccountSnapshot {
  let base: ContainerSnapshot
  let view: AccountView
  /// The metadata of the container.
  let info: ContainerInfo
  private let access: ShareAccess

  init(_ base: ContainerSnapshot, _ view: AccountView, _ info: ContainerInfo) {
    self.base = base
    self.view = view
    self.info = info
    access = ShareAccess(of: view.user, in: base)
  }

  init(_ base: ContainerSnapshot, of database: DatabaseKey) throws {
    let info = try base.info()
    self.init(base, AccountView(database.scope, of: database.account, in: info), info)
  }

  // MARK: Zones

  /// Returns where a zone lies; nil if the user does not see it.
  func stored(_ zoneID: ZoneID) throws -> StoredZone? {
    guard let zone = view.stored(zoneID), try base.hasZone(zone.zoneID, in: zone.scope),
      try includes(zone)
    else { return nil }
    return zone
  }

  /// Whether the user sees an existing zone, which may be in the database.
  func includes(_ zone: StoredZone) throws -> Bool {
    try !view.isOfOthers(zone) || access.includes(zone.zoneID)
  }

  /// Returns a zone; nil if the user does not see it.
  func zone(_ zoneID: ZoneID) throws -> RecordZone? {
    guard let place = try stored(zoneID) else { return nil }
    return try base.zone(place.zoneID, in: place.scope).map(view.seen)
  }

  /// Returns all zones that the user sees, by owner and name.
  func zones() throws -> [RecordZone] {
    try view.storedScopes.flatMap { scope in
      try base.zones(in: scope).filter { zone in
        let place = StoredZone(scope: scope, zoneID: zone.zoneID)
        return try view.seen(place) != nil && includes(place)
      }
    }.map(view.seen).sorted { $0.zoneID < $1.zoneID }
  }

  /// Returns the error for a zone that the user does not see.
  func missingZone(_ zoneID: ZoneID) throws -> CloudError {
    guard view.scope != .shared, let place = view.stored(zoneID),
      try base.tombstone(of: place.zoneID, in: place.scope) != nil
    else { return .zoneNotFound(zoneID, in: view.scope) }
    let error = try base.missingZone(place.zoneID, in: place.scope)
    return error.code == .zoneNotFound ? .zoneNotFound(zoneID, in: view.scope) : error
  }

  // MARK: Records

  /// Returns a record; nil if the user does not see it.
  ///
  /// - Parameter zone: where its zone lies.
  func record(_ recordID: RecordID, in zone: StoredZone) throws -> ResultRecord? {
    let stored = RecordID(recordName: recordID.recordName, zoneID: zone.zoneID)
    guard let record = try base.record(for: stored, in: zone.scope), try sees(record, in: zone)
    else { return nil }
    return view.shown(record, in: zone)
  }

  /// Returns a user record without fields, for a user of the container; nil for other records.
  ///
  /// The server creates it, in the default zones of the public database and of the user's own one.
  func userRecord(_ recordID: RecordID) throws -> ResultRecord? {
    guard recordID.zoneID == .default, view.scope != .shared else { return nil }
    let users =
      view.scope == .public
      ? info.accounts.map(\.userRecordName) + [info.currentUserRecordName].compactMap(\.self)
      : [view.user]
    guard users.contains(where: { $0.sameScalars(as: recordID.recordName) }) else { return nil }
    return ResultRecord(
      systemFields: SystemFields(recordID: recordID, recordType: UserRecord.recordType),
      fields: [])
  }

  /// Whether the user sees a record of the container.
  func sees(_ record: ResultRecord, in zone: StoredZone) throws -> Bool {
    try !view.isOfOthers(zone) || access.level(of: record) > .none
  }

  /// Returns the subscriptions of the user to the database, by identifier.
  func subscriptions() throws -> [CloudSubscription] {
    guard let account = view.account else { return try base.subscriptions(in: view.scope) }
    return info.account(account)?.subscriptions(to: view.scope) ?? []
  }

  /// Returns a subscription of the user; nil if there is none.
  func subscription(_ id: String) throws -> CloudSubscription? {
    guard view.account != nil else { return try base.subscription(id, in: view.scope) }
    return try subscriptions().first { $0.subscriptionID.sameScalars(as: id) }
  }
}

extension AccountView {
  /// Where zones of the database may lie in the container.
  var storedScopes: [DatabaseScope] {
    switch (scope, account) {
    case (.shared, nil): [.private, .shared]
    case (.shared, _): [.private]
    default: [scope]
    }
  }

  /// Whether a zone belongs to another user of the container, so that shares decide who sees what.
  func isOfOthers(_ zone: StoredZone) -> Bool { scope == .shared && zone.scope == .private }

  /// Returns a zone of the container as the user sees it.
  func seen(_ zone: RecordZone) -> RecordZone {
    var result = zone
    result.zoneID = seen(zone.zoneID)
    result.share = zone.share?.replacingZone(seen)
    return result
  }

  /// Returns a record of the container as the server sends it to the user.
  func shown(_ record: ResultRecord, in zone: StoredZone) -> ResultRecord {
    seen(isOfOthers(zone) && record.isShare ? record.shown(to: user) : record)
  }
}

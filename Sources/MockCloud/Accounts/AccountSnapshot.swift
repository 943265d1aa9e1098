import RecordModel
import RecordStore

/// The state of a database at one moment, as one user sees it.
class AccountSnapshot {
  let base: ContainerSnapshot
  let view: AccountView
  /// The metadata of the container, as it was at the beginning.
  let info: ContainerInfo
  private let knownAccess: ShareAccess

  init(_ base: ContainerSnapshot, of database: DatabaseKey) throws {
    self.base = base
    info = try base.info()
    view = AccountView(database.scope, of: database.account, in: info)
    knownAccess = ShareAccess(of: view.user, in: base)
  }

  var scope: DatabaseScope { view.scope }

  /// Returns the user's access to the zones of others.
  func access() -> ShareAccess { knownAccess }

  // MARK: Zones

  /// Returns the location of an existing zone of the database; shares are not looked at.
  func existingZone(_ zoneID: ZoneID) throws -> ZoneLocation? {
    guard let zone = view.location(of: zoneID), try base.hasZone(zone.zoneID, in: zone.database)
    else { return nil }
    return zone
  }

  /// Returns the location of a zone; nil if the user does not see it.
  func location(of zoneID: ZoneID) throws -> ZoneLocation? {
    guard let zone = try existingZone(zoneID), try includes(zone) else { return nil }
    return zone
  }

  /// Whether the user sees an existing zone, which may be in the database.
  func includes(_ zone: ZoneLocation) throws -> Bool {
    try !view.isOfOthers(zone) || access().includes(zone.zoneID)
  }

  /// Returns a zone; nil if the user does not see it.
  func zone(_ zoneID: ZoneID) throws -> RecordZone? {
    guard let zone = try location(of: zoneID) else { return nil }
    return try base.zone(zone.zoneID, in: zone.database).map(view.visible)
  }

  /// Returns all zones that the user sees, by owner and name.
  ///
  /// - Parameter damaged: gets each zone that cannot be read, with its error. It is among the results,
  ///   as it still has its identity and its records. Of one whose row is lost, nothing is known.
  func zones(damaged: (ZoneID?, CloudError) -> Void = { _, _ in }) throws -> [RecordZone] {
    var zones: [RecordZone] = []
    for scope in view.storedScopes {
      var hasDamage = false
      for zone in try base.zones(in: scope, damaged: { _ in hasDamage = true }) {
        let location = ZoneLocation(scope, zone.zoneID)
        guard try view.visible(location) != nil && includes(location) else { continue }
        zones.append(view.visible(zone))
        guard hasDamage else { continue }
        do {
          _ = try base.zone(zone.zoneID, in: scope)
        } catch let error as ContainerStoreError where error.isOfItem {
          damaged(view.visible(zone.zoneID), error.cloudError)
        }
      }
      if hasDamage, view.scope != .shared, try base.lacksZones(in: scope) {
        damaged(nil, CloudError(.internalError, "the row of a zone is damaged or missing"))
      }
    }
    return zones.sorted { $0.zoneID < $1.zoneID }
  }

  /// Returns the error for a zone that the user does not see.
  func missingZone(_ zoneID: ZoneID) throws -> CloudError {
    if let error = SharedZoneRule.error(zoneID, view) { return error }
    guard let zone = view.location(of: zoneID) else {
      return .zoneNotFound(zoneID, in: view.scope)
    }
    // A row that is not found may be damaged.
    var error = try base.missingZone(zone.zoneID, in: zone.database)
    guard view.scope != .shared else { return .zoneNotFound(zoneID, in: view.scope) }
    if error.code == .zoneNotFound {
      error.message = CloudError.zoneNotFound(zoneID, in: view.scope).message
    }
    return error
  }

  // MARK: Records

  /// Returns a record; nil if the user does not see it.
  ///
  /// - Parameter zone: the location of its zone.
  func record(_ recordID: RecordID, in zone: ZoneLocation) throws -> ResultRecord? {
    let stored = RecordID(recordName: recordID.recordName, zoneID: zone.zoneID)
    guard let record = try base.record(for: stored, in: zone.database), try sees(record, in: zone)
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
      ? info.accounts.map(\.userRecordName) + [view.signedInUser] : [view.user]
    guard users.contains(where: { $0.sameScalars(as: recordID.recordName) }) else { return nil }
    return ResultRecord(
      systemFields: SystemFields(recordID: recordID, recordType: UserRecord.recordType),
      fields: [])
  }

  /// Whether the user sees a record of the container.
  func sees(_ record: ResultRecord, in zone: ZoneLocation) throws -> Bool {
    try !view.isOfOthers(zone) || access().level(of: record) > .none
  }

  // MARK: Subscriptions

  /// Returns the subscriptions of the user to the database that can be read, by identifier.
  ///
  /// - Parameter damaged: gets the error of each other one.
  func subscriptions(
    damaged: (ContainerStoreError) throws -> Void = { _ in }
  ) throws -> [CloudSubscription] {
    guard let account = view.account else {
      return try base.subscriptions(in: view.scope, damaged: damaged)
    }
    return try base.info().account(account)?.subscriptions(to: view.scope) ?? []
  }

  /// Returns a subscription of the user; nil if there is none.
  func subscription(_ id: String) throws -> CloudSubscription? {
    guard view.account != nil else {
      let subscription = try base.subscription(id, in: view.scope)
      // A row that is not found may be damaged.
      guard try subscription != nil || !base.lacksSubscriptions(in: view.scope) else {
        throw CloudError(
          .internalError,
          "subscription '\(id)' is not found, but the row of a subscription is damaged or missing")
      }
      return subscription
    }
    return try subscriptions().first { $0.subscriptionID.sameScalars(as: id) }
  }
}

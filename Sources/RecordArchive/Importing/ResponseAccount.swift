import MockCloud
import RecordModel
import RecordStore

/// The users of imported responses.
package struct ImportedUsers: Sendable, Hashable {
  /// The record name of the user whose data the responses are; nil if they do not say it.
  package var user: String?
  /// The record name of the container's signed-in user, if the data is that user's.
  package var signedInUser: String?
  /// Whether the import was told whose data it is.
  package var isGiven = false
  /// The users that were added to the container: owners of zones and participants of shares.
  package var added: [String] = []
}

/// Finds the place of a response's items in a container.
///
/// Responses name the owner of each zone by the user's record name, where a container has
/// `__defaultOwner__` for the zones of its signed-in user. A private database has one owner, so
/// the first owner that a response of it names is the user whose data it is.
struct ResponseAccount {
  private let database: DatabaseScope
  /// The metadata of the container, with the users of the responses.
  private(set) var info: ContainerInfo
  private(set) var users = ImportedUsers()
  /// Whether the container had neither users nor records before.
  private let isNew: Bool
  /// The record name of the account that gets the data; nil for the signed-in user.
  private var account: String?
  /// Whether the responses name zones of the user as a container does: others are of other users.
  private var namesOwnZones = false

  private static let ownName = ZoneID.currentUserOwnerName

  init(_ writer: ImportTransaction, _ responses: ResponseSet) throws {
    database = responses.database
    info = try writer.info()
    isNew =
      try info.currentUserRecordName == nil && info.accounts.isEmpty
      && DatabaseScope.allCases.allSatisfy { try writer.recordTypes(in: $0).isEmpty }
    guard let user = responses.user else { return }
    users.isGiven = true
    adopt(user)
  }

  /// Whether items have other names in the container.
  private var isAlias: Bool {
    users.user.map { !$0.sameScalars(as: info.signedInUserRecordName) } ?? false
  }

  /// Notes whose data the responses are.
  private mutating func adopt(_ user: String) {
    users.user = user
    if isNew { info.currentUserRecordName = user }
    let isSignedIn = user.sameScalars(as: info.signedInUserRecordName)
    if users.isGiven, !isSignedIn {
      account = user
      add(ContainerAccount(userRecordName: user))
    } else {
      users.signedInUser = info.signedInUserRecordName
    }
  }

  /// Adds a user to the container, or what is not known about it.
  private mutating func add(_ user: ContainerAccount) {
    guard let index = info.accounts.firstIndex(where: { user.isSame($0) }) else {
      info.currentUserRecordName = info.signedInUserRecordName
      info.accounts.append(user)
      info.accounts.sort { compareUTF8($0.userRecordName, $1.userRecordName) < 0 }
      if !user.userRecordName.sameScalars(as: info.signedInUserRecordName) {
        users.added.append(user.userRecordName)
      }
      return
    }
    let known = info.accounts[index]
    info.accounts[index].nameComponents = known.nameComponents ?? user.nameComponents
    info.accounts[index].lookupInfo = known.lookupInfo ?? user.lookupInfo
  }

  private func isOfOther(_ owner: String) -> Bool {
    info.accounts.contains {
      $0.userRecordName.sameScalars(as: owner)
        && !owner.sameScalars(as: info.signedInUserRecordName)
    }
  }

  // MARK: Zones

  /// Looks at the zones of a response before its items.
  mutating func note(_ zones: [RecordZone]) {
    // Records without a zone are in the default zone, too.
    namesOwnZones =
      namesOwnZones
      || zones.contains {
        $0.zoneID.ownerName.sameScalars(as: Self.ownName)
          && $0.zoneID.zoneName != ZoneID.defaultZoneName
      }
  }

  /// Returns a zone as the user whose data it is sees it.
  mutating func seen(_ zoneID: ZoneID) -> ZoneID {
    let owner = zoneID.ownerName
    guard !owner.sameScalars(as: Self.ownName) else { return zoneID }
    if database == .private, !isOfOther(owner) {
      if users.user == nil, !namesOwnZones {
        adopt(owner)
      } else if known(owner) == nil {
        add(ContainerAccount(userRecordName: owner))
      }
    }
    return renamed(zoneID)
  }

  /// Returns the user whom an owner stands for, if the user's zones have `__defaultOwner__`.
  private func known(_ owner: String) -> String? {
    if users.user?.sameScalars(as: owner) ?? false { return owner }
    return account == nil && owner.sameScalars(as: info.signedInUserRecordName) ? owner : nil
  }

  private func renamed(_ zoneID: ZoneID) -> ZoneID {
    switch database {
    // The public database has one zone for everybody. Responses name the user as its owner.
    case .public: zoneID.zoneName == ZoneID.defaultZoneName ? .default : zoneID
    case .private: known(zoneID.ownerName) == nil ? zoneID : ZoneID(zoneName: zoneID.zoneName)
    case .shared: zoneID
    }
  }

  /// Returns the place in the container of a zone as the user sees it.
  mutating func place(_ zoneID: ZoneID) -> ZoneLocation {
    if database == .shared, account != nil, !zoneID.ownerName.sameScalars(as: Self.ownName),
      !isOfOther(zoneID.ownerName), !zoneID.ownerName.sameScalars(as: info.signedInUserRecordName)
    {
      // Shares of a user who is not signed in are views of their owners' databases.
      add(ContainerAccount(userRecordName: zoneID.ownerName))
    }
    return stored(zoneID)
  }

  private func stored(_ zoneID: ZoneID) -> ZoneLocation {
    let owner = zoneID.ownerName
    guard database != .public else { return ZoneLocation(.public, zoneID) }
    guard let account else {
      let isElsewhere = database == .shared && isOfOther(owner)
      return ZoneLocation(isElsewhere ? .private : database, zoneID)
    }
    let pairs = [(Self.ownName, account), (info.signedInUserRecordName, Self.ownName)]
    let new = pairs.first { owner.sameScalars(as: $0.0) }?.1 ?? owner
    return ZoneLocation(.private, ZoneID(zoneName: zoneID.zoneName, ownerName: new))
  }

  // MARK: Records

  /// Returns a record as the user sees it.
  mutating func seen(_ record: ResultRecord) -> ResultRecord {
    _ = seen(record.recordID.zoneID)
    return record.mapped(zones: renamed, users: seenUser)
  }

  /// Returns a record that the user sees as it is in the container, and adds the participants of a
  /// share to the users.
  mutating func inContainer(_ record: ResultRecord) -> (ResultRecord, DatabaseScope) {
    let place = place(record.recordID.zoneID)
    let record = record.mapped(zones: { self.stored($0).zoneID }, users: storedUser)
    if let share = record.shareInfo { add(participantsOf: share, in: place.database) }
    return (record, place.database)
  }

  /// The user of a record's dates, and of shares, whose zones have `__defaultOwner__`.
  private func seenUser(_ name: String) -> String {
    let isUser = isAlias && account == nil && (users.user?.sameScalars(as: name) ?? false)
    return isUser ? info.signedInUserRecordName : name
  }

  private func storedUser(_ name: String) -> String {
    guard let account, name.sameScalars(as: Self.ownName) else { return name }
    return account
  }

  private mutating func add(participantsOf share: Share, in scope: DatabaseScope) {
    let current =
      scope == .shared ? share.currentUserParticipant?.userIdentity.userRecordName : nil
    if let current, users.user == nil, !current.sameScalars(as: Self.ownName) { adopt(current) }
    for participant in share.participants {
      // An owner whose private database is not here has no data to act with: the zones that the
      // owner shares are in the signed-in user's shared database.
      guard participant.role != .owner || scope == .private,
        let user = ContainerAccount(participant.userIdentity),
        !(current?.sameScalars(as: user.userRecordName) ?? false)
      else { continue }
      add(user)
    }
  }

  /// Adds a subscription to an account that is not the signed-in user.
  ///
  /// - Returns: false for the signed-in user, whose subscriptions are in the databases.
  mutating func add(_ subscription: CloudSubscription) -> Bool {
    guard let account, database != .public,
      let index = info.accounts.firstIndex(where: { $0.userRecordName.sameScalars(as: account) })
    else { return false }
    let new = ContainerAccount.Subscription(subscription, to: database)
    info.accounts[index].subscriptions.removeAll {
      $0.databaseScope == database
        && $0.subscription.subscriptionID.sameScalars(as: subscription.subscriptionID)
    }
    info.accounts[index].subscriptions.append(new)
    return true
  }
}

extension ContainerAccount {
  /// A user by an identity; nil for one without a name or address. One that was invited by an
  /// address gets a record name that the address determines.
  fileprivate init?(_ identity: UserIdentity) {
    let lookupInfo = identity.lookupInfo
    let name = identity.userRecordName ?? lookupInfo?.userRecordName
    guard let name = name ?? lookupInfo?.derivedRecordName,
      !name.isEmpty, !name.sameScalars(as: ZoneID.currentUserOwnerName)
    else { return nil }
    self.init(
      userRecordName: name, nameComponents: identity.nameComponents, lookupInfo: lookupInfo)
  }

  fileprivate func isSame(_ other: ContainerAccount) -> Bool {
    userRecordName.sameScalars(as: other.userRecordName)
  }
}

extension UserIdentity.LookupInfo {
  fileprivate var derivedRecordName: String? {
    (emailAddress?.lowercased() ?? phoneNumber).map { "_" + ShortHash.of([$0]) }
  }
}

extension ResultRecord {
  /// Returns the record with other zones and users.
  fileprivate func mapped(
    zones: (ZoneID) -> ZoneID, users: (String) -> String
  ) -> ResultRecord {
    var (system, fields) = replacingZones(zones)
    if system.recordID != recordID { system.archive = nil }
    system.created = system.created?.mapped(users)
    system.modified = system.modified?.mapped(users)
    let record = ResultRecord(systemFields: system, fields: fields)
    guard var share = record.shareInfo else { return record }
    let old = share
    share.participants = share.participants.map { $0.mapped(users) }
    share.owner = share.owner?.mapped(users)
    share.currentUserParticipant = share.currentUserParticipant?.mapped(users)
    return share == old ? record : record.replacingShareInfo(share)
  }
}

extension RecordStamp {
  fileprivate func mapped(_ users: (String) -> String) -> RecordStamp {
    var result = self
    result.userRecordName = userRecordName.map(users)
    return result
  }
}

extension ShareParticipant {
  fileprivate func mapped(_ users: (String) -> String) -> ShareParticipant {
    var result = self
    result.userIdentity.userRecordName = userIdentity.userRecordName.map(users)
    return result
  }
}

extension CloudSubscription {
  /// Returns the subscription with another zone.
  func replacingZone(_ body: (ZoneID) -> ZoneID) -> CloudSubscription {
    var result = self
    switch kind {
    case .query(let query, let zoneID, let events, let once):
      result.kind = .query(query, zoneID: zoneID.map(body), firesOn: events, firesOnce: once)
    case .zone(let zoneID, let type): result.kind = .zone(body(zoneID), recordType: type)
    case .database: break
    }
    return result
  }
}

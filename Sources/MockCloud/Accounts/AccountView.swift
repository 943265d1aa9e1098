import RecordModel

/// A database as one user sees it, and where the container stores its zones.
///
/// The container has the private databases of all users. Zones of the signed-in user have the owner
/// `__defaultOwner__`, those of another account its record name. Each user sees the own zones with
/// `__defaultOwner__` in the private database, and those of others with their record names in the
/// shared one. Zones of the shared database whose owner is no account of the container are the
/// signed-in user's, as they were imported.
struct AccountView: Sendable {
  let scope: DatabaseScope
  /// The record name of another account; nil for the signed-in user.
  let account: String?
  /// The record name of the signed-in user.
  let signedInUser: String
  /// The accounts but the signed-in user.
  private let others: Set<ExactString>

  init(_ scope: DatabaseScope, of account: String?, in info: ContainerInfo) {
    self.scope = scope
    let signedInUser = info.signedInUserRecordName
    self.signedInUser = signedInUser
    let isSignedIn = account.map { $0.sameScalars(as: signedInUser) } ?? true
    self.account = isSignedIn ? nil : account
    others = Set(info.otherAccounts.map { ExactString($0.userRecordName) })
  }

  /// The record name of the user.
  var user: String { account ?? signedInUser }

  /// Whether the container has several users.
  var hasOthers: Bool { !others.isEmpty }

  /// Whether zones have other identifiers in the container.
  private var isTranslating: Bool { account != nil && scope != .public }

  // MARK: Zones

  /// Returns where a zone of the database lies; nil if the database cannot have it.
  func location(of zoneID: ZoneID) -> ZoneLocation? {
    let owner = zoneID.ownerName
    let isOwn = owner.sameScalars(as: ZoneID.currentUserOwnerName)
    let isOfOther = others.contains(ExactString(owner))
    switch (scope, account) {
    case (.public, _): return ZoneLocation(.public, zoneID)
    case (.private, nil): return isOfOther ? nil : ZoneLocation(.private, zoneID)
    case (.private, _):
      return isOwn ? ZoneLocation(.private, inContainer(zoneID)) : nil
    case (.shared, nil): return ZoneLocation(isOfOther ? .private : .shared, zoneID)
    case (.shared, _):
      let isOfOwner = owner.sameScalars(as: signedInUser)
      guard !isOwn, !owner.sameScalars(as: user), isOfOther || isOfOwner else { return nil }
      return ZoneLocation(.private, inContainer(zoneID))
    }
  }

  /// Returns the identifier that the user sees for a zone in the container; nil if it is not one of
  /// the database.
  func visible(_ zone: ZoneLocation) -> ZoneID? {
    let zoneID = visible(zone.zoneID)
    return location(of: zoneID) == zone ? zoneID : nil
  }

  /// Replaces the owner that the user sees by that in the container.
  func inContainer(_ zoneID: ZoneID) -> ZoneID {
    guard isTranslating else { return zoneID }
    return zoneID.replacingOwner(
      [(ZoneID.currentUserOwnerName, account), (signedInUser, ZoneID.currentUserOwnerName)])
  }

  /// Replaces the owner in the container by that which the user sees.
  func visible(_ zoneID: ZoneID) -> ZoneID {
    guard isTranslating else { return zoneID }
    return zoneID.replacingOwner(
      [(account, ZoneID.currentUserOwnerName), (ZoneID.currentUserOwnerName, signedInUser)])
  }

  /// Returns the location of a record, whether or not it exists; nil if the database cannot have its
  /// zone.
  func location(of recordID: RecordID) -> RecordLocation? {
    location(of: recordID.zoneID).map { zone in
      RecordLocation(
        zone.database, RecordID(recordName: recordID.recordName, zoneID: zone.zoneID))
    }
  }

  /// The scopes in the container of the zones that the database may have.
  var storedScopes: [DatabaseScope] {
    switch (scope, account) {
    case (.shared, nil): [.private, .shared]
    case (.shared, _): [.private]
    default: [scope]
    }
  }

  /// Whether a zone belongs to another user of the container, so that shares decide who sees what.
  func isOfOthers(_ zone: ZoneLocation) -> Bool {
    scope == .shared && zone.database == .private
  }

  /// Returns a zone of the container as the user sees it.
  func visible(_ zone: RecordZone) -> RecordZone {
    var result = zone
    result.zoneID = visible(zone.zoneID)
    result.share = zone.share?.replacingZone(visible)
    return result
  }

  /// Returns a zone that the user saves as it is in the container.
  func inContainer(_ zone: RecordZone) -> RecordZone {
    var result = zone
    result.zoneID = inContainer(zone.zoneID)
    result.share = zone.share?.replacingZone { inContainer($0) }
    return result
  }

  // MARK: Records

  /// Returns a record of the container as the server sends it to the user.
  func shown(_ record: ResultRecord, in zone: ZoneLocation) -> ResultRecord {
    visible(isOfOthers(zone) && record.isShare ? record.shown(to: user) : record)
  }

  /// Returns a record of the container as the user sees it.
  func visible(_ record: ResultRecord) -> ResultRecord {
    guard account != nil else { return record }
    var result =
      isTranslating
      ? record.replacingZones(visible)
      : (systemFields: record.systemFields, fields: record.allFields)
    result.systemFields.created?.replaceUser(ZoneID.currentUserOwnerName, by: signedInUser)
    result.systemFields.modified?.replaceUser(ZoneID.currentUserOwnerName, by: signedInUser)
    return ResultRecord(systemFields: result.systemFields, fields: result.fields)
  }

  /// Returns a record that the user sees, or will save, as it is in the container.
  func inContainer(_ record: ResultRecord) -> ResultRecord {
    guard isTranslating else { return record }
    let result = record.replacingZones(inContainer)
    return ResultRecord(systemFields: result.systemFields, fields: result.fields)
  }

  /// Returns a query of the user with the zones and users in the container.
  func inContainer(_ query: RecordQuery) -> RecordQuery {
    guard let account else { return query }
    var result = query
    for index in result.filters.indices {
      let filter = result.filters[index]
      if SystemField(rawValue: SystemField.schemaName(filter.fieldName))?.isUser == true {
        result.filters[index].fieldValue = filter.fieldValue.replacingUser(
          ZoneID.currentUserOwnerName, by: account)
      } else if isTranslating {
        result.filters[index].fieldValue = filter.fieldValue.replacingZones { inContainer($0) }
      }
    }
    return result
  }
}

/// A database of a user.
struct DatabaseKey: Hashable, Comparable, Sendable {
  var scope: DatabaseScope
  /// The record name of another account; nil for the signed-in user.
  var account: String?

  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.scope != rhs.scope
      ? lhs.scope < rhs.scope : compareUTF8(lhs.account ?? "", rhs.account ?? "") < 0
  }
}

extension AccountView {
  /// The database.
  var key: DatabaseKey { DatabaseKey(scope: scope, account: account) }

  /// Returns the database of a user.
  func databaseKey(_ scope: DatabaseScope, of user: String) -> DatabaseKey {
    DatabaseKey(scope: scope, account: user.sameScalars(as: signedInUser) ? nil : user)
  }

  /// Returns the scope in the container of a zone of the container that the user sees.
  func scope(ofStored zoneID: ZoneID) -> DatabaseScope {
    storedScopes.first { visible(ZoneLocation($0, zoneID)) != nil } ?? scope
  }
}

extension ContainerInfo {
  /// The record name of the signed-in user. If the container does not have it, its identifier
  /// determines it: a user has one name, whatever other users the container gets.
  package var signedInUserRecordName: String {
    currentUserRecordName ?? "_" + ShortHash.of([identifier ?? "", "user"])
  }

  func index(ofAccount userRecordName: String) -> Int? {
    accounts.firstIndex { $0.userRecordName.sameScalars(as: userRecordName) }
  }

  func account(_ userRecordName: String) -> ContainerAccount? {
    index(ofAccount: userRecordName).map { accounts[$0] }
  }

  /// The accounts but the signed-in user.
  var otherAccounts: [ContainerAccount] {
    let signedIn = signedInUserRecordName
    return accounts.filter { !$0.userRecordName.sameScalars(as: signedIn) }
  }
}

extension ContainerAccount {
  /// The subscriptions to a database, by identifier.
  func subscriptions(to scope: DatabaseScope) -> [CloudSubscription] {
    subscriptions.filter { $0.databaseScope == scope }.map(\.subscription)
  }
}

extension ZoneID {
  /// Replaces the owner if it is the first of a pair by the second.
  fileprivate func replacingOwner(_ owners: [(String?, String?)]) -> ZoneID {
    for case (let old?, let new?) in owners where ownerName.sameScalars(as: old) {
      return ZoneID(zoneName: zoneName, ownerName: new)
    }
    return self
  }
}

extension RecordStamp {
  fileprivate mutating func replaceUser(_ old: String, by new: String) {
    if userRecordName?.sameScalars(as: old) ?? false { userRecordName = new }
  }
}

extension ResultRecord {
  /// Returns the parts of the record with other zones. References to the signed-in user's default
  /// zone, as to user records, stay as they are unless the record is there, too.
  package func replacingZones(
    _ body: (ZoneID) -> ZoneID
  ) -> (systemFields: SystemFields, fields: [Field]) {
    let zoneID = recordID.zoneID
    func replaced(_ other: ZoneID) -> ZoneID {
      other != zoneID && other == .default ? other : body(other)
    }
    var system = systemFields
    system.recordID = RecordID(recordName: recordID.recordName, zoneID: body(zoneID))
    system.parent = system.parent?.replacingZone(replaced)
    system.share = system.share?.replacingZone(replaced)
    let fields = fields.map { field in
      Field(
        name: field.name, value: field.value.replacingZones(replaced),
        isEncrypted: field.isEncrypted, otherMembers: field.otherMembers)
    }
    return (system, fields)
  }
}

extension RecordValue {
  fileprivate func replacingZones(_ body: (ZoneID) -> ZoneID) -> RecordValue {
    switch self {
    case .reference(let reference): .reference(reference.replacingZone(body))
    case .referenceList(let references): .referenceList(references.map { $0.replacingZone(body) })
    default: self
    }
  }

  /// Replaces the record name of a user, in a text, a reference or a list of them.
  fileprivate func replacingUser(_ old: String, by new: String) -> RecordValue {
    func replaced(_ name: String) -> String { name.sameScalars(as: old) ? new : name }
    func replaced(_ reference: Reference) -> Reference {
      let recordID = reference.recordID
      return Reference(
        recordID: RecordID(recordName: replaced(recordID.recordName), zoneID: recordID.zoneID),
        action: reference.action, otherMembers: reference.otherMembers)
    }
    return switch self {
    case .string(let name): .string(replaced(name))
    case .stringList(let names): .stringList(names.map { replaced($0) })
    case .reference(let reference): .reference(replaced(reference))
    case .referenceList(let references): .referenceList(references.map { replaced($0) })
    default: self
    }
  }
}

extension Reference {
  /// Returns the reference with another zone.
  package func replacingZone(_ body: (ZoneID) -> ZoneID) -> Reference {
    Reference(
      recordID: RecordID(recordName: recordID.recordName, zoneID: body(recordID.zoneID)),
      action: action, otherMembers: otherMembers)
  }
}

import CloudInterface
import RecordModel

/// A container as one of its users sees it.
///
/// ```swift
/// let kenji = try container.account("_kenji", emailAddress: "kenji@example.com")
/// try await kenji.privateCloudDatabase.save(RecordZone(zoneID: ZoneID(zoneName: "Notes")))
/// ```
///
/// Each user has a private database, and sees in the shared database what others share. The public
/// database is the same for all.
public struct MockAccount: MockClient {
  /// The container.
  public let container: MockContainer
  /// The record name of the user.
  public let userRecordName: String
  /// The account in the databases; nil for the signed-in user of the container.
  let account: String?

  var deviceKey: DeviceKey { DeviceKey(account: account, name: nil) }

  /// Returns the container as the app on one of the user's devices sees it.
  public func device(_ name: String) -> MockDevice {
    MockDevice(container: container, key: DeviceKey(account: account, name: name))
  }

  // MARK: The account

  /// Sets what `accountStatus()` returns, on all devices of the user.
  public func setAccountStatus(_ status: AccountStatus) {
    container.sessions.setStatus(status, of: account)
  }

  /// Deletes a zone as a user does in the settings; see
  /// ``MockContainer/purgeRecordZone(withID:for:)``.
  public func purgeRecordZone(
    withID zoneID: ZoneID, for reason: DeletedZone.Reason = .purged
  ) async throws {
    try await container.purgeRecordZone(zoneID, for: reason, of: account)
  }
}

extension MockContainer {
  /// Returns the container as a user sees it. The first call adds the user to the container, which
  /// keeps it.
  ///
  /// From then on the container stores the record name of its signed-in user, too.
  ///
  /// - Parameters:
  ///   - userRecordName: the record name of the user; that of the signed-in user, or of another one.
  ///   - nameComponents: the user's name; nil to keep what is known.
  ///   - emailAddress: an address by which others find the user; nil to keep what is known.
  ///   - phoneNumber: a number by which others find the user; nil to keep what is known.
  /// - Throws: `CloudError`: `invalidArguments` for a name that no user can have;
  ///   `ContainerStoreError` for a container that cannot be changed.
  public func account(
    _ userRecordName: String, nameComponents: UserIdentity.NameComponents? = nil,
    emailAddress: String? = nil, phoneNumber: String? = nil
  ) throws -> MockAccount {
    guard !userRecordName.isEmpty,
      !userRecordName.sameScalars(as: ZoneID.currentUserOwnerName)
    else {
      throw CloudError(
        .invalidArguments,
        "'\(userRecordName)' is not the record name of a user; an example is '_kenji'")
    }
    try rules.recordLimits.check(
      zoneID: ZoneID(zoneName: ZoneID.defaultZoneName, ownerName: userRecordName))
    let info = try store.info()
    let added = info.adding(userRecordName, nameComponents, emailAddress, phoneNumber)
    let isSignedIn = userRecordName.sameScalars(as: added.signedInUserRecordName)
    let zone = RecordZone(
      zoneID: ZoneID(zoneName: ZoneID.defaultZoneName, ownerName: userRecordName))
    let hasZone =
      try isSignedIn || store.snapshot { try $0.hasZone(zone.zoneID, in: .private) }
    if added != info || !hasZone && !store.isReadOnly {
      try store.transaction(limits: rules.recordLimits, at: now()) { transaction in
        // Accounts that others have added meanwhile stay.
        let info = try transaction.info()
        try transaction.setInfo(
          info.adding(userRecordName, nameComponents, emailAddress, phoneNumber))
        if !isSignedIn, try !transaction.hasZone(zone.zoneID, in: .private) {
          try transaction.save(zone, in: .private)
        }
      }
    }
    return MockAccount(
      container: self, userRecordName: userRecordName, account: isSignedIn ? nil : userRecordName)
  }

  /// The users that were added to the container, by record name.
  package var accounts: [ContainerAccount] { get throws { try store.info().accounts } }

  /// Returns the container as the app on a device of the signed-in user sees it.
  ///
  /// From the first call with its name on, the device receives notifications.
  public func device(_ name: String) -> MockDevice {
    MockDevice(container: self, key: DeviceKey(account: nil, name: name))
  }
}

extension ContainerInfo {
  /// Returns the metadata with an account, with what is known about it, and with the name of the
  /// signed-in user.
  fileprivate func adding(
    _ userRecordName: String, _ nameComponents: UserIdentity.NameComponents?,
    _ emailAddress: String?, _ phoneNumber: String?
  ) -> ContainerInfo {
    var result = self
    result.currentUserRecordName = signedInUserRecordName
    let index = result.addAccount(userRecordName)
    if let nameComponents { result.accounts[index].nameComponents = nameComponents }
    if let emailAddress { result.accounts[index].lookUp { $0.emailAddress = emailAddress } }
    if let phoneNumber { result.accounts[index].lookUp { $0.phoneNumber = phoneNumber } }
    return result
  }

  /// Adds an account that is not there yet.
  ///
  /// - Returns: its index.
  fileprivate mutating func addAccount(_ userRecordName: String) -> Int {
    if let index = index(ofAccount: userRecordName) { return index }
    let index =
      accounts.firstIndex { compareUTF8($0.userRecordName, userRecordName) > 0 } ?? accounts.count
    accounts.insert(ContainerAccount(userRecordName: userRecordName), at: index)
    return index
  }
}

extension ContainerAccount {
  fileprivate mutating func lookUp(_ body: (inout UserIdentity.LookupInfo) -> Void) {
    var info = lookupInfo ?? UserIdentity.LookupInfo()
    body(&info)
    lookupInfo = info
  }
}

/// A container as the app on one of a user's devices sees it.
///
/// ```swift
/// let phone = container.device("Phone")
/// let tablet = container.device("Tablet")
/// try await phone.privateCloudDatabase.save(
///   CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil)))
/// try await phone.privateCloudDatabase.save(message)
/// let received = tablet.notifications  // one for the message; the phone, which saved it, has none
/// ```
///
/// Records that a device saves have its name as `lastModifiedUserDevice`.
public struct MockDevice: MockClient {
  /// The container of the device.
  public let container: MockContainer
  let deviceKey: DeviceKey

  init(container: MockContainer, key: DeviceKey) {
    self.container = container
    deviceKey = key
    container.notifications.register(key)
  }

  /// The name of the device.
  public var name: String { deviceKey.name ?? "" }

  /// Signs out. Until somebody signs in, requests fail that need an account.
  public func signOut() { container.sessions.setUser(.nobody, of: deviceKey) }

  /// Signs in as a user of the container; whoever has signed in before is signed out.
  ///
  /// - Throws: `CloudError`: `badContainer` for a user of another container.
  public func signIn(as account: MockAccount) throws {
    guard account.container === container else {
      throw CloudError(.badContainer, "the account belongs to another container")
    }
    container.sessions.setUser(.account(account.account), of: deviceKey)
  }

  // MARK: Notifications

  /// The notifications that the device has received, in their order. The device keeps the last 10,000.
  public var notifications: [CloudNotification] {
    container.notifications.received(by: deviceKey)
  }

  /// Returns the notifications that the device has received and not taken before.
  public func takeNotifications() -> [CloudNotification] {
    container.notifications.take(by: deviceKey)
  }

  /// Returns the notifications that the device receives from now on, as they come.
  ///
  /// The sequence ends with the task that reads it.
  public func incomingNotifications() -> AsyncStream<CloudNotification> {
    container.notifications.stream(to: deviceKey)
  }
}

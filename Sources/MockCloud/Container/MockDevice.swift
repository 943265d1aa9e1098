import CloudInterface
import RecordModel

import struct Foundation.URL

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
/// What a device saves has its name as `lastModifiedUserDevice`.
public struct MockDevice: CloudContainer {
  /// The container of the device.
  public let container: MockContainer
  let key: DeviceKey

  init(container: MockContainer, key: DeviceKey) {
    self.container = container
    self.key = key
    container.notifications.register(key)
  }

  /// The name of the device.
  public var name: String { key.name ?? "" }

  /// The identifier of the container.
  public var containerIdentifier: String? { container.containerIdentifier }

  /// Returns the database with a scope, of the user who has signed in on the device at the time of a
  /// request.
  public func database(with databaseScope: DatabaseScope) -> MockDatabase {
    MockDatabase(container: container, databaseScope: databaseScope, device: key)
  }

  // MARK: The account

  /// Returns whether the app can use the account of the user who has signed in on the device.
  public func accountStatus() async throws -> AccountStatus {
    container.sessions.session(of: key).status
  }

  /// Returns the status of the account each time that it changes, and when another user signs in.
  public func accountChanges() -> AsyncStream<AccountStatus> { container.sessions.stream(to: key) }

  /// Returns the identifier of the record of the user who has signed in on the device.
  public func userRecordID() async throws -> RecordID {
    try await container.userRecordID(of: key)
  }

  /// Signs out. Until somebody signs in, requests fail that need an account.
  public func signOut() { container.sessions.setUser(.nobody, of: key) }

  /// Signs in as a user of the container; whoever has signed in before is signed out.
  ///
  /// - Throws: `CloudError`: `badContainer` for a user of another container.
  public func signIn(as account: MockAccount) throws {
    guard account.container === container else {
      throw CloudError(.badContainer, "the account belongs to another container")
    }
    container.sessions.setUser(.account(account.account), of: key)
  }

  // MARK: Sharing

  /// Finds users to invite to a share; see `CloudContainer`.
  public func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo]
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] {
    try await container.shareParticipants(for: lookupInfos, key)
  }

  /// Fetches what the user may know about the shares behind links; see `CloudContainer`.
  public func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<ShareMetadata, any Error>] {
    try await container.shareMetadatas(for: urls, key)
  }

  /// Accepts shares; see `CloudContainer`.
  public func accept(
    _ metadatas: [ShareMetadata]
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] {
    try await container.accept(metadatas, key)
  }

  // MARK: Notifications

  /// The notifications that the device has received, in their order.
  public var notifications: [CloudNotification] {
    container.notifications.received(by: key)
  }

  /// Returns the notifications that the device has received and not taken before.
  public func takeNotifications() -> [CloudNotification] { container.notifications.take(by: key) }

  /// Returns the notifications that the device receives from now on, as they come.
  ///
  /// The sequence ends with the task that reads it.
  public func incomingNotifications() -> AsyncStream<CloudNotification> {
    container.notifications.stream(to: key)
  }
}

extension MockContainer {
  /// Returns the container as the app on a device of the signed-in user sees it.
  ///
  /// From the first call with its name on, the device receives notifications.
  public func device(_ name: String) -> MockDevice {
    MockDevice(container: self, key: DeviceKey(account: nil, name: name))
  }
}

import CloudInterface
import RecordModel

/// A container as the app on one of the user's devices sees it.
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
  /// The name of the device.
  public let name: String

  /// The identifier of the container.
  public var containerIdentifier: String? { container.containerIdentifier }

  /// Returns the database with a scope.
  public func database(with databaseScope: DatabaseScope) -> MockDatabase {
    MockDatabase(container: container, databaseScope: databaseScope, deviceID: name)
  }

  /// Returns whether the app can use the user's account.
  public func accountStatus() async throws -> AccountStatus {
    try await container.accountStatus()
  }

  /// Returns the identifier of the signed-in user's record.
  public func userRecordID() async throws -> RecordID { try await container.userRecordID() }

  // MARK: Notifications

  /// The notifications that the device has received, in their order.
  public var notifications: [CloudNotification] {
    container.notifications.received(by: name)
  }

  /// Returns the notifications that the device has received and not taken before.
  public func takeNotifications() -> [CloudNotification] { container.notifications.take(by: name) }

  /// Returns the notifications that the device receives from now on, as they come.
  ///
  /// The sequence ends with the task that reads it.
  public func incomingNotifications() -> AsyncStream<CloudNotification> {
    container.notifications.stream(to: name)
  }
}

extension MockContainer {
  /// Returns the container as the app on a device of the signed-in user sees it.
  ///
  /// From the first call with its name on, the device receives notifications.
  public func device(_ name: String) -> MockDevice {
    notifications.register(name)
    return MockDevice(container: self, name: name)
  }
}

import CloudInterface
import RecordModel

extension NoteLibrary {
  /// Asks the server, once per device, to notify the app of what other devices and users change.
  public func subscribe() async throws {
    guard !state.isSubscribed else { return }
    for database: any CloudDatabase in [
      container.privateCloudDatabase, container.sharedCloudDatabase,
    ] {
      // A silent notification, which wakes the app.
      let subscription = CloudSubscription(
        subscriptionID: "changes-\(database.databaseScope.rawValue)",
        kind: .database(recordType: nil),
        notificationInfo: NotificationInfo(shouldSendContentAvailable: true))
      try await retry { _ = try await database.save(subscription) }
    }
    try update { $0.isSubscribed = true }
  }

  /// Fetches what a notification is about. It says in which database something has changed, not what;
  /// notifications may be doubled, late or missing.
  public func receive(_ notification: CloudNotification) async throws {
    switch notification.databaseScope {
    case .private: try await syncOwn()
    case .shared: try await syncShared()
    case .public: break
    }
  }
}

import CloudInterface

/// Something that the system tells an engine.
public enum SyncSignal: Sendable, Hashable {
  /// A push notification has arrived.
  case notification(CloudNotification)
  /// The account has changed.
  case accountChanged
}

/// The push notifications and account changes of a device.
public protocol SyncSignals: Sendable {
  /// Calls `handler` with each signal until the result is released.
  ///
  /// The handler returns at once.
  func observe(_ handler: @escaping @Sendable (SyncSignal) -> Void) -> any Sendable
}

/// Signals from streams, such as those of a container that records calls.
///
/// Streams are read by tasks, so that a signal may arrive a moment after it was sent.
public struct SyncStreams: SyncSignals {
  private let notifications: @Sendable () -> AsyncStream<CloudNotification>
  private let accountChanges: @Sendable () -> AsyncStream<AccountStatus>

  /// Creates signals.
  ///
  /// - Parameters:
  ///   - notifications: returns a stream of the notifications from now on.
  ///   - accountChanges: returns a stream of the changes of the account from now on, such as
  ///     `container.accountChanges`.
  public init(
    notifications: @escaping @Sendable () -> AsyncStream<CloudNotification>,
    accountChanges: @escaping @Sendable () -> AsyncStream<AccountStatus>
  ) {
    self.notifications = notifications
    self.accountChanges = accountChanges
  }

  /// Reads the streams until the result is released.
  public func observe(_ handler: @escaping @Sendable (SyncSignal) -> Void) -> any Sendable {
    let (notifications, changes) = (notifications(), accountChanges())
    return ReadingTasks([
      Task.detached {
        for await notification in notifications { handler(.notification(notification)) }
      },
      Task.detached { for await _ in changes { handler(.accountChanged) } },
    ])
  }
}

/// Tasks that end with the object.
private final class ReadingTasks: Sendable {
  private let tasks: [Task<Void, Never>]

  init(_ tasks: [Task<Void, Never>]) { self.tasks = tasks }

  deinit { for task in tasks { task.cancel() } }
}

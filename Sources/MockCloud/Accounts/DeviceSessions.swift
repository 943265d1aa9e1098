import CloudInterface
import Synchronization

/// A device of a user.
struct DeviceKey: Hashable, Sendable {
  /// The record name of the account whose device it is; nil for the signed-in user of the container.
  var account: String?
  /// The name of the device; nil for code that has none.
  var name: String?
}

/// The users who have signed in on the devices of a container, and the status of the accounts. They are
/// lost when the container is closed.
final class DeviceSessions: Sendable {
  /// The user who has signed in on a device.
  enum User: Equatable {
    case nobody
    /// The user with a record name; nil for the signed-in user of the container.
    case account(String?)
  }

  private struct State {
    /// The accounts whose status was set; an empty name stands for the signed-in user.
    var statuses: [String: AccountStatus] = [:]
    /// The users of the devices where somebody has signed in or out.
    var users: [DeviceKey: User] = [:]
    var streams: [Int: (DeviceKey, AsyncStream<AccountStatus>.Continuation)] = [:]
    var observers: [Int: (DeviceKey, @Sendable () -> Void)] = [:]
    var nextStream = 0

    func user(of device: DeviceKey) -> User { users[device] ?? .account(device.account) }

    func status(of device: DeviceKey) -> AccountStatus {
      guard case .account(let account) = user(of: device) else { return .noAccount }
      return statuses[account ?? ""] ?? .available
    }

    /// Sends the status to the streams of devices, and returns the observers to call.
    func yield(to isConcerned: (DeviceKey) -> Bool) -> [@Sendable () -> Void] {
      for (_, (device, stream)) in streams.sorted(by: { $0.key < $1.key })
      where isConcerned(device) {
        stream.yield(status(of: device))
      }
      return observers.sorted { $0.key < $1.key }.map(\.value).filter { isConcerned($0.0) }
        .map(\.1)
    }
  }

  private let state = Mutex(State())

  /// Returns who has signed in on a device, and the status of the account.
  func session(of device: DeviceKey) -> (account: String?, status: AccountStatus) {
    state.withLock { state in
      guard case .account(let account) = state.user(of: device) else {
        return (device.account, .noAccount)
      }
      return (account, state.status(of: device))
    }
  }

  func user(of device: DeviceKey) -> User { state.withLock { $0.user(of: device) } }

  func setStatus(_ status: AccountStatus, of account: String?) {
    let observers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.statuses.updateValue(status, forKey: account ?? "") ?? .available != status else {
        return []
      }
      return state.yield { state.user(of: $0) == .account(account) }
    }
    for observer in observers { observer() }
  }

  func setUser(_ user: User, of device: DeviceKey) {
    let observers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.user(of: device) != user else { return [] }
      state.users[device] = user
      return state.yield { $0 == device }
    }
    for observer in observers { observer() }
  }

  /// Calls `handler` when the account of a device has changed, before the change returns.
  ///
  /// - Returns: the number for ``removeObserver(_:)``.
  func addObserver(of device: DeviceKey, _ handler: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextStream += 1
      state.observers[state.nextStream] = (device, handler)
      return state.nextStream
    }
  }

  func removeObserver(_ number: Int) {
    state.withLock { _ = $0.observers.removeValue(forKey: number) }
  }

  func stream(to device: DeviceKey) -> AsyncStream<AccountStatus> {
    AsyncStream { continuation in
      let number = state.withLock { state in
        state.nextStream += 1
        state.streams[state.nextStream] = (device, continuation)
        return state.nextStream
      }
      continuation.onTermination = { [self] _ in
        state.withLock { _ = $0.streams.removeValue(forKey: number) }
      }
    }
  }
}

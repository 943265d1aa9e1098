import CloudInterface
import RecordModel
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
    var nextStream = 0

    func user(of device: DeviceKey) -> User { users[device] ?? .account(device.account) }

    func status(of device: DeviceKey) -> AccountStatus {
      guard case .account(let account) = user(of: device) else { return .noAccount }
      return statuses[account ?? ""] ?? .available
    }

    func yield(to isConcerned: (DeviceKey) -> Bool) {
      for (_, (device, stream)) in streams.sorted(by: { $0.key < $1.key })
      where isConcerned(device) {
        stream.yield(status(of: device))
      }
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
    state.withLock { state in
      guard state.statuses.updateValue(status, forKey: account ?? "") ?? .available != status else {
        return
      }
      state.yield { state.user(of: $0) == .account(account) }
    }
  }

  func setUser(_ user: User, of device: DeviceKey) {
    state.withLock { state in
      guard state.user(of: device) != user else { return }
      state.users[device] = user
      state.yield { $0 == device }
    }
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

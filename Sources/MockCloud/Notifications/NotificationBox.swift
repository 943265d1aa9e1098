import CloudInterface
import Synchronization

/// The notifications of the devices of a container; they are lost when it is closed.
final class NotificationBox: Sendable {
  fileprivate struct Device {
    var received: [CloudNotification] = []
    /// How many of them were taken.
    var taken = 0
    var streams: [Int: AsyncStream<CloudNotification>.Continuation] = [:]
    var badge = 0
  }

  private struct State {
    var devices: [String: Device] = [:]
    /// The names of the devices, in the order in which they were first used.
    var names: [String] = []
    var nextStream = 0
  }

  private let state = Mutex(State())

  func register(_ name: String) {
    state.withLock { state in
      guard state.devices[name] == nil else { return }
      state.devices[name] = Device()
      state.names.append(name)
    }
  }

  func received(by name: String) -> [CloudNotification] {
    state.withLock { $0.devices[name]?.received ?? [] }
  }

  func take(by name: String) -> [CloudNotification] {
    state.withLock { state in
      guard let device = state.devices[name] else { return [] }
      state.devices[name]?.taken = device.received.count
      return Array(device.received[device.taken...])
    }
  }

  func stream(to name: String) -> AsyncStream<CloudNotification> {
    AsyncStream { continuation in
      let number = state.withLock { state in
        state.nextStream += 1
        state.devices[name]?.streams[state.nextStream] = continuation
        return state.nextStream
      }
      continuation.onTermination = { [self] _ in
        state.withLock { _ = $0.devices[name]?.streams.removeValue(forKey: number) }
      }
    }
  }

  /// Sends notifications to all devices but one.
  func send(
    _ notifications: [PendingNotification], from sender: String?, _ delivery: ServerRules.Delivery
  ) {
    guard !notifications.isEmpty, delivery != .dropped else { return }
    state.withLock { state in
      for name in state.names where name != sender {
        for notification in notifications {
          state.devices[name]?.receive(notification, delivery)
        }
      }
    }
  }
}

extension NotificationBox.Device {
  fileprivate mutating func receive(
    _ pending: PendingNotification, _ delivery: ServerRules.Delivery
  ) {
    var notification = pending.notification
    if pending.increasesBadge {
      badge += 1
      notification.badge = badge
    }
    if delivery == .coalesced,
      let index = received[taken...].firstIndex(where: { $0.isReplaced(by: notification) })
    {
      received.remove(at: index)
    }
    let isDoubled =
      delivery == .doubled
      || delivery == .doubledForChildren && pending.isChildCreation
        && notification.kind == .database
    for _ in 0..<(isDoubled ? 2 : 1) {
      received.append(notification)
      for (_, stream) in streams.sorted(by: { $0.key < $1.key }) { stream.yield(notification) }
    }
  }
}

extension CloudNotification {
  /// Whether a later notification says all that this one says.
  fileprivate func isReplaced(by later: CloudNotification) -> Bool {
    guard databaseScope == later.databaseScope, subscriptionID == later.subscriptionID else {
      return false
    }
    return collapseID == later.collapseID
  }
}

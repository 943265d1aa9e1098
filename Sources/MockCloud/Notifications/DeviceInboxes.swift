import CloudInterface
import Synchronization

import struct Foundation.Date

/// The notifications of the devices of a container; they are lost when it is closed.
final class DeviceInboxes: Sendable {
  fileprivate struct Device {
    var received: [CloudNotification] = []
    /// The number of notifications that were taken.
    var taken = 0
    var streams: [Int: AsyncStream<CloudNotification>.Continuation] = [:]
    var observers: [Int: @Sendable (CloudNotification) -> Void] = [:]
    var badge = 0
  }

  fileprivate struct State {
    var devices: [DeviceKey: Device] = [:]
    /// The devices, in the order in which they were first used.
    var keys: [DeviceKey] = []
    var nextStream = 0
    var sent: [SentNotification] = []
    var sentCount = 0
  }

  /// The number of notifications that are remembered after they were sent.
  private static let sentCapacity = 200
  /// The number of notifications that a device keeps, taken or not.
  static let capacity = 10_000

  private let state = Mutex(State())

  func register(_ key: DeviceKey) {
    state.withLock { state in
      guard state.devices[key] == nil else { return }
      state.devices[key] = Device()
      state.keys.append(key)
    }
  }

  func received(by key: DeviceKey) -> [CloudNotification] {
    state.withLock { $0.devices[key]?.received ?? [] }
  }

  func take(by key: DeviceKey) -> [CloudNotification] {
    state.withLock { state in
      guard let device = state.devices[key] else { return [] }
      state.devices[key]?.taken = device.received.count
      return Array(device.received[device.taken...])
    }
  }

  /// The last notifications, the oldest first, whether or not a device has received them.
  var sent: [SentNotification] { state.withLock { $0.sent } }

  func stream(to key: DeviceKey) -> AsyncStream<CloudNotification> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.capacity)) { continuation in
      let number = state.withLock { state in
        state.nextStream += 1
        state.devices[key]?.streams[state.nextStream] = continuation
        return state.nextStream
      }
      continuation.onTermination = { [self] _ in
        state.withLock { _ = $0.devices[key]?.streams.removeValue(forKey: number) }
      }
    }
  }

  /// Calls `handler` with each notification before the request that leads to it has returned.
  ///
  /// - Returns: the number for ``removeObserver(_:of:)``.
  func addObserver(
    of key: DeviceKey, _ handler: @escaping @Sendable (CloudNotification) -> Void
  ) -> Int {
    state.withLock { state in
      state.nextStream += 1
      state.devices[key]?.observers[state.nextStream] = handler
      return state.nextStream
    }
  }

  func removeObserver(_ number: Int, of key: DeviceKey) {
    state.withLock { _ = $0.devices[key]?.observers.removeValue(forKey: number) }
  }

  /// Sends notifications to all devices of their users but one.
  func send(
    _ notifications: [PendingNotification], from sender: DeviceKey?, _ sessions: DeviceSessions,
    _ delivery: ServerRules.Delivery, at date: Date
  ) {
    guard !notifications.isEmpty, delivery != .dropped else { return }
    let calls = state.withLock { state in
      var calls: [@Sendable () -> Void] = []
      for notification in notifications { state.remember(notification, Self.sentCapacity, date) }
      for key in state.keys where key != sender {
        let user = sessions.user(of: key)
        for notification in notifications where user == .account(notification.account) {
          calls += state.devices[key]?.receive(notification, delivery) ?? []
        }
      }
      return calls
    }
    // Observers may use the inbox.
    for call in calls { call() }
  }
}

extension DeviceInboxes.State {
  fileprivate mutating func remember(
    _ pending: PendingNotification, _ capacity: Int, _ date: Date
  ) {
    sentCount += 1
    if sent.count >= capacity { sent.removeFirst() }
    sent.append(
      SentNotification(
        number: sentCount, date: date, account: pending.account,
        notification: pending.notification))
  }
}

extension DeviceInboxes.Device {
  /// Drops the oldest notifications, many at a time, so that each is moved once.
  private mutating func dropOldest() {
    let limit = DeviceInboxes.capacity
    guard received.count >= limit + limit / 4 else { return }
    let dropped = received.count - limit
    received.removeFirst(dropped)
    taken = max(0, taken - dropped)
  }

  /// Adds a notification, and returns the calls of the observers.
  fileprivate mutating func receive(
    _ pending: PendingNotification, _ delivery: ServerRules.Delivery
  ) -> [@Sendable () -> Void] {
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
      delivery == .doubledForChildren && pending.isChildCreation
      && notification.kind == .database
    var calls: [@Sendable () -> Void] = []
    for _ in 0..<(isDoubled ? 2 : 1) {
      received.append(notification)
      for (_, stream) in streams.sorted(by: { $0.key < $1.key }) { stream.yield(notification) }
      for (_, observer) in observers.sorted(by: { $0.key < $1.key }) {
        calls.append { [notification] in observer(notification) }
      }
    }
    dropOldest()
    return calls
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

/// A notification as the server sent it, before devices count badges.
package struct SentNotification: Sendable {
  /// The number of the notification, from 1.
  package let number: Int
  /// The time at which it was sent.
  package let date: Date
  /// The record name of another account whose devices get it; nil for the signed-in user.
  package let account: String?
  /// The notification.
  package let notification: CloudNotification
}

extension MockContainer {
  /// The last notifications, the oldest first, whether or not a device has received them.
  package var sentNotifications: [SentNotification] { notifications.sent }
}

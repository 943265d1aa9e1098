import CloudInterface
import RecordModel
import Testing

@testable import MockCloud

@Suite("A device that never fetches its notifications")
struct InboxLimitTests {
  @Test("keeps the newest, and which of them were taken")
  func limit() async throws {
    let container = try await makeDatabase().container
    let device = container.device("Phone")
    let limit = DeviceInboxes.capacity
    func send(_ range: Range<Int>) {
      let sent = range.map { number in
        PendingNotification(
          notification: CloudNotification(
            .database, subscriptionID: "\(number)", databaseScope: .private),
          account: nil, increasesBadge: false, isChildCreation: false)
      }
      container.notifications.send(
        sent, from: nil, container.sessions, .each, at: container.now())
    }
    send(0..<5)
    #expect(device.takeNotifications().count == 5)
    send(5..<(2 * limit))
    let received = device.notifications
    #expect((limit...(limit + limit / 4)).contains(received.count))
    #expect(received.last?.subscriptionID == "\(2 * limit - 1)")
    #expect(device.takeNotifications().count == received.count)
    send(0..<1)
    #expect(device.takeNotifications().map(\.subscriptionID) == ["0"])
  }
}

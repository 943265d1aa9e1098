import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import Synchronization

/// The devices that were registered over the web, and what they have not fetched yet.
final class WebDevices: Sendable {
  /// The maximum number of devices: a container keeps each of them as long as it is open.
  private static let capacity = 1000

  private let waiting = Mutex<[Ticket: [CloudNotification]]>([:])

  /// - Throws: ``WebError``: `THROTTLED` for too many devices.
  func register(_ device: Ticket) throws {
    try waiting.withLock { waiting in
      guard waiting[device] == nil else { return }
      guard waiting.count < Self.capacity else {
        throw WebError(.throttled, "\(Self.capacity) devices are registered already")
      }
      waiting[device] = []
    }
  }

  /// Returns the next notification of a device; nil for none.
  func next(_ ticket: Ticket, of device: MockDevice) -> CloudNotification? {
    waiting.withLock { waiting in
      guard waiting[ticket] != nil else { return nil }
      waiting[ticket]? += device.takeNotifications()
      return waiting[ticket]?.isEmpty == false ? waiting[ticket]?.removeFirst() : nil
    }
  }
}

extension WebServicesHandler {
  /// Returns the next notification of a device, or an empty response if none comes in time.
  func notifications(_ request: WebRequest, _ token: String) async throws -> WebResponse {
    guard request.method == "GET" || request.method == "POST" else {
      throw WebError(.badRequest, "the method of a request for notifications is GET")
    }
    guard let ticket = signer.ticket(of: token),
      case .device(let name, user: let user, of: let address) = ticket,
      let served = try? container(at: address), try served.hasUser(user),
      let device = try served.container(of: .user(user), device: name) as? MockDevice
    else { throw WebError(.notFound, "the address leads to no device") }
    let stream = device.incomingNotifications()
    var next = devices.next(ticket, of: device)
    if next == nil {
      await Self.wait(for: stream, atMost: pollTime)
      next = devices.next(ticket, of: device)
    }
    guard let next else { return WebResponse(status: 204) }
    return WebResponse(json: try NotificationPayload.json(next, address))
  }

  private static func wait(
    for stream: AsyncStream<CloudNotification>, atMost time: Duration
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in stream { return } }
      group.addTask { try? await Task.sleep(for: time) }
      await group.next()
      group.cancelAll()
    }
  }
}

/// Writes notifications as pushes carry them.
///
/// Source: the payloads that apps have published. The names of members are short because a push is.
enum NotificationPayload {
  /// - Parameter id: the identifier of the notification.
  static func json(
    _ notification: CloudNotification, _ address: ContainerAddress,
    id: String = UUID().uuidString.lowercased()
  ) throws -> JSONValue {
    .object([
      .init("aps", aps(notification)), .init("ck", try cloudKit(notification, address, id: id)),
    ])
  }

  private static func aps(_ notification: CloudNotification) -> JSONValue {
    var alert = JSONObjectWriter()
    add(notification.title, as: "title", "title-loc", to: &alert)
    add(notification.subtitle, as: "subtitle", "subtitle-loc", to: &alert)
    add(notification.alert, as: "body", "loc", to: &alert)
    var members = JSONObjectWriter()
    if alert.value.members?.isEmpty == false { members.add("alert", alert.value) }
    members.add("badge", notification.badge.map(JSONValue.integer))
    members.add("sound", notification.soundName)
    members.add("category", notification.category)
    if notification.launchesApp { members.add("content-available", .integer(1)) }
    return members.value
  }

  private static func add(
    _ text: CloudNotification.Text?, as name: String, _ key: String,
    to members: inout JSONObjectWriter
  ) {
    guard let text else { return }
    members.add(name, text.text)
    members.add(key + "-key", text.localizationKey)
    if !text.localizationArgs.isEmpty {
      members.add(key + "-args", .array(text.localizationArgs.map(JSONValue.string)))
    }
  }

  private static func cloudKit(
    _ notification: CloudNotification, _ address: ContainerAddress, id: String
  ) throws -> JSONValue {
    var inner = JSONObjectWriter()
    inner.add("dbs", .integer(number(of: notification.databaseScope)))
    inner.add("sid", notification.subscriptionID)
    let name: String
    switch notification.kind {
    case .query(let recordID, let reason, let fields):
      name = "qry"
      inner.add("fo", .integer(number(of: reason)))
      inner.add("rid", recordID.recordName)
      add(recordID.zoneID, to: &inner)
      let values = try fields.sorted { $0.key < $1.key }.map { name, value in
        JSONValue.Member(name, try value.jsonValue(in: .default)["value"] ?? .null)
      }
      if !values.isEmpty { inner.add("af", .object(values)) }
    case .recordZone(let zoneID):
      name = "fet"
      add(zoneID, to: &inner)
    case .database: name = "met"
    }
    var members = JSONObjectWriter()
    members.add("cid", notification.containerIdentifier ?? address.identifier)
    members.add("nid", id)
    members.add("ce", .integer(2))
    members.add(name, inner.value)
    return members.value
  }

  private static func add(_ zoneID: ZoneID, to members: inout JSONObjectWriter) {
    members.add("zid", zoneID.zoneName)
    members.add("zoid", zoneID.ownerName)
  }

  /// The numbers of `CKDatabase.Scope`.
  private static func number(of scope: DatabaseScope) -> Int {
    switch scope {
    case .public: 1
    case .private: 2
    case .shared: 3
    }
  }

  /// The numbers of `CKQueryNotification.Reason`.
  private static func number(of change: CloudSubscription.ChangeType) -> Int {
    switch change {
    case .create: 1
    case .update: 2
    case .delete: 3
    }
  }
}

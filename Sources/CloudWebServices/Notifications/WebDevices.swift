import CloudInterface
import MockCloud
import RecordCoding
import Synchronization

/// The devices that were registered over the web, and what they have not fetched yet.
final class WebDevices: Sendable {
  /// The maximum number of devices: a container keeps each of them as long as it is open.
  private static let capacity = 1000

  private let waiting = Mutex<[[String]: [CloudNotification]]>([:])

  /// - Parameter key: the container, the environment, the user and the token of the device.
  /// - Throws: ``WebError``: `THROTTLED` for too many devices.
  func register(_ key: [String]) throws {
    try waiting.withLock { waiting in
      guard waiting[key] == nil else { return }
      guard waiting.count < Self.capacity else {
        throw WebError(.throttled, "\(Self.capacity) devices are registered already")
      }
      waiting[key] = []
    }
  }

  /// Returns the next notification of a device; nil for none.
  func next(_ key: [String], of device: MockDevice) -> CloudNotification? {
    waiting.withLock { waiting in
      guard waiting[key] != nil else { return nil }
      waiting[key]? += device.takeNotifications()
      return waiting[key]?.isEmpty == false ? waiting[key]?.removeFirst() : nil
    }
  }
}

extension EndpointCall {
  /// Makes the user's device with a name receive notifications.
  ///
  /// - Returns: the record name of the user, as in tokens.
  func register(device name: String) async throws -> String {
    let user = try await requireUser().recordName
    try devices.register(place.words + [user, name])
    _ = try served.container(of: caller, device: name)
    return user
  }
}

extension WebServicesHandler {
  /// Returns the next notification of a device, or an empty response if none comes in time.
  func notifications(_ request: WebRequest, _ token: String) async throws -> WebResponse {
    guard request.method == "GET" || request.method == "POST" else {
      throw WebError(.badRequest, "the method of a request for notifications is GET")
    }
    guard let words = signer.words(.device, of: token), words.count == 4,
      let place = try? WebPlace(words[0], environment: words[1]),
      let served = try? container(at: place), try served.hasUser(words[2]),
      let device = try served.container(of: .user(words[2]), device: words[3]) as? MockDevice
    else { throw WebError(.notFound, "the address leads to no device") }
    let stream = device.incomingNotifications()
    var next = devices.next(words, of: device)
    if next == nil {
      await Self.wait(for: stream, atMost: pollTime)
      next = devices.next(words, of: device)
    }
    guard let next else { return WebResponse(status: 204) }
    return WebResponse(json: try NotificationPayload.json(next, place))
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

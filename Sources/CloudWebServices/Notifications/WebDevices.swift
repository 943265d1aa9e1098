import CloudInterface
import Foundation
import MockCloud
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
    return WebResponse(json: try next.payload(of: address.identifier))
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

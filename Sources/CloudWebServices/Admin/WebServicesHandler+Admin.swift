import Foundation
import RecordCoding
import RecordModel

extension WebServicesHandler {
  /// Answers a request of a test.
  ///
  /// - Parameter path: what follows `/admin/`.
  func administer(
    _ request: WebRequest, _ path: String, _ notes: RequestNotes
  ) async throws -> WebResponse {
    guard let admin else { throw WebError(.notFound, "the path leads nowhere") }
    if request.method == "POST", path == "load" { return try await load(request) }
    var body = try RequestBody(
      request.body.isEmpty ? .object([]) : try Self.parse(request.body), notes)
    defer { body.finish() }
    switch (request.method, path) {
    case ("POST", "reset"):
      try reset(try place(&body))
      return WebResponse(json: .object([]))
    case ("POST", "snapshot"):
      let container = try container(in: try place(&body)).container
      return WebResponse(
        status: 200, headers: ["Content-Type": "application/octet-stream"],
        body: try admin.snapshot(container))
    case ("GET", "clock"): break
    case ("POST", "clock"):
      let seconds = try body.required("advance", Double.self)
      guard (0...1e10).contains(seconds) else {
        throw WebError(.badRequest, "'advance' is a number of seconds that is not negative")
      }
      admin.clock.advance(by: seconds)
    case ("GET", "faults"): return WebResponse(json: admin.faults.json)
    case ("POST", "faults"):
      return WebResponse(
        json: .object([.init("id", .integer(try admin.faults.add(WebFault(&body))))]))
    case ("DELETE", "faults"):
      admin.faults.clear()
      return WebResponse(json: .object([]))
    case ("POST", "release"):
      let id = try body.value("id", Int64.self).map { Int(clamping: $0) }
      return WebResponse(
        json: .object([.init("released", .integer(admin.faults.release(id)))]))
    case ("GET", "log"):
      return WebResponse(json: .object([.init("requests", .array(log.entries.map(\.json)))]))
    case ("DELETE", "log"):
      log.clear()
      return WebResponse(json: .object([]))
    default: throw WebError(.notFound, "the path leads nowhere")
    }
    return WebResponse(
      json: .object([.init("now", .string(admin.clock.now.formatted(.iso8601)))]))
  }

  /// Takes the container and environment that a request names; nil if there is only one container.
  private func place(_ body: inout RequestBody) throws -> WebPlace? {
    guard let identifier = try body.value("container", String.self) else { return nil }
    return try WebPlace(
      identifier, environment: try body.value("environment") ?? "development")
  }

  private func container(in place: WebPlace?) throws -> WebContainer {
    if let place { return try container(at: place) }
    guard containers.count == 1, let only = containers.first else {
      throw WebError(.badRequest, "several containers are served; name one in 'container'")
    }
    return only
  }
}

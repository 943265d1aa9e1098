import Foundation
import RecordCoding

extension WebServicesHandler {
  /// Does what a form of the page asks for, as the request of a test would.
  ///
  /// - Throws: ``WebError``: `ACCESS_DENIED` for a form that is not on the page itself.
  func act(
    _ action: PageAction, _ served: WebContainer, _ request: WebRequest
  ) async throws -> WebResponse {
    guard page == .withServices, let admin else {
      throw WebError(.notFound, "the path leads nowhere")
    }
    guard request.method == "POST" else {
      throw WebError(.badRequest, "the method of a form is POST")
    }
    guard Self.isFromPage(request) else {
      throw WebError(.accessDenied, "the form is not on this page")
    }
    guard request.body.count <= 64 << 10 else {
      throw WebError(.badRequest, "the form is too large")
    }
    let form = WebRequest(
      "POST", "/?" + String(decoding: request.body, as: UTF8.self)
    ).queryItems
    func value(_ name: String) -> String? {
      form.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
    func number(_ name: String) throws -> JSONValue? {
      try value(name).map { text in
        guard let number = Double(text), number.isFinite else {
          throw WebError(.badRequest, "'\(text)' is not a number")
        }
        return .number(text: text)
      }
    }
    var next = PageView.overview
    switch action {
    case .reset: try reset(served)
    case .snapshot:
      // Headers are ASCII.
      let name = (served.identifier ?? "").filter {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".")
      }
      return WebResponse(
        status: 200,
        headers: [
          "Content-Type": "application/octet-stream",
          "Content-Disposition":
            "attachment; filename=\"\(name.isEmpty ? "Container" : name).recordpack\"",
        ], body: try admin.snapshot(served.container))
    case .clock:
      next = .faults
      guard let seconds = value("advance").flatMap(Double.init), (0...1e10).contains(seconds) else {
        throw WebError(.badRequest, "the clock is advanced by seconds that are not negative")
      }
      admin.clock.advance(by: seconds)
    case .addFault:
      next = .faults
      var members = JSONObjectWriter()
      for name in ["endpoint", "zone", "record", "recordType", "error", "moment"] {
        members.add(name, value(name))
      }
      for name in ["times", "probability", "retryAfter", "latency"] {
        members.add(name, try number(name))
      }
      for name in ["cut", "hold"] where value("otherwise") == name {
        members.add(name, .bool(true))
      }
      var body = try RequestBody(members.value, RequestNotes())
      _ = try admin.faults.add(WebFault(&body))
    case .clearFaults:
      next = .faults
      admin.faults.clear()
    case .release:
      next = .faults
      _ = admin.faults.release(value("id").flatMap { Int($0) })
    case .clearRequests:
      next = .requests
      log.clear()
    }
    let path = PageContainerName(served).path + "/" + next.rawValue
    return WebResponse(status: 303, headers: ["Location": path])
  }

  /// Whether a form is on a page of this very server. Other servers of this machine are other origins.
  private static func isFromPage(_ request: WebRequest) -> Bool {
    guard let origin = request.headers["Origin"], let host = request.headers["Host"] else {
      return false
    }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}

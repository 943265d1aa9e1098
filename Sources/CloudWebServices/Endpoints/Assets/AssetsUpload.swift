import Foundation
import RecordCoding
import RecordModel

/// `assets/upload`: returns addresses that take the contents of assets. What such an address answers
/// is the value of a field in `records/modify`.
struct AssetsUpload: Endpoint {
  static let path = "assets/upload"

  private let tokens: [(fieldName: String, recordName: String)]

  init(_ body: inout RequestBody) throws {
    _ = try body.zone()
    tokens = try body.objects("tokens") { token in
      _ = try token.value("recordType", String.self)
      return (
        try token.required("fieldName"), try token.value("recordName") ?? UUID().uuidString
      )
    }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    // What may be uploaded may be saved.
    if case .server = call.caller {} else { try await call.requireUser() }
    let maximum = call.served.container.rules.maxItems
    guard tokens.count <= maximum else {
      throw WebError(.badRequest, "a request has at most \(maximum) tokens")
    }
    let items = tokens.map { token -> JSONValue in
      var members = JSONObjectWriter()
      members.add("recordName", token.recordName)
      members.add("fieldName", token.fieldName)
      let words = call.uploads.addressWords(call.place)
      members.add("url", call.address("assets/upload", .upload, words))
      return members.value
    }
    return .object([.init("tokens", .array(items))])
  }
}

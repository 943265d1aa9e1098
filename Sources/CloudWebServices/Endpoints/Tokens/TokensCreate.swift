import Foundation
import RecordCoding

/// `tokens/create`: makes the client a device of the user that receives notifications, at the address
/// `webcourierURL`.
struct TokensCreate: Endpoint {
  static let path = "tokens/create"
  static let allowsServers = false

  private let environment: String

  init(_ body: inout RequestBody) throws {
    environment = try body.required("apnsEnvironment")
    _ = try body.value("clientId", String.self)
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let token = UUID().uuidString.replacing("-", with: "").lowercased()
    let user = try await call.register(device: token)
    let words = call.place.words + [user, token]
    var members = JSONObjectWriter()
    members.add("apnsEnvironment", environment)
    members.add("apnsToken", token)
    members.add("webcourierURL", call.address("notifications", .device, words))
    return members.value
  }
}

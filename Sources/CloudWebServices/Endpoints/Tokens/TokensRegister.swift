import RecordCoding

/// `tokens/register`: makes the device with a token one of the user's.
struct TokensRegister: Endpoint {
  static let path = "tokens/register"
  static let allowsServers = false

  private let token: String

  init(_ body: inout RequestBody) throws {
    token = try body.required("apnsToken")
    _ = try body.required("apnsEnvironment", String.self)
    _ = try body.value("clientId", String.self)
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    guard (1...200).contains(token.utf8.count) else {
      throw WebError(.badRequest, "an apnsToken has 1 to 200 characters")
    }
    _ = try await call.register(device: token)
    return .object([])
  }
}

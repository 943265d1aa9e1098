import RecordCoding
import RecordModel

/// `users/lookup/email`: finds users by e-mail addresses.
struct UsersLookupEmail: Endpoint {
  static let path = "users/lookup/email"
  static let allowsServers = false

  private let addresses: [String]

  init(_ body: inout RequestBody) throws {
    addresses = try body.objects("users") { try $0.required("emailAddress") }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    try await ServedUser.users(
      addresses.map { UserIdentity.LookupInfo(emailAddress: $0) }, call)
  }
}

import RecordCoding

/// `users/caller`: returns the user whose web auth token the request has, by GET or POST.
struct UsersCaller: Endpoint {
  static let path = "users/caller"
  static let methods: Set = ["GET", "POST"]
  static let allowsServers = false

  init(_ body: inout RequestBody) throws {}

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    try ServedUser.json(try await ServedUser.caller(call))
  }
}

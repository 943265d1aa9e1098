import RecordCoding

/// `users/current`: the earlier form of `users/caller`, with the parts of the name as members.
struct UsersCurrent: Endpoint {
  static let path = "users/current"
  static let methods: Set = ["GET", "POST"]
  static let allowsServers = false

  init(_ body: inout RequestBody) throws {}

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let user = try await ServedUser.caller(call)
    var members = JSONObjectWriter()
    members.add("userRecordName", user.userRecordName)
    members.add("firstName", user.nameComponents?.givenName)
    members.add("lastName", user.nameComponents?.familyName)
    members.add("emailAddress", user.lookupInfo?.emailAddress)
    return members.value
  }
}

import RecordCoding
import RecordModel

/// `users/discover`: finds users by any of their identities (POST), or returns all others that the
/// container knows (GET), who stand for the contacts of the user.
struct UsersDiscover: Endpoint {
  static let path = "users/discover"
  static let methods: Set = ["GET", "POST"]
  static let allowsServers = false

  private let lookupInfos: [UserIdentity.LookupInfo]?

  init(_ body: inout RequestBody) throws {
    lookupInfos = try body.value("lookupInfos")
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    try ServedUser.check(call)
    if call.method == "POST" {
      guard let lookupInfos else {
        throw WebError(.badRequest, "missing required field 'lookupInfos'")
      }
      return try await ServedUser.users(lookupInfos, call)
    }
    let caller = try await call.requireUser().recordName
    let others = try call.served.container.accounts.filter { $0.userRecordName != caller }
    return .object([
      .init(
        "users",
        .array(
          try others.map { account in
            try ServedUser.json(
              UserIdentity(
                userRecordName: account.userRecordName, nameComponents: account.nameComponents,
                lookupInfo: account.lookupInfo))
          }))
    ])
  }
}

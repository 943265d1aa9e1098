import CloudInterface
import RecordCoding
import RecordModel

/// Finds users, and writes them as they are in responses.
enum ServedUser {
  static func json(_ identity: UserIdentity) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("userRecordName", identity.userRecordName)
    try members.add("nameComponents", identity.nameComponents)
    try members.add("lookupInfo", identity.lookupInfo)
    return members.value
  }

  /// Returns the caller.
  static func caller(_ call: EndpointCall) async throws -> UserIdentity {
    let name = try await call.requireUser().recordName
    let account = try call.served.container.accounts.first { $0.userRecordName == name }
    return UserIdentity(
      userRecordName: name, nameComponents: account?.nameComponents,
      lookupInfo: account?.lookupInfo)
  }

  /// Returns a response with the users that were found, in the order of what was looked for.
  static func users(
    _ lookupInfos: [UserIdentity.LookupInfo], _ call: EndpointCall
  ) async throws -> JSONValue {
    try check(call)
    let results = try await call.container.shareParticipants(for: lookupInfos)
    let users = try lookupInfos.compactMap { lookupInfo in
      try (try? results[lookupInfo]?.get()).map { try json($0.userIdentity) }
    }
    return .object([.init("users", .array(users))])
  }

  /// Users are looked up through the public database. Source: seen by MistKit, for `users/discover`
  /// on the private one.
  static func check(_ call: EndpointCall) throws {
    guard call.scope == .public else {
      throw WebError(.badRequest, "users are looked up through the public database")
    }
  }
}

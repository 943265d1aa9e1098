import RecordCoding
import RecordModel

/// `users/lookup/id`: finds users by their record names.
struct UsersLookupID: Endpoint {
  static let path = "users/lookup/id"
  static let allowsServers = false

  private let names: [String]

  init(_ body: inout RequestBody) throws {
    names = try body.objects("users") { try $0.required("userRecordName") }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    try await ServedUser.users(
      names.map { UserIdentity.LookupInfo(userRecordName: $0) }, call)
  }
}

import RecordModel

extension ContainerAccount: JSONMapped {
  package static var noun: String { "an account" }
  package static var isPrivate: Bool { true }
  package static var empty: Self { Self(userRecordName: "") }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map(required: "userRecordName", &userRecordName)
    try members.map("nameComponents", &nameComponents)
    try members.map("lookupInfo", &lookupInfo)
    try members.map("subscriptions", &subscriptions, default: [])
  }
}

extension DatabaseScope: JSONEnum {}

extension ContainerAccount.Subscription: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a subscription", context)
    let scope = try members.required("database", DatabaseScope.self)
    self.init(
      try CloudSubscription(json: json.dropping(["database"]), context), to: scope)
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    let database = JSONValue.Member("database", .string(databaseScope.rawValue))
    return .object([database] + (try subscription.jsonValue(in: zoneID).members ?? []))
  }
}

extension [ContainerAccount] {
  /// Reads the accounts of a container, which have different names, in the order of these.
  package init(accounts json: JSONValue) throws {
    self = try json.expectElements { try ContainerAccount(json: $0) }
    for (a, b) in zip(self, dropFirst())
    where compareUTF8(a.userRecordName, b.userRecordName) >= 0 {
      throw json.error(
        found: "accounts that are not in the order of their record names, or repeated",
        expected: "each account once, in the order of 'userRecordName'")
    }
    if let first, first.userRecordName.isEmpty {
      throw json.error(found: "an account without a name", expected: "at least one character")
    }
  }

  /// Returns the canonical form; nil for no accounts.
  package func json() throws -> JSONValue? {
    isEmpty ? nil : .array(try map { try $0.jsonValue() })
  }
}

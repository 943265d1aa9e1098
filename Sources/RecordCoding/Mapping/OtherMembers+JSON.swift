import RecordModel

extension OtherMembers {
  /// Creates members, sorted by name.
  init(_ members: [JSONValue.Member]) {
    self = members.map { OtherMember(name: $0.name, value: $0.value.raw) }
      .sorted { compareUTF8($0.name, $1.name) < 0 }
  }

  /// Creates the members of an object, sorted by name.
  package init(json: JSONValue) throws {
    guard let members = json.members else { throw json.error(expected: "an object") }
    self.init(members)
  }

  package func jsonMembers() throws -> [JSONValue.Member] {
    try map { JSONValue.Member($0.name, try JSONValue(raw: $0.value)) }
  }

  package func jsonText() throws -> String { JSONValue.object(try jsonMembers()).compactText }
}

extension JSONValue {
  /// Returns the members of an object except those with these names, sorted by name.
  package func others(besides known: Set<String>) -> OtherMembers {
    OtherMembers((members ?? []).filter { !known.contains($0.name) })
  }
}

import RecordModel

extension OtherMembers {
  /// Creates the members of an object, sorted by name.
  package init(json: JSONValue) throws(RecordCodingError) {
    guard json.members != nil else {
      throw RecordCodingError(offset: json.offset, found: json.kind, expected: "an object")
    }
    self = json.others(besides: [])
  }

  /// Returns the members as JSON.
  package func jsonMembers() throws(RecordCodingError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for member in self { members.append(.init(member.name, try JSONValue(raw: member.value))) }
    return members
  }

  /// Returns an object with the members as text.
  package func jsonText() throws(RecordCodingError) -> String {
    String(decoding: try JSONValue.object(jsonMembers()).compactData, as: UTF8.self)
  }
}

extension JSONValue {
  /// Returns the members of an object except those with these names, sorted by name.
  package func others(besides known: Set<String>) -> OtherMembers {
    (members ?? []).filter { !known.contains($0.name) }
      .map { OtherMember(name: $0.name, value: $0.value.raw) }
      .sorted { compareUTF8($0.name, $1.name) < 0 }
  }
}

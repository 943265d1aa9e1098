import RecordModel

extension ResultRecord: JSONConvertible {
  /// Reads a record dictionary in canonical form or Web Services' format.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a record", context)
    let fields = members.take("fields")
    let systemFields = try SystemFields.read(&members)
    let inner = members.context
    let read = try fields.map { json in
      try inside(member: "fields") { try Self.fields(json, inner) }
    }
    self.init(systemFields: systemFields, fields: read ?? [])
  }

  private static func fields(_ json: JSONValue, _ context: DecodingContext) throws -> [Field] {
    guard let members = json.members else {
      throw json.error(expected: "an object: the fields of a record")
    }
    return try members.compactMap { member in
      try inside(member: member.name) {
        try Field(name: member.name, json: member.value, context)
      }
    }
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    let systemFields = self.systemFields
    var members = try systemFields.knownMembers()
    members.add("fields", try Field.object(fields, in: recordID.zoneID))
    try members.add(systemFields.otherMembers)
    return members.value
  }
}

extension Field {
  /// Returns the fields as an object, as in a record dictionary.
  static func object(_ fields: some Sequence<Field>, in zoneID: ZoneID) throws -> JSONValue {
    .object(
      try inside(member: "fields") {
        try fields.map { field in
          JSONValue.Member(
            field.name, try inside(member: field.name) { try field.dictionary(in: zoneID) })
        }
      })
  }
}

import RecordModel

extension ResultRecord: JSONConvertible {
  /// Reads a record dictionary in canonical form or Web Services' format.
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  /// - Parameter context: contains the zone of a record that does not name one.
  package init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    var members = try MemberReader(json, "a record")
    let fields = members.take("fields")
    let systemFields = try SystemFields.read(&members, context)
    var inner = context
    inner.zoneID = systemFields.recordID.zoneID
    let read = try fields.map { (json) throws(RecordCodingError) in
      try Self.fields(json, inner)
    }
    self.init(systemFields: systemFields, fields: read ?? [])
  }

  private static func fields(
    _ json: JSONValue, _ context: MappingContext
  ) throws(RecordCodingError) -> [Field] {
    do throws(RecordCodingError) {
      guard let members = json.members else {
        throw RecordCodingError(
          offset: json.offset, found: json.kind, expected: "an object: the fields of a record")
      }
      var fields: [Field] = []
      fields.reserveCapacity(members.count)
      for member in members {
        do throws(RecordCodingError) {
          if let field = try Field(name: member.name, json: member.value, context) {
            fields.append(field)
          }
        } catch {
          throw error.inside(member: member.name)
        }
      }
      return fields
    } catch {
      throw error.inside(member: "fields")
    }
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    let systemFields = self.systemFields
    var members = try systemFields.knownMembers()
    members.add("fields", try Field.object(fields, in: recordID.zoneID))
    try members.add(systemFields.otherMembers)
    return members.value
  }
}

extension Field {
  /// Returns the fields as an object, as in a record dictionary.
  static func object(
    _ fields: some Sequence<Field>, in zoneID: ZoneID
  ) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    for field in fields {
      do throws(RecordCodingError) {
        members.add(field.name, try field.jsonValue(in: zoneID))
      } catch {
        throw error.inside(member: field.name).inside(member: "fields")
      }
    }
    return members.value
  }
}

import RecordModel

extension RecordQuery: JSONMapped {
  package static var noun: String { "a query" }
  package static var empty: RecordQuery { RecordQuery(recordType: "") }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map(required: "recordType", &recordType)
    try members.map("filterBy", &filters, default: [])
    try members.map("sortBy", &sort, default: [])
  }
}

extension QueryFilter.Comparator: JSONEnum {}

extension QueryFilter: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a filter of a query", context)
    let comparator = try members.required("comparator", Comparator.self)
    let name = try members.fieldName()
    let field = try members.require("fieldValue") { json in
      guard let field = try Field(name: name, json: json, context) else {
        throw json.error(found: "a field without a value", expected: "the member 'value'")
      }
      return field
    }
    self.init(
      comparator, field, distance: try members.value("distance"), otherMembers: members.others())
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("comparator", comparator.rawValue)
    members.add("fieldName", fieldName)
    members.add("fieldValue", try field.dictionary(in: zoneID))
    try members.add("distance", distance)
    try members.add(otherMembers)
    return members.value
  }
}

extension QuerySort: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a sort order of a query", context)
    self.init(
      try members.fieldName(), ascending: try members.value("ascending") ?? true,
      relativeLocation: try members.value("relativeLocation"))
    otherMembers = members.others()
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("fieldName", fieldName)
    members.add("ascending", .bool(ascending))
    try members.add("relativeLocation", relativeLocation)
    try members.add(otherMembers)
    return members.value
  }
}

extension JSONObjectReader {
  /// The field of a filter or sort order. Web Services name system fields in a member of their own,
  /// and otherwise than schemas do.
  fileprivate mutating func fieldName() throws -> String {
    guard let system = try value("systemFieldName", String.self) else {
      return try required("fieldName")
    }
    let known = SystemField.allCases.first { $0 != .etag && $0.webName == system }
    return known?.rawValue ?? system
  }
}

import RecordModel

extension Query: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    var members = try MemberReader(json, "a query")
    typealias E = RecordCodingError
    self.init(
      recordType: try members.requiredString("recordType"),
      filters: try members.read("filterBy") { (json) throws(E) in
        try json.expectElements { (json) throws(E) in try QueryFilter(json: json, context) }
      } ?? [],
      sort: try members.read("sortBy") { (json) throws(E) in
        try json.expectElements { (json) throws(E) in try QuerySort(json: json) }
      } ?? [])
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    try jsonValue(in: .default)
  }

  func jsonValue(in zoneID: ZoneID) throws(RecordCodingError) -> JSONValue {
    typealias E = RecordCodingError
    var members = MemberWriter()
    members.add("recordType", recordType)
    if !filters.isEmpty {
      members.add(
        "filterBy", try .list(filters) { (x) throws(E) in try x.jsonValue(in: zoneID) })
    }
    if !sort.isEmpty {
      members.add("sortBy", try .list(sort) { (x) throws(E) in try x.jsonValue() })
    }
    try members.add(otherMembers)
    return members.value
  }
}

extension QueryFilter: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    var members = try MemberReader(json, "a filter of a query")
    let comparator = try members.require("comparator") { (json) throws(RecordCodingError) in
      guard let comparator = json.string.flatMap(Comparator.init) else {
        let names = Comparator.allCases.map(\.rawValue).joined(separator: ", ")
        throw RecordCodingError(
          offset: json.offset, found: json.shown, expected: "one of \(names)")
      }
      return comparator
    }
    let name = try members.fieldName()
    let field = try members.require("fieldValue") { (json) throws(RecordCodingError) in
      guard let field = try Field(name: name, json: json, context) else {
        throw RecordCodingError(
          offset: json.offset, found: "a field without a value", expected: "the member 'value'")
      }
      return field
    }
    let distance = try members.double("distance", context)
    self.init(comparator, field, distance: distance, otherMembers: members.others())
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    try jsonValue(in: .default)
  }

  func jsonValue(in zoneID: ZoneID) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("comparator", comparator.rawValue)
    members.add("fieldName", fieldName)
    members.add("fieldValue", try field.jsonValue(in: zoneID))
    try members.add("distance", distance)
    try members.add(otherMembers)
    return members.value
  }
}

extension QuerySort: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "an order of a query")
    self.init(
      try members.fieldName(), ascending: try members.bool("ascending") ?? true,
      relativeLocation: try members.read("relativeLocation") { (json) throws(RecordCodingError) in
        try Location(json: json)
      })
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("fieldName", fieldName)
    members.add("ascending", .bool(ascending))
    try members.add("relativeLocation", relativeLocation)
    try members.add(otherMembers)
    return members.value
  }
}

extension MemberReader {
  /// The field of a filter or an order; Web Services name system fields in a member of their own,
  /// and otherwise than schemas do.
  fileprivate mutating func fieldName() throws(RecordCodingError) -> String {
    guard let system = try string("systemFieldName") else {
      return try requiredString("fieldName")
    }
    switch system {
    case "recordName": return "___recordID"
    case "createdTimestamp": return "___createTime"
    case "createdUserRecordName": return "___createdBy"
    case "modifiedTimestamp": return "___modTime"
    case "modifiedUserRecordName": return "___modifiedBy"
    default: return system
    }
  }
}

import RecordModel

extension Field {
  /// Reads a field of a record dictionary: `{"type":T,"value":V}` and its variants.
  ///
  /// Returns nil if there is no value, which some libraries write as `{}` or `null`; CloudKit has
  /// no fields without values.
  package init?(
    name: String, json: JSONValue, _ context: MappingContext
  ) throws(RecordCodingError) {
    var members = try MemberReader(json, "a field")
    let type = FieldType(spelling: try members.string("type"))
    let isEncrypted = try members.bool("isEncrypted") ?? false || type.isEncrypted
    var context = context
    if isEncrypted { context.mayShow = false }
    let value = try members.read("value") { (json) throws(RecordCodingError) in
      try RecordValue(json: json, type, context)
    }
    let others = members.others()
    // A null value of an unknown type may be meaningful.
    let isKeptNull = type.type == nil && !type.isInferred && json["value"] != nil
    if value == nil && others.isEmpty && !isKeptNull { return nil }
    self.init(
      name: name, value: value ?? .unknown(type: type.name, json: .null),
      isEncrypted: isEncrypted, otherMembers: others)
  }

  /// Returns the field for a record dictionary.
  ///
  /// - Parameter zoneID: the zone that references omit.
  package func jsonValue(in zoneID: ZoneID) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("type", value.typeName)
    members.add("isEncrypted", whenTrue: isEncrypted)
    do throws(RecordCodingError) {
      members.add("value", try value.jsonValue(in: zoneID))
    } catch {
      throw error.inside(member: "value")
    }
    try members.add(otherMembers)
    return members.value
  }
}

extension Field: JSONConvertible {
  /// Reads a field that has its name as a member.
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a field")
    let name = try members.requiredString(Self.nameKey)
    guard
      let field = try Field(name: name, json: json.dropping([Self.nameKey]), MappingContext())
    else { throw members.missing("value") }
    self = field
  }

  /// Returns the field with its name as a member.
  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    let name = JSONValue.Member(Self.nameKey, .string(name))
    return .object([name] + (try jsonValue(in: .default).members ?? []))
  }

  private static let nameKey = "name"
}

extension RecordValue {
  init(
    json: JSONValue, _ type: FieldType, _ context: MappingContext
  ) throws(RecordCodingError) {
    guard type.isInferred else {
      guard let known = type.type else {
        self = .unknown(type: type.name, json: json.raw)
        return
      }
      try self.init(json: json, type: known, context)
      return
    }
    guard let inferred = FieldType.inferred(from: json) else {
      self = .unknown(type: type.name, json: json.raw)
      return
    }
    // CloudKit has no Booleans; it stores 0 and 1.
    try self.init(json: json.withIntegersForBools, type: inferred, context)
  }
}

extension RecordValue: JSONConvertible {
  /// Reads a value and its type, as in a field.
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  package init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    guard let field = try Field(name: "", json: json, context) else {
      throw RecordCodingError(
        offset: json.offset, found: "a field without a value", expected: "the member 'value'")
    }
    self = field.value
  }

  /// Returns the value and its type.
  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    try Field(name: "", value: self).jsonValue(in: .default)
  }
}

extension JSONValue {
  fileprivate var withIntegersForBools: JSONValue {
    switch content {
    case .bool(let value): JSONValue(.number(value ? "1" : "0"), offset: offset)
    case .array(let elements):
      JSONValue(.array(elements.map(\.withIntegersForBools)), offset: offset)
    default: self
    }
  }
}

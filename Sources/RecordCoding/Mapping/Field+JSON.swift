import RecordModel

extension Field {
  /// Reads a field of a record dictionary: `{"type":T,"value":V}` and its variants.
  ///
  /// Returns nil if there is no value, which some libraries write as `{}` or `null`; CloudKit has
  /// no fields without values.
  package init?(name: String, json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a field", context)
    let type = FieldType(spelling: try members.value("type"))
    let isEncrypted = try members.value("isEncrypted") ?? false || type.isEncrypted
    var context = context
    if isEncrypted { context.mayShowValues = false }
    let value = try members.read("value") { try RecordValue(json: $0, type, context) }
    let hasOthers = !members.isEmpty
    // A null value of an unknown type may be meaningful.
    let isKeptNull = type.type == nil && !type.isInferred && json["value"] != nil
    if value == nil && !hasOthers && !isKeptNull { return nil }
    self.init(
      name: name, value: value ?? .unknown(type: type.name, json: .null),
      isEncrypted: isEncrypted, otherMembers: members.others())
  }

  /// Returns the field for a record dictionary, without its name.
  ///
  /// - Parameter zoneID: the zone that references omit.
  package func dictionary(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("type", value.typeName)
    try members.add("isEncrypted", isEncrypted ? true : nil)
    members.add("value", try inside(member: "value") { try value.content(in: zoneID) })
    try members.add(otherMembers)
    return members.value
  }
}

extension Field: JSONConvertible {
  /// Reads a field that has its name as a member.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a field", context)
    let name = try members.required(Self.nameKey, String.self)
    guard let field = try Field(name: name, json: json.dropping([Self.nameKey]), context) else {
      throw members.missing("value")
    }
    self = field
  }

  /// Returns the field with its name as a member.
  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    let name = JSONValue.Member(Self.nameKey, .string(name))
    return .object([name] + (try dictionary(in: zoneID).members ?? []))
  }

  private static let nameKey = "name"
}

extension RecordValue {
  init(json: JSONValue, _ type: FieldType, _ context: DecodingContext) throws {
    let inferred = type.isInferred ? FieldType.inferred(from: json) : type.type
    guard let inferred else {
      self = .unknown(type: type.name, json: json.raw)
      return
    }
    // CloudKit has no Booleans; it stores 0 and 1.
    try self.init(json: type.isInferred ? json.withIntegersForBools : json, type: inferred, context)
  }
}

extension RecordValue: JSONConvertible {
  /// Reads a value and its type, as in a field.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    guard let field = try Field(name: "", json: json, context) else {
      throw json.error(found: "a field without a value", expected: "the member 'value'")
    }
    self = field.value
  }

  /// Returns the value and its type.
  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    try Field(name: "", value: self).dictionary(in: zoneID)
  }
}

extension JSONValue {
  /// The value with 1 for `true` and 0 for `false`, also in a list.
  package var withIntegersForBools: JSONValue {
    switch content {
    case .bool(let value): JSONValue(.number(value ? "1" : "0"), offset: offset)
    case .array(let elements):
      JSONValue(.array(elements.map(\.withIntegersForBools)), offset: offset)
    default: self
    }
  }
}

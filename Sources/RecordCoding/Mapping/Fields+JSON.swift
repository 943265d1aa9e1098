import RecordModel

extension Field {
  /// Reads a field of a record dictionary: `{"type":T,"value":V}` and its variants.
  ///
  /// Returns nil if there is no value, which some libraries write as `{}` or `null`; CloudKit has
  /// no fields without values.
  package init?(name: String, json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a field", context)
    let type = TypeSpelling(spelling: try members.value("type"))
    let isEncrypted = try members.value("isEncrypted") ?? false || type.isEncrypted
    var context = context
    if isEncrypted { context.mayShowValues = false }
    let value = try members.read("value") { try RecordValue(json: $0, type, context) }
    let others = members.others()
    // A null value of an unknown type may be meaningful.
    let isKeptNull = type.type == nil && !type.isInferred && json["value"] != nil
    if value == nil && others.isEmpty && !isKeptNull { return nil }
    self.init(
      name: name, value: value ?? .unknown(type: type.name, json: .null),
      isEncrypted: isEncrypted, otherMembers: others)
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
  init(json: JSONValue, _ type: TypeSpelling, _ context: DecodingContext) throws {
    let inferred = type.isInferred ? TypeSpelling.inferred(from: json) : type.type
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

extension JSONValue {
  /// The value with the number that a text spells, also in a list: JavaScript's tools write integers
  /// of 64 bits as texts, and so do Web Services on request (`numbersAsStrings`).
  var withNumbersForTexts: JSONValue {
    switch content {
    case .string(let text)
    where text.utf8.count <= 40 && CanonicalNumber.double(from: text) != nil:
      JSONValue(.number(text), offset: offset)
    case .array(let elements):
      JSONValue(.array(elements.map(\.withNumbersForTexts)), offset: offset)
    default: self
    }
  }
}

extension RecordValue {
  /// Reads a value of a known type.
  package init(json: JSONValue, type: ValueType, _ context: DecodingContext) throws {
    let element = type.elementType ?? type
    let isNumber = element == .int64 || element == .double
    let json = context.readsNumberTexts && isNumber ? json.withNumbersForTexts : json
    func value<T: JSONConvertible>() throws -> T { try T(json: json, context) }
    guard type.elementType == nil || json.elements != nil else {
      throw context.mismatch(json, expected: "an array, for the type \(type.rawValue)")
    }
    switch type {
    case .string: self = .string(try value())
    case .int64: self = .int64(try value())
    case .double: self = .double(try value())
    case .timestamp: self = .timestamp(try value())
    case .bytes: self = .bytes(try value())
    case .location: self = .location(try value())
    case .reference: self = .reference(try value())
    case .asset: self = .asset(try value())
    case .stringList: self = .stringList(try value())
    case .int64List: self = .int64List(try value())
    case .doubleList: self = .doubleList(try value())
    case .timestampList: self = .timestampList(try value())
    case .bytesList: self = .bytesList(try value())
    case .locationList: self = .locationList(try value())
    case .referenceList: self = .referenceList(try value())
    case .assetList: self = .assetList(try value())
    case .emptyList:
      // A list that is not empty cannot be of this type; it is kept as an unknown value.
      self =
        json.elements?.isEmpty == true ? .emptyList : .unknown(type: type.rawValue, json: json.raw)
    }
  }

  /// Returns the value without its type.
  ///
  /// - Parameter zoneID: the zone that references omit.
  func content(in zoneID: ZoneID) throws -> JSONValue {
    func json(_ value: some JSONConvertible) throws -> JSONValue {
      try value.jsonValue(in: zoneID)
    }
    return switch self {
    case .string(let value): try json(value)
    case .int64(let value): try json(value)
    case .double(let value): try json(value)
    case .timestamp(let value): try json(value)
    case .bytes(let value): try json(value)
    case .location(let value): try json(value)
    case .reference(let value): try json(value)
    case .asset(let value): try json(value)
    case .unknown(_, let json): try JSONValue(raw: json)
    default:
      .array(
        try (elements ?? []).enumerated().map { index, element in
          try inside(element: index) { try element.content(in: zoneID) }
        })
    }
  }
}

/// The `type` of a field in JSON, in any spelling that servers and tools use.
struct TypeSpelling {
  /// The type; nil if it is unknown, or must be inferred from the value.
  let type: ValueType?
  /// The name without the prefix `ENCRYPTED_`.
  let name: String
  /// Whether the name implies that the value is encrypted.
  let isEncrypted: Bool
  /// Whether the type must be inferred from the value.
  let isInferred: Bool

  /// Whether canonical JSON uses this name: it is the name of a known type, or unknown.
  var isCanonical: Bool {
    !isEncrypted && !isInferred && (type == nil || type?.rawValue == name)
  }

  /// - Parameter spelling: the name in the JSON; nil if there is none.
  init(spelling: String?) {
    var name = spelling ?? ""
    // Removes repeated prefixes: the rest must not have another meaning when it is read again.
    while name.hasPrefix(Self.encryptedPrefix) {
      name.removeFirst(Self.encryptedPrefix.utf8.count)
    }
    isEncrypted = name.utf8.count != (spelling ?? "").utf8.count
    self.name = name
    // `String` compares by canonical equivalence, by which the kelvin sign equals "K".
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    type = isASCII ? ValueType(rawValue: name) ?? Self.type(otherSpelling: name) : nil
    isInferred = type == nil && (name.isEmpty || name == "LIST" || name.hasPrefix("NUMBER"))
  }

  static let encryptedPrefix = "ENCRYPTED_"

  /// Servers send `ASSETID` for assets; old dialects have several names for numbers.
  private static func type(otherSpelling name: String) -> ValueType? {
    switch name {
    case "ASSETID": .asset
    case "ASSETID_LIST": .assetList
    case "NUMBER_INT64", "INT", "INT32", "INTEGER", "LONG": .int64
    case "NUMBER_INT64_LIST", "INT_LIST", "INT32_LIST", "INTEGER_LIST", "LONG_LIST": .int64List
    case "NUMBER_DOUBLE", "FLOAT": .double
    case "NUMBER_DOUBLE_LIST", "FLOAT_LIST": .doubleList
    case "EMPTY_LIST": .emptyList
    default: nil
    }
  }

  /// Returns the type of a value that has none in the JSON; nil if no known type fits.
  static func inferred(from json: JSONValue) -> ValueType? {
    switch json.content {
    case .null: return nil
    case .bool: return .int64
    case .string: return .string
    case .number(let text): return text == "-0" || Int64(text) == nil ? .double : .int64
    case .object(let members):
      let names = Set(members.map { ExactString($0.name) })
      if names.isSuperset(of: ["latitude", "longitude"]) { return .location }
      if names.contains("recordName") { return .reference }
      return names.isDisjoint(with: assetMembers) ? nil : .asset
    case .array(let elements):
      guard !elements.isEmpty else { return .emptyList }
      var types: Set<ValueType?> = []
      for element in elements { types.insert(inferred(from: element)) }
      if types == [.int64, .double] { return .doubleList }
      return types.count == 1 ? types.first??.listType : nil
    }
  }

  private static let assetMembers: Set<ExactString> = [
    "fileChecksum", "referenceChecksum", "wrappingKey", "downloadURL", "receipt", "sha256",
  ]
}

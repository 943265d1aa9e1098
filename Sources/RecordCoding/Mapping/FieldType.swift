import RecordModel

/// The `type` of a field, in any spelling that servers and tools use.
struct FieldType {
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

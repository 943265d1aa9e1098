import RecordModel

/// The `type` of a field, with the spellings that servers and tools use beside the canonical ones.
struct FieldType {
  /// The type; nil where the model does not know it, or where it has to be told from the value.
  let type: ValueType?
  /// The name without `ENCRYPTED_`.
  let name: String
  /// Whether the name says that the value is encrypted.
  let isEncrypted: Bool
  /// Whether the type has to be told from the value.
  let isInferred: Bool

  /// Whether the name is one that canonical JSON uses: that of a type the model knows, or of one
  /// that no other reading is known for.
  var isCanonical: Bool {
    !isEncrypted && !isInferred && (type == nil || type?.rawValue == name)
  }

  /// - Parameter spelling: what stands in the JSON; nil where nothing does.
  init(spelling: String?) {
    var name = spelling ?? ""
    // All of them: what is left must not be a spelling that means something else when it is read.
    while name.hasPrefix(Self.encryptedPrefix) {
      name.removeFirst(Self.encryptedPrefix.utf8.count)
    }
    isEncrypted = name.utf8.count != (spelling ?? "").utf8.count
    self.name = name
    // Strings are matched up to canonical equivalence: "K" has such a relative, the kelvin sign.
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    type = isASCII ? ValueType(rawValue: name) ?? Self.type(otherSpelling: name) : nil
    isInferred = type == nil && (name.isEmpty || name == "LIST" || name.hasPrefix("NUMBER"))
  }

  static let encryptedPrefix = "ENCRYPTED_"

  /// `ASSETID` is what real servers send for an asset; numbers have many names in old dialects.
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

  /// The type that a value without one must have; nil where it can be none that the model knows.
  static func inferred(from json: JSONValue) -> ValueType? {
    switch json.content {
    case .null: return nil
    case .bool: return .int64
    case .string: return .string
    case .number(let text): return text == "-0" || Int64(text) == nil ? .double : .int64
    case .object(let members):
      let names = Set(members.map { NameKey($0.name) })
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

  private static let assetMembers: Set<NameKey> = [
    "fileChecksum", "referenceChecksum", "wrappingKey", "downloadURL", "receipt", "sha256",
  ]
}

import RecordModel

/// The properties of a value that a schema restricts: its type, and whether it is encrypted.
public struct ValueKind: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The type name as used by Web Services, including unknown types.
  @ExactText public private(set) var typeName: String
  /// The type, or `nil` if it is unknown.
  public let type: ValueType?
  /// Whether the value is one of a record's `encryptedValues`.
  public let isEncrypted: Bool

  /// Creates a kind from a type.
  public init(_ type: ValueType, isEncrypted: Bool = false) {
    self.init(typeName: type.rawValue, isEncrypted: isEncrypted)
  }

  /// Creates a kind from a type name.
  public init(typeName: String, isEncrypted: Bool = false) {
    _typeName = ExactText(wrappedValue: typeName)
    type = ValueType(rawValue: typeName)
    self.isEncrypted = isEncrypted
  }

  /// Creates the kind of a field's value.
  public init(_ field: Field) {
    self.init(typeName: field.value.typeName, isEncrypted: field.isEncrypted)
  }

  /// Creates the kind of a record's value, reading it only if its type is unknown.
  init(_ storage: any RecordStorage, at index: Int) {
    self.init(
      typeName: storage.valueType(at: index)?.rawValue ?? storage.field(at: index).value.typeName,
      isEncrypted: storage.isEncrypted(at: index))
  }

  /// The field type for exactly these values, or `nil` for an empty list of unknown type and for
  /// unknown types. Never encrypted if the primitive cannot be encrypted.
  public var fieldType: CloudSchema.FieldType? {
    type.flatMap { CloudSchema.FieldType(of: $0, isEncrypted: isEncrypted) }
  }

  /// Whether these are empty lists of unknown element type.
  public var isEmptyList: Bool { type == .emptyList }

  /// Whether the values are encrypted although CloudKit does not support it for their type:
  /// references, and assets, which are always encrypted.
  public var isUnsupportedEncryption: Bool {
    guard isEncrypted, let fieldType else { return false }
    return !fieldType.primitive.canBeEncrypted
  }

  /// The kind as in server messages, such as `ENCRYPTED_STRING`.
  public var serverName: String {
    fieldType?.serverName ?? (isEncrypted ? "ENCRYPTED_" : "") + typeName
  }

  /// Orders by type name, plain before encrypted.
  public static func < (lhs: ValueKind, rhs: ValueKind) -> Bool {
    lhs._typeName != rhs._typeName
      ? ExactString(lhs.typeName) < ExactString(rhs.typeName) : !lhs.isEncrypted && rhs.isEncrypted
  }

  /// The kind as a phrase, such as `an encrypted STRING`.
  public var description: String {
    if isEmptyList { return isEncrypted ? "an encrypted empty list" : "an empty list" }
    if isEncrypted { return "an encrypted \(typeName)" }
    let vowel = typeName.first.map { "AEIO".contains($0) } ?? false
    return "\(vowel ? "an" : "a") \(typeName)"
  }
}

extension CloudSchema.FieldType {
  /// Creates the schema type of a value type, or `nil` for an empty list.
  package init?(of type: ValueType, isEncrypted: Bool = false) {
    guard let primitive = type.single.primitive else { return nil }
    self.init(primitive, isList: type.isList, isEncrypted: isEncrypted)
  }
}

extension ValueType {
  /// Creates the type of the values of a field in a schema, or `nil` for `NUMBER`, which has two.
  package init?(_ type: CloudSchema.FieldType) {
    guard let single = ValueType(rawValue: type.primitive.rawValue),
      let value = type.isList ? single.listType : single
    else { return nil }
    self = value
  }

  /// The type of a single value: that of the elements, for a list.
  package var single: ValueType { elementType ?? self }

  /// The primitive type of a single value, or `nil` for lists.
  package var primitive: CloudSchema.Primitive? {
    switch self {
    case .string: .string
    case .int64: .int64
    case .double: .double
    case .timestamp: .timestamp
    case .bytes: .bytes
    case .location: .location
    case .reference: .reference
    case .asset: .asset
    default: nil
    }
  }
}

import RecordModel

/// All that a schema sees of a value: its type, and whether it is encrypted.
public struct ValueKind: Sendable, Hashable {
  /// The type's name as Web Services spell it, unknown ones too.
  @ExactText public private(set) var typeName: String
  /// The type; nil where this model does not know it.
  public let type: ValueType?
  /// Whether the value is one of a record's `encryptedValues`.
  public let isEncrypted: Bool

  /// A kind of values.
  public init(_ type: ValueType, isEncrypted: Bool = false) {
    self.init(typeName: type.rawValue, isEncrypted: isEncrypted)
  }

  /// A kind of values, by the name of the type.
  public init(typeName: String, isEncrypted: Bool = false) {
    _typeName = ExactText(wrappedValue: typeName)
    type = ValueType(rawValue: typeName)
    self.isEncrypted = isEncrypted
  }

  /// The kind of a field's value.
  public init(_ field: Field) {
    self.init(typeName: field.value.typeName, isEncrypted: field.isEncrypted)
  }

  /// The field type that holds exactly these values; nil for a list of unknown elements and for a
  /// type that this model does not know. A primitive that cannot be encrypted is plain in it.
  public var fieldType: Schema.FieldType? {
    guard let type, let primitive = (type.elementType ?? type).primitive else { return nil }
    return Schema.FieldType(primitive, isList: type.isList, isEncrypted: isEncrypted)
  }

  /// Whether these are lists without elements, of which nobody said what they hold.
  public var isEmptyList: Bool { type == .emptyList }

  /// Whether CloudKit has no encryption for values of this type: references, and assets, which it
  /// encrypts anyway.
  public var isEncryptedAgainstTheRules: Bool {
    guard isEncrypted, let fieldType else { return false }
    return !fieldType.primitive.canBeEncrypted
  }

  /// The kind as server messages name it, such as `ENCRYPTED_STRING`.
  public var serverName: String { (isEncrypted ? "ENCRYPTED_" : "") + typeName }
}

extension ValueKind: Comparable, CustomStringConvertible {
  /// Orders by name, plain before encrypted.
  public static func < (lhs: ValueKind, rhs: ValueKind) -> Bool {
    lhs._typeName != rhs._typeName
      ? NameKey(lhs.typeName) < NameKey(rhs.typeName) : !lhs.isEncrypted && rhs.isEncrypted
  }

  /// The kind as a person would say it, such as `an encrypted STRING`.
  public var description: String {
    if isEmptyList { return isEncrypted ? "an encrypted empty list" : "an empty list" }
    if isEncrypted { return "an encrypted \(typeName)" }
    let vowel = typeName.first.map { "AEIO".contains($0) } ?? false
    return "\(vowel ? "an" : "a") \(typeName)"
  }
}

extension ValueType {
  /// The primitive of a single value; nil for lists.
  package var primitive: Schema.Primitive? {
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

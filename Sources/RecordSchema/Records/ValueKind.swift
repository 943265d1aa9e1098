import RecordModel

/// The properties of a value that a schema restricts: its type, and whether it is encrypted.
package struct ValueKind: Sendable, Hashable {
  /// The type name as used by Web Services, including unknown types.
  @ExactText package private(set) var typeName: String
  /// The type, or `nil` if it is unknown.
  package let type: ValueType?
  /// Whether the value is one of a record's `encryptedValues`.
  package let isEncrypted: Bool

  /// Creates a kind from a type.
  package init(_ type: ValueType, isEncrypted: Bool = false) {
    _typeName = ExactText(wrappedValue: type.rawValue)
    self.type = type
    self.isEncrypted = isEncrypted
  }

  /// Creates a kind from a type name.
  package init(typeName: String, isEncrypted: Bool = false) {
    _typeName = ExactText(wrappedValue: typeName)
    type = ValueType(rawValue: typeName)
    self.isEncrypted = isEncrypted
  }

  /// Creates the kind of a field's value.
  package init(_ field: Field) {
    if let type = field.value.type {
      self.init(type, isEncrypted: field.isEncrypted)
    } else {
      self.init(typeName: field.value.typeName, isEncrypted: field.isEncrypted)
    }
  }

  /// Creates the kind of a record's value, reading it only if its type is unknown.
  init(_ storage: any RecordStorage, at index: Int) {
    if let type = storage.valueType(at: index) {
      self.init(type, isEncrypted: storage.isEncrypted(at: index))
    } else {
      self.init(storage.field(at: index))
    }
  }

  /// The field type for exactly these values, or `nil` for an empty list of unknown type and for
  /// unknown types. Never encrypted if the primitive cannot be encrypted.
  package var fieldType: CloudSchema.FieldType? {
    type.flatMap { CloudSchema.FieldType(of: $0, isEncrypted: isEncrypted) }
  }

  /// Whether these are empty lists of unknown element type.
  package var isEmptyList: Bool { type == .emptyList }

  /// Whether the values are encrypted although CloudKit does not support it for their type:
  /// references, and assets, which are always encrypted.
  var isUnsupportedEncryption: Bool {
    guard isEncrypted, let fieldType else { return false }
    return !fieldType.primitive.canBeEncrypted
  }

  /// The reason a value does not fit a field.
  enum Mismatch {
    /// A different primitive, or a list where a single value is expected or vice versa.
    case type
    /// An encrypted value in a plain field.
    case encryptedIntoPlain
    /// A plain value in an encrypted field.
    case plainIntoEncrypted
  }

  /// Returns the reason these values do not fit a field of a type, or `nil` if they fit.
  func mismatch(with field: CloudSchema.FieldType) -> Mismatch? {
    if isEmptyList {
      guard field.isList else { return .type }
      let isMismatched = isEncrypted && !field.isEncrypted && field.primitive.canBeEncrypted
      return isMismatched ? .encryptedIntoPlain : nil
    }
    guard let fieldType, field.accepts(fieldType) else { return .type }
    if fieldType.isEncrypted == field.isEncrypted { return nil }
    return fieldType.isEncrypted ? .encryptedIntoPlain : .plainIntoEncrypted
  }

  /// The kind as in server messages, such as `ENCRYPTED_STRING`.
  var serverName: String {
    fieldType?.serverName ?? (isEncrypted ? "ENCRYPTED_" : "") + typeName
  }
}

extension ValueKind: Comparable, CustomStringConvertible {
  /// Orders by type name, plain before encrypted.
  package static func < (lhs: ValueKind, rhs: ValueKind) -> Bool {
    lhs._typeName != rhs._typeName
      ? ExactString(lhs.typeName) < ExactString(rhs.typeName) : !lhs.isEncrypted && rhs.isEncrypted
  }

  /// The kind as a phrase, such as `an encrypted STRING`.
  package var description: String {
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
  package var primitive: CloudSchema.Primitive? { CloudSchema.Primitive(rawValue: rawValue) }
}

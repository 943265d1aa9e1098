import RecordModel

/// One encoding of a value: what is to be written to a draft.
final class EncodingState {
  let options: RecordEncoder
  let typeName: String
  private(set) var encryptedKeys: Set<String>
  let userInfo: [CodingUserInfoKey: Any]

  private(set) var fields: [EncodedField] = []
  private var places: [ExactString: Int] = [:]
  /// The encoders that a type has been given to use later.
  private var open: [FieldEncoder] = []
  /// Whether the value is encoded as one with properties.
  var hasProperties = false

  var recordName: EncodedScalar?
  var recordID: RecordID?
  /// The parent; nil if there is no property for it.
  var parent: Parent?

  enum Parent {
    case none
    case reference(Reference)
    case recordID(RecordID)
  }

  init(_ type: Any.Type, options: RecordEncoder) {
    self.options = options
    typeName = "\(type)"
    encryptedKeys = options.encryptedKeys
    userInfo = options.userInfo
    addEncryptedKeys(of: type)
  }

  /// Marks the fields that a type lists.
  func addEncryptedKeys(of type: Any.Type) {
    guard let type = type as? any EncryptedFields.Type else { return }
    encryptedKeys.formUnion(type.encryptedKeys)
  }

  func field(of key: any CodingKey) -> FieldEncoder {
    let name = options.keyStrategy.fieldName(of: key)
    return FieldEncoder(
      state: self, key: key, name: name, isEncrypted: encryptedKeys.containsName(name))
  }

  /// A field whose encoder the type uses after the call.
  func openField(of key: any CodingKey) -> FieldEncoder {
    let field = field(of: key)
    open.append(field)
    return field
  }

  func set(_ field: EncodedField) throws {
    let key = ExactString(field.name)
    if let place = places[key] {
      guard fields[place].isEncrypted == field.isEncrypted else {
        throw error(
          .encryption, key: field.name, found: "an encrypted and an unencrypted property",
          expected: "one property for each field")
      }
      fields[place] = field
    } else {
      places[key] = fields.count
      fields.append(field)
    }
  }

  /// Takes what was written to encoders that the type has been given.
  func finish() throws {
    for field in open {
      switch field.result {
      case .unwritten, .system: break
      case .nested: throw field.nestedError()
      default: try field.store()
      }
    }
    guard hasProperties else { throw unsupported("\(typeName), which has encoded nothing") }
  }

  func unsupported(_ found: String) -> TypedRecordError {
    error(
      .unsupportedType, found: found,
      expected: "a type with properties, which become the fields of the record")
  }

  func error(
    _ code: TypedRecordError.Code, key: String? = nil, found: String, expected: String
  ) -> TypedRecordError {
    TypedRecordError(
      code, typeName: typeName, recordType: nil, recordID: nil, key: key, found: found,
      expected: expected)
  }

  /// Returns the error with its place in the record; an `EncodingError` has the value itself.
  func located(_ error: any Error) -> any Error {
    guard case .invalidValue(_, let context) = error as? EncodingError else { return error }
    let name = context.codingPath.first.map { options.keyStrategy.fieldName(of: $0) }
    let mayBeSecret = name.map(encryptedKeys.containsName) ?? true
    return self.error(
      .invalidValue, key: name,
      found: mayBeSecret ? "a value that cannot be encoded" : context.debugDescription,
      expected: "a value that can be encoded")
  }
}

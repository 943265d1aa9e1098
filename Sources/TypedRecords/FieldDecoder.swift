import Foundation
import RecordModel

/// The decoder of the value of one field, or of an element of a list.
struct FieldDecoder: Decoder {
  let state: DecodingState
  let key: any CodingKey
  /// The position in the list; nil for a field.
  var index: Int?
  let name: String
  /// The value; nil if there is no such field.
  var value: RecordValue?
  var isEncrypted = false
  var expectsEncrypted = false
  /// Whether the value is JSON, whatever its type.
  var isJSON = false
  /// Whether the value is one of the record's system fields.
  var isSystemField = false

  var codingPath: [any CodingKey] { index.map { [key, ElementKey(intValue: $0)] } ?? [key] }
  var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

  func element(_ value: RecordValue, at index: Int) -> FieldDecoder {
    var element = self
    element.value = value
    element.index = index
    return element
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw nestedFailure(try present())
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let value = try present()
    guard let elements = value.elements else {
      throw failure(.wrongType, found: describe(value, withValue: false), expected: "a list")
    }
    return ListDecodingContainer(field: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    FieldValueContainer(field: self)
  }

  /// Reads the value of a property with a wrapper.
  func read<T: Decodable>(_ type: T.Type, as role: PropertyRole) throws -> T {
    var field = self
    switch role {
    case .field: break
    case .encrypted: field.expectsEncrypted = true
    case .jsonBytes, .jsonString: field.isJSON = true
    default:
      field.value = role.systemField(of: state.source)
      (field.isSystemField, field.isEncrypted, field.expectsEncrypted) = (true, false, false)
    }
    return try field.read(type)
  }

  /// Reads a value of any type.
  func read<T: Decodable>(_ type: T.Type) throws -> T {
    if let scalar = type as? any FieldScalar.Type { return try same(self.scalar(scalar)) }
    // An optional and a wrapper read their value in a call of its own.
    if isJSON && value != nil && !(type is any NilCheckable.Type) { return try json(type) }
    if type == RecordID.self { return try same(recordID()) }
    if let type = type as? any RecordValueConvertible.Type, !(type is any ListType.Type) {
      return try same(convertible(type))
    }
    if value != nil, type is any NestedType.Type { throw nestedFailure(try present()) }
    return try T(from: self)
  }

  /// Returns a value whose type was found to be the one that is read.
  private func same<T>(_ value: some Any) throws -> T {
    if let value = value as? T { return value }
    throw failure(
      .unsupportedType, found: "a value of type \(Swift.type(of: value))",
      expected: "one of type \(T.self)")
  }

  func scalar<T: FieldScalar>(_ type: T.Type) throws -> T {
    if isJSON, let type = type as? any Decodable.Type { return try same(json(type)) }
    let value = try present()
    do {
      return try T.read(value)
    } catch {
      throw failure(
        error.code, found: describe(value, withValue: error.code != .wrongType),
        expected: error.expected)
    }
  }

  private func recordID() throws -> RecordID {
    if isSystemField, case .reference(let reference) = try present() { return reference.recordID }
    throw failure(
      .unsupportedType, found: "a property of type RecordID",
      expected: "Reference, or @RecordIdentity for the identity of the record itself")
  }

  private func convertible<T: RecordValueConvertible>(_ type: T.Type) throws -> T {
    let value = try present()
    guard let converted = T(recordValue: value) else {
      throw failure(.invalidValue, found: describe(value), expected: "a value for \(type)")
    }
    return converted
  }

  private func json<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try present()
    guard let data = value.jsonText else {
      throw failure(
        .wrongType, found: describe(value, withValue: false),
        expected: "BYTES or STRING with the JSON of \(type)")
    }
    do {
      return try NestedJSON.decode(type, from: data, userInfo: state.options.userInfo)
    } catch let error as DecodingError {
      let context = error.context
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw failure(
        .invalidValue,
        found: isEncrypted
          ? describe(value)
          : "JSON that does not fit\(path.isEmpty ? "" : " at '\(path)'"): \(context.debugDescription)",
        expected: "the JSON of \(type)")
    }
  }

  // MARK: - Errors

  /// Returns the value, if the field is there, and encrypted as the property says.
  private func present() throws -> RecordValue {
    guard let value else {
      let error = error(
        .missingField, found: isSystemField ? "none in the record" : "no such field",
        expected: "a value, or an optional property")
      throw DecodingError.keyNotFound(key, context(error))
    }
    if isEncrypted { state.noteEncryptedRead() }
    guard isEncrypted == expectsEncrypted else {
      throw failure(
        .encryption, found: isEncrypted ? "an encrypted field" : "an unencrypted field",
        expected: isEncrypted
          ? "a property that is marked with @Encrypted" : "a property without @Encrypted")
    }
    return value
  }

  private func nestedFailure(_ value: RecordValue) -> DecodingError {
    failure(
      .nestedValue, found: describe(value, withValue: false) + " for a type with properties",
      expected: NestedJSON.advice)
  }

  private func describe(_ value: RecordValue, withValue: Bool = true) -> String {
    if !withValue && !isEncrypted { return value.typeName }
    return value.description(isEncrypted: isEncrypted)
  }

  func failure(_ code: TypedRecordError.Code, found: String, expected: String) -> DecodingError {
    let error = error(code, found: found, expected: expected)
    return code == .wrongType
      ? .typeMismatch(Any.self, context(error)) : .dataCorrupted(context(error))
  }

  private func error(
    _ code: TypedRecordError.Code, found: String, expected: String
  ) -> TypedRecordError {
    let place = index.map { " as element \($0)" } ?? ""
    return state.error(code, key: name, found: found + place, expected: expected)
  }

  private func context(_ error: TypedRecordError) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: codingPath, debugDescription: error.description, underlyingError: error)
  }
}

extension PropertyRole {
  /// The system field, as the value of a field; nil if the record has none.
  fileprivate func systemField(of record: any FieldSource) -> RecordValue? {
    func user(_ recordID: RecordID?) -> RecordValue? {
      recordID.map { .reference(Reference(recordID: $0)) }
    }
    return switch self {
    case .field, .encrypted, .jsonBytes, .jsonString: nil
    case .recordName: .string(record.recordID.recordName)
    case .recordIdentity: .reference(Reference(recordID: record.recordID))
    case .parent: record.systemFields.parent.map(RecordValue.reference)
    case .changeTag: record.systemFields.recordChangeTag.map(RecordValue.string)
    case .creationDate: record.systemFields.creationDate.map(RecordValue.timestamp)
    case .modificationDate: record.systemFields.modificationDate.map(RecordValue.timestamp)
    case .creator: user(record.systemFields.creatorUserRecordID)
    case .lastModifiedUser: user(record.systemFields.lastModifiedUserRecordID)
    }
  }
}

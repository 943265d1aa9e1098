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
    if let elements = value.elements {
      return ListDecodingContainer(field: self, elements: elements)
    }
    throw holdsJSON(value)
      ? nestedFailure(value)
      : failure(.wrongType, found: describe(value, withValue: false), expected: "a list")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    FieldValueContainer(field: self)
  }

  /// Reads a value of any type.
  func read<T: Decodable>(_ type: T.Type) throws -> T {
    if let scalar = type as? any FieldScalar.Type {
      return try same(self.scalar(scalar))
    }
    // An optional reads its value in a call of its own.
    if isJSON && value != nil && !(type is any NilCheckable.Type) { return try json(type) }
    if type == Decimal.self { return try same(decimal()) }
    if type == RecordID.self { return try same(recordID()) }
    if let type = type as? any RecordValueConvertible.Type, !(type is any ListType.Type) {
      return try same(convertible(type))
    }
    if value == nil { return try T(from: self) }
    if type is any NestedType.Type {
      if state.options.nestedValueStrategy != .throw { return try json(type) }
      throw nestedFailure(try present())
    }
    do {
      return try T(from: self)
    } catch let error as DecodingError {
      let reason = error.context.underlyingError as? TypedRecordError
      guard reason?.code == .nestedValue, index == nil, let value, holdsJSON(value) else {
        throw error
      }
      return try json(type)
    }
  }

  /// Returns a value of a type that was found to be the one that is read.
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
      throw failure(error, value)
    }
  }

  private func decimal() throws -> Decimal {
    let value = try present()
    guard state.options.decimalStrategy == .string else {
      throw failure(
        .unsupportedType, found: "a property of type Decimal",
        expected: "another type, or `decimalStrategy = .string`")
    }
    do {
      return try DecimalText.read(value)
    } catch {
      throw failure(error, value)
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

  private func holdsJSON(_ value: RecordValue) -> Bool {
    state.options.nestedValueStrategy != .throw && value.jsonText != nil
  }
}

/// The position in a list.
struct ElementKey: CodingKey {
  let intValue: Int?
  var stringValue: String { intValue.map { "\($0)" } ?? "" }

  init(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { nil }
}

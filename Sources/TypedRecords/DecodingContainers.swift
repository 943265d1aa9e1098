import RecordModel

/// The decoder of a whole record.
struct TopDecoder: Decoder {
  let state: DecodingState
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard !(type is any FieldScalar.Type), !(type is any ListType.Type) else {
      throw unsupported("\(type)")
    }
    return try T(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(FieldsContainer<Key>(state: state))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported("a list") }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    TopValueContainer(decoder: self)
  }

  private func unsupported(_ found: String) -> DecodingError {
    let error = state.error(
      .unsupportedType, found: "\(found) instead of properties",
      expected: "a type with properties, which are the fields of the record")
    return .typeMismatch(
      Any.self,
      DecodingError.Context(
        codingPath: [], debugDescription: error.description, underlyingError: error))
  }
}

/// The value that a type that wraps a record's type asks for.
private struct TopValueContainer: SingleValueDecodingContainer {
  let decoder: TopDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}

/// The fields of a record, for the properties of a type.
struct FieldsContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let state: DecodingState
  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    state.source.allKeys().compactMap { state.options.keyStrategy.key(ofField: $0) }
  }

  func contains(_ key: Key) -> Bool { state.source.hasField(named: state.name(of: key)) }

  /// No field holds a nil: it is absent.
  func decodeNil(forKey key: Key) -> Bool { !contains(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try state.field(of: key).read(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    // A wrapper may ask for something other than the field.
    if type is any AnyRecordProperty.Type { return try state.field(of: key).read(type) }
    let field = state.field(of: key)
    return field.value == nil ? nil : try field.read(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try state.field(of: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try state.field(of: key).unkeyedContainer()
  }

  /// The fields of a superclass are in the same record.
  func superDecoder() -> any Decoder { TopDecoder(state: state) }

  func superDecoder(forKey key: Key) -> any Decoder { state.field(of: key) }

  private func scalar<T: FieldScalar>(_ key: Key) throws -> T {
    try state.field(of: key).scalar(T.self)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }
}

/// A container that reads one scalar after the other, for Codable's method of each scalar type.
protocol ScalarDecodingContainer {
  func scalar<T: FieldScalar>() throws -> T
}

extension ScalarDecodingContainer {
  func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
  func decode(_ type: String.Type) throws -> String { try scalar() }
  func decode(_ type: Double.Type) throws -> Double { try scalar() }
  func decode(_ type: Float.Type) throws -> Float { try scalar() }
  func decode(_ type: Int.Type) throws -> Int { try scalar() }
  func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
  func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
  func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
  func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
  func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
}

/// The value of a field, for a type that is one value.
struct FieldValueContainer: SingleValueDecodingContainer, ScalarDecodingContainer {
  let field: FieldDecoder
  var codingPath: [any CodingKey] { field.codingPath }

  func decodeNil() -> Bool { field.value == nil }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try field.read(type) }
  func scalar<T: FieldScalar>() throws -> T { try field.scalar(T.self) }
}

/// The elements of a list.
final class ListDecodingContainer: UnkeyedDecodingContainer, ScalarDecodingContainer {
  private let field: FieldDecoder
  private let elements: [RecordValue]
  private(set) var currentIndex = 0

  init(field: FieldDecoder, elements: [RecordValue]) {
    self.field = field
    self.elements = elements
  }

  var codingPath: [any CodingKey] { field.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  /// Calls `body` with the next element, and goes on if it succeeds.
  private func next<T>(_ body: (FieldDecoder) throws -> T) throws -> T {
    guard !isAtEnd else {
      throw field.failure(
        .missingField, found: "the end of the list after \(elements.count) elements",
        expected: "another element")
    }
    let value = try body(field.element(elements[currentIndex], at: currentIndex))
    currentIndex += 1
    return value
  }

  /// No element of a list is a nil.
  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try next { try $0.read(type) } }
  func scalar<T: FieldScalar>() throws -> T { try next { try $0.scalar(T.self) } }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next { try $0.container(keyedBy: type) }
  }

  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  func superDecoder() throws -> any Decoder { try next { $0 } }
}

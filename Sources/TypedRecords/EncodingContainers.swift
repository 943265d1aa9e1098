import RecordModel

/// The encoder of a whole value.
struct TopEncoder: Encoder {
  let state: EncodingState
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

  func encode<T: Encodable>(_ value: T) throws {
    guard !(value is any FieldScalar), !(value is any ListType), !isNil(value) else {
      throw state.unsupported("\(T.self) instead of properties")
    }
    try value.encode(to: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    state.hasProperties = true
    return KeyedEncodingContainer(FieldsEncodingContainer<Key>(state: state))
  }

  /// Returns a container that rejects what is written to it: this method cannot throw.
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let field = state.openField(of: FieldKey(stringValue: ""))
    _ = field.markNested()
    return ListEncodingContainer(field: field)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    TopValueEncodingContainer(encoder: self)
  }
}

/// The value that a type that wraps a record's type writes.
private struct TopValueEncodingContainer: SingleValueEncodingContainer {
  let encoder: TopEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws { throw encoder.state.unsupported("nil instead of properties") }
  func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }
}

/// The properties of a type, as fields of a draft.
struct FieldsEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let state: EncodingState
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws {
    let field = state.field(of: key)
    field.writeNil()
    try field.store()
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let field = state.field(of: key)
    try field.write(value)
    try field.store()
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { return try encode(value, forKey: key) }
    // A wrapper may stand for something other than the field.
    let type =
      T.self is any AnyRecordProperty.Type ? T.self as? any ExpressibleByNilLiteral.Type : nil
    if let type, let wrapper = type.init(nilLiteral: ()) as? T {
      try encode(wrapper, forKey: key)
    } else {
      try encodeNil(forKey: key)
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    state.openField(of: key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    state.openField(of: key).unkeyedContainer()
  }

  /// The fields of a superclass are in the same record.
  func superEncoder() -> any Encoder { TopEncoder(state: state) }

  func superEncoder(forKey key: Key) -> any Encoder { state.openField(of: key) }

  private func scalar<T: FieldScalar>(_ value: T, _ key: Key) throws {
    let field = state.field(of: key)
    try field.write(scalar: value)
    try field.store()
  }

  func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try scalar(value, key) }

  private func optional<T: FieldScalar>(_ value: T?, _ key: Key) throws {
    if let value { try scalar(value, key) } else { try encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key) }
}

/// A container that writes one scalar after the other, for Codable's method of each scalar type.
protocol ScalarEncodingContainer {
  func scalar<T: FieldScalar>(_ value: T) throws
}

extension ScalarEncodingContainer {
  func encode(_ value: Bool) throws { try scalar(value) }
  func encode(_ value: String) throws { try scalar(value) }
  func encode(_ value: Double) throws { try scalar(value) }
  func encode(_ value: Float) throws { try scalar(value) }
  func encode(_ value: Int) throws { try scalar(value) }
  func encode(_ value: Int8) throws { try scalar(value) }
  func encode(_ value: Int16) throws { try scalar(value) }
  func encode(_ value: Int32) throws { try scalar(value) }
  func encode(_ value: Int64) throws { try scalar(value) }
  func encode(_ value: UInt) throws { try scalar(value) }
  func encode(_ value: UInt8) throws { try scalar(value) }
  func encode(_ value: UInt16) throws { try scalar(value) }
  func encode(_ value: UInt32) throws { try scalar(value) }
  func encode(_ value: UInt64) throws { try scalar(value) }
}

/// The value of a field, as a type that is one value writes it.
struct FieldValueEncodingContainer: SingleValueEncodingContainer, ScalarEncodingContainer {
  let field: FieldEncoder
  var codingPath: [any CodingKey] { field.codingPath }

  func encodeNil() { field.writeNil() }
  func encode<T: Encodable>(_ value: T) throws { try field.write(value) }
  func scalar<T: FieldScalar>(_ value: T) throws { try field.write(scalar: value) }
}

/// The elements of a list.
struct ListEncodingContainer: UnkeyedEncodingContainer, ScalarEncodingContainer {
  let field: FieldEncoder
  var codingPath: [any CodingKey] { field.codingPath }
  var count: Int { field.elementCount }

  private func append(_ write: (FieldEncoder) throws -> Void) throws {
    let element = field.element(at: count)
    do {
      try write(element)
    } catch let error as TypedRecordError where error.code == .nestedValue {
      throw field.markNested()
    }
    try field.append(element)
  }

  func encodeNil() throws { try append { $0.writeNil() } }
  func encode<T: Encodable>(_ value: T) throws { try append { try $0.write(value) } }
  func scalar<T: FieldScalar>(_ value: T) throws { try append { try $0.write(scalar: value) } }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    field.container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    _ = field.markNested()
    return ListEncodingContainer(field: field)
  }

  /// An element that is written later could be of any type.
  func superEncoder() -> any Encoder {
    _ = field.markNested()
    return field.element(at: count)
  }
}

/// The properties of a value in a field. No field holds them: whatever is written is an error.
struct NestedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let field: FieldEncoder
  var codingPath: [any CodingKey] { field.codingPath }

  func encodeNil(forKey key: Key) throws { throw field.markNested() }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw field.markNested() }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    field.container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    field.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { field }
  func superEncoder(forKey key: Key) -> any Encoder { field }
}

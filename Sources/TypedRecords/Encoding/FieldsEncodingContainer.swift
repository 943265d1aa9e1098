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
      T.self is any RecordPropertyWrapper.Type ? T.self as? any ExpressibleByNilLiteral.Type : nil
    if let type, let wrapper = type.init(nilLiteral: ()) as? T {
      try encode(wrapper, forKey: key)
    } else {
      try encodeNil(forKey: key)
    }
  }

  private func scalar<T: FieldScalar>(_ value: T, _ key: Key) throws {
    let field = state.field(of: key)
    try field.write(scalar: value)
    try field.store()
  }

  private func scalarIfPresent<T: FieldScalar>(_ value: T?, _ key: Key) throws {
    if let value { try scalar(value, key) } else { try encodeNil(forKey: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    state.openField(of: key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    state.openField(of: key).unkeyedContainer()
  }

  /// The fields of a superclass lie in the same record.
  func superEncoder() -> any Encoder { TopEncoder(state: state) }

  func superEncoder(forKey key: Key) -> any Encoder { state.openField(of: key) }

  func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try scalarIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    try scalarIfPresent(value, key)
  }
}

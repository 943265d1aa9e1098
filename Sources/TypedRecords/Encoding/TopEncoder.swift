/// The encoder of a whole value.
struct TopEncoder: Encoder {
  let state: EncodingState
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

  func encode<T: Encodable>(_ value: T) throws {
    guard !(value is any FieldScalar), !(value is any ListType), !isNil(value) else {
      throw state.unsupported("\(T.self) instead of properties")
    }
    state.addEncryptedKeys(of: type(of: value))
    try value.encode(to: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    state.hasProperties = true
    return KeyedEncodingContainer(FieldsEncodingContainer<Key>(state: state))
  }

  /// An encoder cannot refuse to make a container; this one refuses what is written to it.
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let field = state.openField(of: FieldKey(stringValue: ""))
    _ = field.markNested()
    return ListEncodingContainer(field: field)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    TopValueEncodingContainer(encoder: self)
  }
}

/// What a type that wraps a record's type writes.
private struct TopValueEncodingContainer: SingleValueEncodingContainer {
  let encoder: TopEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws { throw encoder.state.unsupported("nil instead of properties") }
  func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }
}

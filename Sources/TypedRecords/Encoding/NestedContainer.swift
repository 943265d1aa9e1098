/// The properties of a value in a field. No field holds them: whatever is written is an error, which
/// tells the encoder of the field to write JSON if it may.
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

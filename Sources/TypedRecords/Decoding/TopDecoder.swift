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

  fileprivate func unsupported(_ found: String) -> DecodingError {
    let error = state.error(
      .unsupportedType, found: "\(found) instead of properties",
      expected: "a type with properties, which are the fields of the record")
    return .typeMismatch(
      Any.self,
      DecodingError.Context(
        codingPath: [], debugDescription: error.description, underlyingError: error))
  }
}

/// What a type that wraps a record's type asks for.
private struct TopValueContainer: SingleValueDecodingContainer {
  let decoder: TopDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}

import RecordModel

extension Decoder {
  /// Decodes a value of the model from its JSON form.
  func decodeModel<T: JSONConvertible>(_ type: T.Type = T.self) throws -> T {
    let json = try JSONValue(from: self)
    do throws(RecordCodingError) {
      return try T(json: json)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath, debugDescription: error.description, underlyingError: error))
    }
  }
}

extension Encoder {
  /// Encodes a value of the model in its JSON form.
  ///
  /// Throws `RecordCodingError`; an `EncodingError` would contain the value, which could put an
  /// encrypted one into logs.
  func encodeModel(_ value: some JSONConvertible) throws {
    try value.jsonValue().encode(to: self)
  }
}

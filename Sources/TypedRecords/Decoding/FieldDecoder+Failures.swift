import RecordModel

extension FieldDecoder {
  /// Returns the value, if the field is there, and encrypted as the property says.
  func present() throws -> RecordValue {
    guard let value else {
      throw DecodingError.keyNotFound(
        key,
        context(
          error(
            .missingField, found: isSystemField ? "none in the record" : "no such field",
            expected: "a value, or an optional property")))
    }
    if isEncrypted { state.noteEncryptedRead() }
    guard isEncrypted == expectsEncrypted || state.options.encryptedFieldStrategy == .any else {
      throw failure(
        .encryption, found: isEncrypted ? "an encrypted field" : "an unencrypted field",
        expected: isEncrypted
          ? "a property that is marked with @Encrypted" : "a property without @Encrypted")
    }
    return value
  }

  func failure(_ reason: ValueFailure, _ value: RecordValue) -> DecodingError {
    failure(
      reason.code, found: describe(value, withValue: reason.code != .wrongType),
      expected: reason.expected)
  }

  func nestedFailure(_ value: RecordValue) -> DecodingError {
    failure(
      .nestedValue, found: describe(value, withValue: false) + " for a type with properties",
      expected: "a type that one field holds, or @JSONBytes, @JSONString or a `nestedValueStrategy`"
    )
  }

  func describe(_ value: RecordValue, withValue: Bool = true) -> String {
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

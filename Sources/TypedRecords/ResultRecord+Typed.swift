import RecordModel

extension ResultRecord {
  /// Returns a value of a type, decoded from this record.
  ///
  /// ```swift
  /// let message = try record.decode(Message.self)
  /// ```
  ///
  /// - Throws: `TypedRecordError` if a field is missing or does not fit, and what the type's own
  ///   `init(from:)` throws that is not a `DecodingError`.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, using decoder: RecordDecoder = RecordDecoder()
  ) throws -> T {
    try decoder.decode(type, from: self)
  }

  /// Returns the unencrypted value of a field.
  ///
  /// ```swift
  /// let text = try record.value("text", as: String.self)
  /// let sentAt = try record.value("sentAt", as: Date?.self)
  /// ```
  ///
  /// Unlike a subscript, this tells a missing field from one of another type. Numbers are converted
  /// as those of `CKRecord` are: an integer to `Bool` and to `Double`, a whole double to an integer.
  ///
  /// - Parameters:
  ///   - key: the name of the field.
  ///   - type: a type that a field can hold. For an optional type, a missing field is nil.
  /// - Throws: `TypedRecordError` if there is no such field, or it is encrypted or does not fit.
  public func value<T: Decodable>(_ key: String, as type: T.Type = T.self) throws -> T {
    try RecordDecoder().value(key, as: type, isEncrypted: false, in: self)
  }

  /// Returns the encrypted value of a field.
  ///
  /// - Parameters:
  ///   - key: the name of the field.
  ///   - type: a type that a field can hold. For an optional type, a missing field is nil.
  /// - Throws: `TypedRecordError` if there is no such field, or it is not encrypted or does not
  ///   fit. The error does not contain the value.
  public func encryptedValue<T: Decodable>(_ key: String, as type: T.Type = T.self) throws -> T {
    try RecordDecoder().value(key, as: type, isEncrypted: true, in: self)
  }
}

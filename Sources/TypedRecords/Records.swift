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
}

extension DraftRecord {
  /// Creates a draft of a new record with the properties of a value.
  ///
  /// ```swift
  /// let draft = try DraftRecord(encoding: message, recordType: "Message", recordID: messageID)
  /// ```
  ///
  /// - Throws: `TypedRecordError` if a property cannot be a field, or the value's own identity is
  ///   not `recordID`; and what the type's own `encode(to:)` throws that is not an `EncodingError`.
  public init<T: Encodable>(
    encoding value: T, recordType: String, recordID: RecordID,
    using encoder: RecordEncoder = RecordEncoder()
  ) throws {
    self = try encoder.draft(from: value, recordType: recordType, recordID: recordID)
  }

  /// Creates a draft of a new record with the properties of a value. Its name is the value's
  /// ``RecordName`` or that of its ``RecordIdentity``; if the value has neither, a random UUID.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - recordType: the type of the record.
  ///   - zoneID: the zone of the record; nil for that of the value's ``RecordIdentity``, or the
  ///     default zone.
  ///   - encoder: the encoder.
  /// - Throws: like ``encode(_:using:)``.
  public init<T: Encodable>(
    encoding value: T, recordType: String, zoneID: ZoneID? = nil,
    using encoder: RecordEncoder = RecordEncoder()
  ) throws {
    self = try encoder.draft(from: value, recordType: recordType, zoneID: zoneID)
  }

  /// Writes the properties of a value to the draft. Fields that differ become changed keys.
  ///
  /// ```swift
  /// var message = try record.decode(Message.self)
  /// message.isRead = true
  /// var draft = DraftRecord(record)
  /// try draft.encode(message)
  /// print(draft.changedKeys())  // ["isRead"]
  /// ```
  ///
  /// - Throws: `TypedRecordError` if a property cannot be a field, and what the type's own
  ///   `encode(to:)` throws that is not an `EncodingError`. The draft is then as it was.
  public mutating func encode<T: Encodable>(
    _ value: T, using encoder: RecordEncoder = RecordEncoder()
  ) throws {
    try encoder.encode(value, into: &self)
  }

  /// Returns a value of a type, decoded from the current state of the draft.
  ///
  /// - Throws: `TypedRecordError` if a field is missing or does not fit, and what the type's own
  ///   `init(from:)` throws that is not a `DecodingError`.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, using decoder: RecordDecoder = RecordDecoder()
  ) throws -> T {
    try decoder.decode(type, from: self)
  }
}

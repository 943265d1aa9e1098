import RecordModel

/// Encodes Swift types into drafts, as `JSONEncoder` does into JSON.
///
/// ```swift
/// var draft = DraftRecord(record)
/// try RecordEncoder().encode(message, into: &draft)
/// ```
///
/// Encoding changes only what differs. A field that already holds the value of its property stays as
/// it is, and so do fields that the type has no property for. A property that is nil removes its
/// field. See <doc:CodableTypes> for the rules.
public struct RecordEncoder: Sendable {
  /// The names of the fields of properties.
  public var keyStrategy = KeyStrategy.useDefaultKeys
  /// What happens to properties that no field can hold.
  ///
  /// A field that is `BYTES` or `STRING` in the draft stays so.
  public var nestedValueStrategy = NestedValueStrategy.throw
  /// What happens to `Decimal` properties.
  public var decimalStrategy = DecimalStrategy.throw
  /// The names of encrypted fields, in addition to properties with ``Encrypted`` and to
  /// ``EncryptedFields/encryptedKeys``.
  public var encryptedKeys: Set<String> = []
  /// Values for the encoded types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder with the default strategies.
  public init() {}

  /// Encodes a value into a draft. Fields that differ from the draft become changed keys.
  ///
  /// - Throws: `TypedRecordError` if a property cannot be a field, and what the type's own
  ///   `encode(to:)` throws that is not an `EncodingError`. The draft is then as it was.
  public func encode<T: Encodable>(_ value: T, into draft: inout DraftRecord) throws {
    let state = EncodingState(type(of: value), options: self)
    try located(state, draft.recordType, draft.recordID) {
      try collect(value, state)
      // All or nothing.
      var changed = draft
      try state.write(to: &changed)
      draft = changed
    }
  }

  /// Returns a draft of a new record with the value's properties.
  ///
  /// - Parameters:
  ///   - value: the value. If it has a ``RecordName`` or ``RecordIdentity``, it must be that of
  ///     `recordID`.
  ///   - recordType: the type of the record.
  ///   - recordID: the identity of the record.
  /// - Throws: like ``encode(_:into:)``.
  public func draft<T: Encodable>(
    from value: T, recordType: String, recordID: RecordID
  ) throws -> DraftRecord {
    var draft = DraftRecord(recordType: recordType, recordID: recordID)
    try encode(value, into: &draft)
    return draft
  }

  /// Returns a draft of a new record with the value's properties. Its name is the value's
  /// ``RecordName`` or that of its ``RecordIdentity``; if the value has neither, a random UUID.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - recordType: the type of the record.
  ///   - zoneID: the zone of the record; nil for that of the value's ``RecordIdentity``, or the
  ///     default zone.
  /// - Throws: like ``encode(_:into:)``.
  public func draft<T: Encodable>(
    from value: T, recordType: String, zoneID: ZoneID? = nil
  ) throws -> DraftRecord {
    let state = EncodingState(type(of: value), options: self)
    return try located(state, recordType, nil) {
      try collect(value, state)
      let zoneID = zoneID ?? state.recordID?.zoneID ?? .default
      let name = state.recordName?.text ?? state.recordID?.recordName
      var draft =
        name.map { name in
          DraftRecord(
            recordType: recordType, recordID: RecordID(recordName: name, zoneID: zoneID))
        } ?? DraftRecord(recordType: recordType, zoneID: zoneID)
      try state.write(to: &draft)
      return draft
    }
  }

  private func collect<T: Encodable>(_ value: T, _ state: EncodingState) throws {
    try TopEncoder(state: state).encode(value)
    try state.finish()
  }

  private func located<R>(
    _ state: EncodingState, _ recordType: String, _ recordID: RecordID?, _ body: () throws -> R
  ) throws -> R {
    do {
      return try body()
    } catch {
      guard var error = state.located(error) as? TypedRecordError else { throw error }
      error.recordType = recordType
      error.recordID = recordID
      throw error
    }
  }
}

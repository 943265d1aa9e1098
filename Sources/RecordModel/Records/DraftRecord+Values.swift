import struct Foundation.UUID

extension DraftRecord {
  /// Creates a draft of a new record with a random UUID as its name, as `CKRecord` does.
  ///
  /// - Parameters:
  ///   - recordType: the type of the record.
  ///   - zoneID: the zone to save the record to.
  public init(recordType: String, zoneID: ZoneID = .default) {
    self.init(
      recordType: recordType, recordID: RecordID(recordName: UUID().uuidString, zoneID: zoneID))
  }

  /// The unencrypted value of a field; setting nil removes the field.
  public subscript(key: String) -> (any RecordValueConvertible)? {
    get { value(key, isEncrypted: false)?.swiftValue }
    set { setField(key, to: newValue?.recordValue) }
  }

  /// The unencrypted value of a field, converted to `T`; setting nil removes the field.
  ///
  /// Nil if there is no such field, or its value is of another type.
  public subscript<T: RecordValueConvertible>(key: String) -> T? {
    get { value(key, isEncrypted: false).flatMap(T.init(recordValue:)) }
    set { setField(key, to: newValue?.recordValue) }
  }

  /// The encrypted values of the draft: `draft.encryptedValues["text"] = "Hello"`.
  public var encryptedValues: EncryptedValues {
    get { EncryptedValues(draft: self) }
    set { self = newValue.draft }
  }

  fileprivate func value(_ key: String, isEncrypted: Bool) -> RecordValue? {
    guard let field = field(named: key), field.isEncrypted == isEncrypted else { return nil }
    return field.value
  }

  /// The encrypted values of a draft.
  public struct EncryptedValues: Sendable {
    fileprivate var draft: DraftRecord

    /// The encrypted value of a field; setting nil removes the field.
    public subscript(key: String) -> (any RecordValueConvertible)? {
      get { draft.value(key, isEncrypted: true)?.swiftValue }
      set { draft.setField(key, to: newValue?.recordValue, isEncrypted: true) }
    }

    /// The encrypted value of a field, converted to `T`; setting nil removes the field.
    public subscript<T: RecordValueConvertible>(key: String) -> T? {
      get { draft.value(key, isEncrypted: true).flatMap(T.init(recordValue:)) }
      set { draft.setField(key, to: newValue?.recordValue, isEncrypted: true) }
    }
  }
}

import struct Foundation.UUID

extension DraftRecord {
  /// A draft of a new record under a fresh UUID, as `CKRecord` makes one.
  ///
  /// - Parameter zoneID: the zone it will be saved to.
  public init(recordType: String, zoneID: ZoneID = .default) {
    self.init(
      recordType: recordType, recordID: RecordID(recordName: UUID().uuidString, zoneID: zoneID))
  }

  /// The plain value of a field; setting nil removes the field.
  public subscript(key: String) -> (any RecordValueConvertible)? {
    get { value(key, isEncrypted: false)?.swiftValue }
    set { setField(key, to: newValue?.recordValue) }
  }

  /// The plain value of a field, converted; setting nil removes the field.
  public subscript<T: RecordValueConvertible>(key: String) -> T? {
    get { value(key, isEncrypted: false).flatMap(T.init(recordValue:)) }
    set { setField(key, to: newValue?.recordValue) }
  }

  /// The draft's encrypted values, written like the plain ones:
  /// `draft.encryptedValues["text"] = "Hello"`.
  public var encryptedValues: EncryptedValues {
    get { EncryptedValues(draft: self) }
    set { self = newValue.draft }
  }

  fileprivate func value(_ key: String, isEncrypted: Bool) -> RecordValue? {
    guard let field = field(named: key), field.isEncrypted == isEncrypted else { return nil }
    return field.value
  }

  /// Access to the encrypted values of a draft.
  public struct EncryptedValues: Sendable {
    fileprivate var draft: DraftRecord

    /// The encrypted value of a field; setting nil removes the field.
    public subscript(key: String) -> (any RecordValueConvertible)? {
      get { draft.value(key, isEncrypted: true)?.swiftValue }
      set { draft.setField(key, to: newValue?.recordValue, isEncrypted: true) }
    }

    /// The encrypted value of a field, converted; setting nil removes the field.
    public subscript<T: RecordValueConvertible>(key: String) -> T? {
      get { draft.value(key, isEncrypted: true).flatMap(T.init(recordValue:)) }
      set { draft.setField(key, to: newValue?.recordValue, isEncrypted: true) }
    }
  }
}

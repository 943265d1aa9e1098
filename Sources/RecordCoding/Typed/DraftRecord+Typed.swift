import RecordModel

extension DraftRecord {
  /// Creates a draft of a new record with the properties of a value.
  ///
  /// - Throws: What ``TypedRecord/update(_:)`` throws.
  public init(_ value: some TypedRecord) throws {
    self.init(recordType: type(of: value).recordType, recordID: value.recordID)
    try value.update(&self)
  }

  /// Sets a field if it has another value, or removes it if the value is nil.
  ///
  /// A field that has the value keeps its form: an integer that is the same number, an empty list
  /// without a type.
  ///
  /// - Throws: `TypedRecordError` if the field is encrypted and `isEncrypted` is false,
  ///   or the other way round.
  public mutating func update<T: RecordValueConvertible>(
    _ name: String, to value: T?, isEncrypted: Bool = false
  ) throws {
    let field = field(named: name)
    if let known = self.field(named: name, encryptedUnlike: isEncrypted) {
      throw TypedRecordError(
        .encryption, typeName: "\(T.self)", recordType: recordType, recordID: recordID, key: name,
        found: known.isEncrypted ? "an encrypted field" : "a field that is not encrypted",
        expected: isEncrypted ? "an encrypted field" : "a field that is not encrypted")
    }
    guard let value else {
      if field != nil { setField(name, to: nil) }
      return
    }
    let new = value.recordValue
    if let field, field.value == new || T(recordValue: field.value)?.recordValue == new { return }
    setField(name, to: new, isEncrypted: isEncrypted)
  }

  /// Checks that the draft is that of a value, and sets its parent if it has another.
  ///
  /// - Throws: `TypedRecordError` if the draft has another type or identity.
  public mutating func updateIdentity<T: TypedRecord>(
    _ recordID: RecordID, parent: Reference?, of type: T.Type
  ) throws {
    guard recordType.sameScalars(as: T.recordType), self.recordID == recordID else {
      throw TypedRecordError(
        .identity, typeName: "\(T.self)", recordType: recordType, recordID: self.recordID,
        found: "a value of \(T.recordType) \(recordID)", expected: "one of the draft's record")
    }
    if self.parent != parent { self.parent = parent }
  }
}

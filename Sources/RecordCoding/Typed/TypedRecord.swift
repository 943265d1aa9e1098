import RecordModel

/// A type that reads its properties from a record without copying the record.
///
/// `recordpack schema generate --swift` writes such types. For types of your own, read the fields in
/// the order of their names, which is the order in which a bundle has them: then each byte is read
/// once. Any other order works, too.
///
/// ```swift
/// struct Chat: RecordDecodable {
///   var recordID: RecordID
///   var title: String?
///   var updatedAt: Date?
///
///   init(from record: inout RecordView) throws {
///     recordID = record.recordID
///     title = try record.string("title")
///     updatedAt = try record.date("updatedAt")
///   }
/// }
/// ```
public protocol RecordDecodable: Sendable {
  /// Reads the properties from a record.
  ///
  /// It can be called more than once for a record, so it should have no effects.
  ///
  /// - Throws: `TypedRecordError` if a field does not have the type of its property.
  init(from record: inout RecordView) throws
}

/// A Swift type for the records of one record type.
public protocol TypedRecord: RecordDecodable {
  /// The record type.
  static var recordType: String { get }

  /// The identity of the record.
  var recordID: RecordID { get }

  /// Writes the properties to a draft of the record. Only what differs becomes a changed key.
  ///
  /// - Throws: `TypedRecordError` if the draft is of another record, or has a field
  ///   that is encrypted in one of the two only.
  func update(_ draft: inout DraftRecord) throws
}

extension RecordDecodable {
  /// Reads the properties from a record.
  ///
  /// - Throws: `TypedRecordError` if a field does not have the type of its property.
  @inlinable
  public init(_ record: ResultRecord) throws {
    self = try RecordView.with(record, Self.self) { try Self(from: &$0) }
  }
}

extension TypedRecord {
  /// Reads the properties from a record of the type.
  ///
  /// - Throws: `TypedRecordError` if the record has another type, or a field does not
  ///   have the type of its property.
  @inlinable
  public init(_ record: ResultRecord) throws {
    try Self.check(record)
    self = try RecordView.with(record, Self.self) { try Self(from: &$0) }
  }

  @usableFromInline
  static func check(_ record: ResultRecord) throws {
    guard record.recordType.sameScalars(as: Self.recordType) else {
      throw TypedRecordError(
        .wrongType, typeName: "\(Self.self)", recordType: record.recordType,
        recordID: record.recordID, found: "a record of the type \(record.recordType)",
        expected: "one of the type \(Self.recordType)")
    }
  }
}

extension DraftRecord {
  /// Creates a draft of a new record with the properties of a value.
  ///
  /// - Throws: The error of ``TypedRecord/update(_:)``.
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

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

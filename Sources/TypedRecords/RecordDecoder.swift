import RecordModel

/// Decodes Swift types from records, as `JSONDecoder` does from JSON.
///
/// ```swift
/// var decoder = RecordDecoder()
/// decoder.unknownFieldStrategy = .throw
/// let message = try decoder.decode(Message.self, from: record)
/// ```
///
/// A property is the field with the name of its coding key. An optional property is nil if the record
/// has no such field. What Codable cannot say is said by property wrappers: ``Encrypted``,
/// ``RecordName``, ``Parent``, ``JSONBytes`` and others. The article <doc:CodableTypes> lists the
/// types that properties can have.
public struct RecordDecoder: Sendable {
  /// The names of the fields of properties.
  public var keyStrategy = KeyStrategy.useDefaultKeys
  /// What happens to properties that no field can hold.
  ///
  /// With either kind of JSON, both `BYTES` and `STRING` fields are read.
  public var nestedValueStrategy = NestedValueStrategy.throw
  /// What happens to `Decimal` properties.
  public var decimalStrategy = DecimalStrategy.throw
  /// What happens to fields that the type has no property for.
  public var unknownFieldStrategy = UnknownFieldStrategy.ignore
  /// Which properties are decoded from encrypted fields.
  public var encryptedFieldStrategy = EncryptedFieldStrategy.marked
  /// The names of encrypted fields, in addition to properties with ``Encrypted`` and to
  /// ``EncryptedFields/encryptedKeys``.
  public var encryptedKeys: Set<String> = []
  /// Values for the initializers of the decoded types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder with the default strategies.
  public init() {}

  /// Returns a value of a type, decoded from a record.
  ///
  /// - Throws: `TypedRecordError` if a field is missing or does not fit, and what the type's own
  ///   `init(from:)` throws that is not a `DecodingError`.
  public func decode<T: Decodable>(_ type: T.Type, from record: ResultRecord) throws -> T {
    try decode(type, source: record)
  }

  /// Returns a value of a type, decoded from the current state of a draft.
  ///
  /// - Throws: like ``decode(_:from:)-(_,ResultRecord)``.
  public func decode<T: Decodable>(_ type: T.Type, from draft: DraftRecord) throws -> T {
    try decode(type, source: draft)
  }

  private func decode<T: Decodable>(_ type: T.Type, source: any FieldSource) throws -> T {
    let state = DecodingState(type, source: source, options: self)
    do {
      let value = try TopDecoder(state: state).decode(type)
      try state.checkUnknownFields()
      return value
    } catch {
      throw state.located(error)
    }
  }

  /// Returns the value of one field.
  func value<T: Decodable>(
    _ key: String, as type: T.Type, isEncrypted: Bool, in record: ResultRecord
  ) throws -> T {
    let state = DecodingState(type, source: record, options: self)
    var field = state.field(of: FieldKey(stringValue: key))
    field.expectsEncrypted = isEncrypted
    do {
      return try field.read(type)
    } catch {
      throw state.located(error)
    }
  }
}

/// The name of a field.
struct FieldKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

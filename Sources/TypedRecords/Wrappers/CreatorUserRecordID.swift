/// The user who first saved the record: a `RecordID?`. It is nil for a record that was never saved,
/// and it is not encoded: the server sets it.
@propertyWrapper
public struct CreatorUserRecordID<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension CreatorUserRecordID: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .creatorUserRecordID)
  }
}

extension CreatorUserRecordID: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .creatorUserRecordID)
  }
}

extension CreatorUserRecordID: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension CreatorUserRecordID: NilCheckable {}

extension CreatorUserRecordID: Sendable where Value: Sendable {}
extension CreatorUserRecordID: Equatable where Value: Equatable {}
extension CreatorUserRecordID: Hashable where Value: Hashable {}

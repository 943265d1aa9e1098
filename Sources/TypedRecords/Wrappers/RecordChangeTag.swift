/// The record's change tag: a `String?`. It is nil for a record that was never saved, and it is not
/// encoded: a draft has the tag of the record it was created from.
@propertyWrapper
public struct RecordChangeTag<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension RecordChangeTag: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .recordChangeTag)
  }
}

extension RecordChangeTag: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .recordChangeTag)
  }
}

extension RecordChangeTag: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension RecordChangeTag: NilCheckable {}

extension RecordChangeTag: Sendable where Value: Sendable {}
extension RecordChangeTag: Equatable where Value: Equatable {}
extension RecordChangeTag: Hashable where Value: Hashable {}

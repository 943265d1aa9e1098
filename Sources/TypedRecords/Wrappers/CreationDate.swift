/// The time of the record's first save: a `Date?`. It is nil for a record that was never saved, and
/// it is not encoded: the server sets it.
@propertyWrapper
public struct CreationDate<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension CreationDate: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .creationDate)
  }
}

extension CreationDate: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .creationDate)
  }
}

extension CreationDate: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension CreationDate: NilCheckable {}

extension CreationDate: Sendable where Value: Sendable {}
extension CreationDate: Equatable where Value: Equatable {}
extension CreationDate: Hashable where Value: Hashable {}

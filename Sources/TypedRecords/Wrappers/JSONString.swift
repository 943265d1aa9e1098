/// A property as JSON in a `STRING` field, for types that no field can hold.
///
/// The rules are those of ``JSONBytes``.
@propertyWrapper
public struct JSONString<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension JSONString: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .json(.string))
  }
}

extension JSONString: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .json(.string))
  }
}

extension JSONString: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension JSONString: NilCheckable {}

extension JSONString: Sendable where Value: Sendable {}
extension JSONString: Equatable where Value: Equatable {}
extension JSONString: Hashable where Value: Hashable {}

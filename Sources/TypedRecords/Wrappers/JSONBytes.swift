/// A property as JSON in a `BYTES` field, for types that no field can hold.
///
/// ```swift
/// struct Drawing: Codable {
///   @JSONBytes var strokes: [Stroke] = []
/// }
/// ```
///
/// The JSON is that of `JSONEncoder`, with sorted members. A record whose field is a `STRING` keeps
/// it as one. If anything in the value changes, the whole field is written, without the members that
/// the type does not know.
///
/// The JSON of a property without ``Encrypted`` must not contain properties with it: encoding these
/// is an error.
@propertyWrapper
public struct JSONBytes<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension JSONBytes: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .json(.bytes))
  }
}

extension JSONBytes: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .json(.bytes))
  }
}

extension JSONBytes: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension JSONBytes: NilCheckable {}

extension JSONBytes: Sendable where Value: Sendable {}
extension JSONBytes: Equatable where Value: Equatable {}
extension JSONBytes: Hashable where Value: Hashable {}

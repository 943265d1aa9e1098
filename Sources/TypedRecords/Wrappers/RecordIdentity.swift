/// The record's identity, its name and zone: a `RecordID`.
///
/// A new draft without an identifier gets this one. Encoding into a draft with another one is an
/// error; nil fits any. `RecordID` is `Codable` with `RecordCoding`; see <doc:CodableTypes>.
@propertyWrapper
public struct RecordIdentity<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension RecordIdentity: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .recordID)
  }
}

extension RecordIdentity: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .recordID)
  }
}

extension RecordIdentity: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension RecordIdentity: NilCheckable {}

extension RecordIdentity: Sendable where Value: Sendable {}
extension RecordIdentity: Equatable where Value: Equatable {}
extension RecordIdentity: Hashable where Value: Hashable {}

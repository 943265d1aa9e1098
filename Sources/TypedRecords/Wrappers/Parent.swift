/// The record's parent in the sharing hierarchy: a `Reference`, or the parent's `RecordID`.
///
/// ```swift
/// struct Message: Codable {
///   @Parent var chat: Reference?
/// }
/// ```
///
/// Encoding sets the parent of the draft if it differs, and removes it if the property is nil.
/// `Reference` and `RecordID` are `Codable` with `RecordCoding`; see <doc:CodableTypes>.
@propertyWrapper
public struct Parent<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Parent: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .parent)
  }
}

extension Parent: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .parent)
  }
}

extension Parent: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension Parent: NilCheckable {}

extension Parent: Sendable where Value: Sendable {}
extension Parent: Equatable where Value: Equatable {}
extension Parent: Hashable where Value: Hashable {}

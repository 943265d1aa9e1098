/// A property in an encrypted field: one of the record's `encryptedValues`.
///
/// ```swift
/// struct Message: Codable {
///   @Encrypted var text: String?
///   var sentAt: Date?
/// }
/// ```
///
/// A property with this wrapper is never decoded from an unencrypted field, and one without it never
/// from an encrypted field: both are an error. Encoding does not change whether a field is encrypted
/// either.
///
/// All types of values can be encrypted but references and assets. To encrypt nested JSON, put this
/// wrapper before ``JSONBytes`` or ``JSONString``.
@propertyWrapper
public struct Encrypted<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Encrypted: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .encrypted)
  }
}

extension Encrypted: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .encrypted)
  }
}

extension Encrypted: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension Encrypted: NilCheckable {}

extension Encrypted: Sendable where Value: Sendable {}
extension Encrypted: Equatable where Value: Equatable {}
extension Encrypted: Hashable where Value: Hashable {}

/// The name of the record: a `String`, a `UUID`, or a type that is encoded as one of them.
///
/// ```swift
/// struct Message: Codable {
///   @RecordName var id: UUID
///   var text: String?
/// }
/// ```
///
/// A new draft without an identifier gets this name. Encoding into a draft with another name is an
/// error; nil fits any name.
@propertyWrapper
public struct RecordName<Value>: RecordPropertyWrapper {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension RecordName: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.wrappedValue(as: .recordName)
  }
}

extension RecordName: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(wrappedValue: wrappedValue, as: .recordName)
  }
}

extension RecordName: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension RecordName: NilCheckable {}

extension RecordName: Sendable where Value: Sendable {}
extension RecordName: Equatable where Value: Equatable {}
extension RecordName: Hashable where Value: Hashable {}

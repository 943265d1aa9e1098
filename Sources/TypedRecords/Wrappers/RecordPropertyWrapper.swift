/// A property wrapper that says what a property is in a record. Only the wrappers of this module
/// conform to it.
///
/// Other coders write and read the value of the wrapper alone: in JSON, the wrappers do not show.
public protocol RecordPropertyWrapper {
  /// The type of the property.
  associatedtype Value
  /// The value of the property.
  var wrappedValue: Value { get }
  /// Wraps a value.
  init(wrappedValue: Value)
}

extension NilCheckable where Self: RecordPropertyWrapper {
  static var wrappedType: Any.Type { Value.self }

  var isNil: Bool { TypedRecords.isNil(wrappedValue) }
}

extension KeyedDecodingContainer {
  /// Decodes the wrapper of an optional property; nil if the key is not there.
  public func decode<Wrapper>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper
  where Wrapper: RecordPropertyWrapper & Decodable & ExpressibleByNilLiteral {
    try decodeIfPresent(type, forKey: key) ?? Wrapper(nilLiteral: ())
  }
}

extension KeyedEncodingContainer {
  /// Encodes the wrapper of an optional property; the key is left out if it is nil.
  public mutating func encode<Wrapper>(_ value: Wrapper, forKey key: Key) throws
  where Wrapper: RecordPropertyWrapper & Encodable & ExpressibleByNilLiteral {
    // A literal would be a wrapper around nil.
    try encodeIfPresent(isNil(value.wrappedValue) ? Wrapper?.none : value, forKey: key)
  }
}

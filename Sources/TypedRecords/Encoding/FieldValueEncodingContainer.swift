/// The value of a field, as a type that is one value writes it.
struct FieldValueEncodingContainer: SingleValueEncodingContainer {
  let field: FieldEncoder
  var codingPath: [any CodingKey] { field.codingPath }

  func encodeNil() { field.writeNil() }
  func encode<T: Encodable>(_ value: T) throws { try field.write(value) }
  func encode(_ value: Bool) throws { try field.write(scalar: value) }
  func encode(_ value: String) throws { try field.write(scalar: value) }
  func encode(_ value: Double) throws { try field.write(scalar: value) }
  func encode(_ value: Float) throws { try field.write(scalar: value) }
  func encode(_ value: Int) throws { try field.write(scalar: value) }
  func encode(_ value: Int8) throws { try field.write(scalar: value) }
  func encode(_ value: Int16) throws { try field.write(scalar: value) }
  func encode(_ value: Int32) throws { try field.write(scalar: value) }
  func encode(_ value: Int64) throws { try field.write(scalar: value) }
  func encode(_ value: Int128) throws { try field.write(scalar: value) }
  func encode(_ value: UInt) throws { try field.write(scalar: value) }
  func encode(_ value: UInt8) throws { try field.write(scalar: value) }
  func encode(_ value: UInt16) throws { try field.write(scalar: value) }
  func encode(_ value: UInt32) throws { try field.write(scalar: value) }
  func encode(_ value: UInt64) throws { try field.write(scalar: value) }
  func encode(_ value: UInt128) throws { try field.write(scalar: value) }
}

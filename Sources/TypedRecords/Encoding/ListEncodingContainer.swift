import RecordModel

/// The elements of a list.
struct ListEncodingContainer: UnkeyedEncodingContainer {
  let field: FieldEncoder
  var codingPath: [any CodingKey] { field.codingPath }
  var count: Int { field.elementCount }

  func encodeNil() throws {
    let element = field.element(at: count)
    element.writeNil()
    try field.append(element)
  }

  func encode<T: Encodable>(_ value: T) throws {
    let element = field.element(at: count)
    do {
      try element.write(value)
    } catch let error as TypedRecordError where error.code == .nestedValue {
      throw field.markNested()
    }
    try field.append(element)
  }

  private func scalar<T: FieldScalar>(_ value: T) throws {
    let element = field.element(at: count)
    try element.write(scalar: value)
    try field.append(element)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    field.container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    _ = field.markNested()
    return ListEncodingContainer(field: field)
  }

  /// An element that is written later could be of any type.
  func superEncoder() -> any Encoder {
    _ = field.markNested()
    return field.element(at: count)
  }

  func encode(_ value: Bool) throws { try scalar(value) }
  func encode(_ value: String) throws { try scalar(value) }
  func encode(_ value: Double) throws { try scalar(value) }
  func encode(_ value: Float) throws { try scalar(value) }
  func encode(_ value: Int) throws { try scalar(value) }
  func encode(_ value: Int8) throws { try scalar(value) }
  func encode(_ value: Int16) throws { try scalar(value) }
  func encode(_ value: Int32) throws { try scalar(value) }
  func encode(_ value: Int64) throws { try scalar(value) }
  func encode(_ value: Int128) throws { try scalar(value) }
  func encode(_ value: UInt) throws { try scalar(value) }
  func encode(_ value: UInt8) throws { try scalar(value) }
  func encode(_ value: UInt16) throws { try scalar(value) }
  func encode(_ value: UInt32) throws { try scalar(value) }
  func encode(_ value: UInt64) throws { try scalar(value) }
  func encode(_ value: UInt128) throws { try scalar(value) }
}

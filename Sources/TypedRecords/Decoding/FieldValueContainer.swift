/// The value of a field, for a type that is one value.
struct FieldValueContainer: SingleValueDecodingContainer {
  let field: FieldDecoder
  var codingPath: [any CodingKey] { field.codingPath }

  func decodeNil() -> Bool { field.value == nil }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try field.read(type) }
  func decode(_ type: Bool.Type) throws -> Bool { try field.scalar(type) }
  func decode(_ type: String.Type) throws -> String { try field.scalar(type) }
  func decode(_ type: Double.Type) throws -> Double { try field.scalar(type) }
  func decode(_ type: Float.Type) throws -> Float { try field.scalar(type) }
  func decode(_ type: Int.Type) throws -> Int { try field.scalar(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try field.scalar(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try field.scalar(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try field.scalar(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try field.scalar(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try field.scalar(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try field.scalar(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try field.scalar(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try field.scalar(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try field.scalar(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try field.scalar(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try field.scalar(type) }
}

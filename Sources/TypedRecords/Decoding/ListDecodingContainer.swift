import RecordModel

/// The elements of a list.
struct ListDecodingContainer: UnkeyedDecodingContainer {
  let field: FieldDecoder
  let elements: [RecordValue]
  private(set) var currentIndex = 0

  init(field: FieldDecoder, elements: [RecordValue]) {
    self.field = field
    self.elements = elements
  }

  var codingPath: [any CodingKey] { field.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private var next: FieldDecoder {
    get throws {
      guard !isAtEnd else {
        throw field.failure(
          .missingField, found: "the end of the list after \(elements.count) elements",
          expected: "another element")
      }
      return field.element(elements[currentIndex], at: currentIndex)
    }
  }

  /// No element of a list is a nil.
  func decodeNil() -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try next.read(type)
    currentIndex += 1
    return value
  }

  private mutating func scalar<T: FieldScalar>() throws -> T {
    let value = try next.scalar(T.self)
    currentIndex += 1
    return value
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next.unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try next
    currentIndex += 1
    return decoder
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
  mutating func decode(_ type: String.Type) throws -> String { try scalar() }
  mutating func decode(_ type: Double.Type) throws -> Double { try scalar() }
  mutating func decode(_ type: Float.Type) throws -> Float { try scalar() }
  mutating func decode(_ type: Int.Type) throws -> Int { try scalar() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }
}

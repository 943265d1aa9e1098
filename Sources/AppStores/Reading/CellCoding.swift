import Foundation
import RecordCoding
import RecordModel
import RecordStore

extension StoreAttribute.Kind {
  /// Returns the value of a cell as its record has it, and whether it is one of this type. A cell of
  /// another type keeps its own; nil is NULL.
  func value(_ cell: SQLiteCell) -> (value: RecordValue, isDecoded: Bool)? {
    switch (self, cell) {
    case (_, .null): nil
    case (.int16, .integer(let number)), (.int32, .integer(let number)),
      (.int64, .integer(let number)), (.boolean, .integer(let number)):
      (.int64(number), true)
    case (.double, .integer(let number)), (.float, .integer(let number)),
      (.decimal, .integer(let number)) where Self.isDouble(number):
      (.double(Double(number)), true)
    case (.date, .integer(let number)): (.timestamp(Self.date(Double(number))), true)
    case (.date, .real(let number)) where number.isFinite:
      (.timestamp(Self.date(number)), true)
    case (.double, .real(let number)), (.float, .real(let number)), (.decimal, .real(let number)):
      number.isFinite
        ? (.double(number), true) : (.bytes(Data("\(number)".utf8)), false)
    case (.string, .text(let text)), (.uri, .text(let text)):
      Self.string(text).map { (.string($0), true) } ?? (.bytes(Data(text)), false)
    case (.uuid, .blob(let bytes)):
      UUIDText.text(bytes).map { (.string($0), true) } ?? (.bytes(Data(bytes)), false)
    case (.data, .blob(let bytes)), (.transformable, .blob(let bytes)),
      (.undefined, .blob(let bytes)), (.objectID, .blob(let bytes)):
      (.bytes(Data(bytes)), true)
    case (_, .integer(let number)): (.int64(number), false)
    case (_, .real(let number)):
      (number.isFinite ? .double(number) : .bytes(Data("\(number)".utf8)), false)
    case (_, .text(let text)):
      (Self.string(text).map { .string($0) } ?? .bytes(Data(text)), false)
    case (_, .blob(let bytes)): (.bytes(Data(bytes)), false)
    }
  }

  /// Whether a DOUBLE has all digits of a number. CloudKit has no other type for a decimal number.
  private static func isDouble(_ number: Int64) -> Bool {
    Int64(exactly: Double(number)) == number
  }

  private static func date(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Returns the infinity that a record has as bytes, because no record has an infinite number.
  private static func infinity(_ bytes: Data) -> Double? {
    [Double.infinity, -.infinity].first { bytes == Data("\($0)".utf8) }
  }

  private static func string(_ bytes: UnsafeRawBufferPointer) -> String? {
    String(validating: bytes, as: UTF8.self)
  }

  /// Returns the cell of a value; nil for a value of another type.
  func cell(of value: RecordValue) -> StoreCell? {
    switch (self, value) {
    case (.int16, .int64(let number)): Int16(exactly: number).map { _ in .integer(number) }
    case (.int32, .int64(let number)): Int32(exactly: number).map { _ in .integer(number) }
    case (.int64, .int64(let number)): .integer(number)
    case (.boolean, .int64(let number)): 0...1 ~= number ? .integer(number) : nil
    case (.double, .double(let number)), (.float, .double(let number)),
      (.decimal, .double(let number)):
      .real(number)
    case (.decimal, .int64(let number)) where !Self.isDouble(number): .integer(number)
    case (.double, .bytes(let bytes)), (.float, .bytes(let bytes)), (.decimal, .bytes(let bytes)),
      (.date, .bytes(let bytes)):
      Self.infinity(bytes).map { .real($0) }
    case (.date, .timestamp(let date)): .real(date.timeIntervalSinceReferenceDate)
    case (.string, .string(let text)), (.uri, .string(let text)): .text(text)
    case (.uuid, .string(let text)): UUIDText.bytes(text).map { .blob($0) }
    case (.data, .bytes(let bytes)), (.transformable, .bytes(let bytes)),
      (.undefined, .bytes(let bytes)), (.objectID, .bytes(let bytes)):
      .blob(bytes)
    default: nil
    }
  }

  /// The values that fit, for errors.
  var expectation: String {
    switch self {
    case .int16: "an INT64 from -32768 to 32767"
    case .int32: "an INT64 of 32 bits"
    case .int64: "an INT64"
    case .boolean: "an INT64, 0 or 1"
    case .double, .float, .decimal: "a DOUBLE"
    case .date: "a TIMESTAMP"
    case .string, .uri: "a STRING"
    case .uuid: "a STRING that is a UUID"
    case .data, .transformable, .undefined, .objectID: "BYTES"
    case .composite: "BYTES: the keyed archive of a dictionary with the elements' values"
    }
  }
}

/// The value of a cell to write.
enum StoreCell: Hashable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// The value of a cell; nil for NULL.
  init?(_ cell: SQLiteCell) {
    switch cell {
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(String(decoding: text, as: UTF8.self))
    case .blob(let bytes): self = .blob(Data(bytes))
    case .null: return nil
    }
  }

  func bind(to statement: SQLiteStatement, at index: Int32) throws {
    switch self {
    case .integer(let number): statement.bind(index, number)
    case .real(let number): statement.bind(index, number)
    case .text(let text): try statement.bind(index, text)
    case .blob(let bytes):
      try bytes.withUnsafeBytes { try statement.bindBlob(index, $0, isCopied: true) }
    }
  }
}

/// The bytes of a composite attribute in its record: the keyed archive of an `NSDictionary` with the
/// values of the elements, which Core Data has as the attribute's value. Elements without a value are
/// left out.
enum CompositeArchive {
  /// Returns the archive; nil if no element has a value, as a composite attribute that is nil.
  ///
  /// - Parameter cells: The values of the leaves, in their order.
  static func encode(
    _ attribute: StoreAttribute, _ cells: inout ArraySlice<RecordValue?>
  ) -> Data? {
    guard let content = dictionary(attribute.elements, &cells) else { return nil }
    var writer = KeyedArchiveWriter()
    writer.add("root", content)
    return writer.data()
  }

  private static func dictionary(
    _ elements: [StoreAttribute], _ cells: inout ArraySlice<RecordValue?>
  ) -> KeyedArchiveContent? {
    var keys: [KeyedArchiveContent] = []
    var values: [KeyedArchiveContent] = []
    for element in elements {
      let value =
        element.kind == .composite
        ? dictionary(element.elements, &cells)
        : (cells.popFirst() ?? nil).flatMap { content($0, element.kind) }
      guard let value else { continue }
      keys.append(.string(element.name))
      values.append(value)
    }
    guard !keys.isEmpty else { return nil }
    return .object(
      class: ["NSDictionary", "NSObject"],
      members: [("NS.keys", .list(keys)), ("NS.objects", .list(values))])
  }

  private static func content(
    _ value: RecordValue, _ kind: StoreAttribute.Kind
  ) -> KeyedArchiveContent? {
    switch value {
    case .int64(let number): kind == .boolean ? .bool(number != 0) : .integer(number)
    case .double(let number): .real(number)
    case .timestamp(let date): .date(date.timeIntervalSinceReferenceDate)
    case .string(let text) where kind == .uuid:
      UUIDText.bytes(text).map {
        .object(class: ["NSUUID", "NSObject"], members: [("NS.uuidbytes", .bytes($0))])
      }
    case .string(let text): kind == .uri ? .url(text) : .string(text)
    case .bytes(let bytes):
      if case .real(let number) = kind.cell(of: value) { .real(number) } else { .data(bytes) }
    default: nil
    }
  }

  /// Returns the cells of an archive, in the order of the leaves.
  ///
  /// - Throws: `RecordCodingError`.
  static func decode(_ bytes: Data, _ attribute: StoreAttribute) throws -> [StoreCell?] {
    try cells(attribute.elements, KeyedArchive(decoding: bytes).top.required("root"))
  }

  private static func cells(
    _ elements: [StoreAttribute], _ node: KeyedArchiveNode?
  ) throws -> [StoreCell?] {
    var values: [String: KeyedArchiveNode] = [:]
    try node?.forEachEntry { values[$0] = $1 }
    let names = Set(elements.map(\.name))
    if let node, let odd = values.keys.filter({ !names.contains($0) }).min() {
      throw RecordCodingError(
        path: node.path, found: "the element '\(odd)'",
        expected: elements.map { "'\($0.name)'" }.joined(separator: ", "))
    }
    return try elements.flatMap { element -> [StoreCell?] in
      let value = values[element.name]
      if element.kind == .composite { return try cells(element.elements, value) }
      return [try value.map { try cell($0, element.kind) }]
    }
  }

  private static func cell(
    _ node: KeyedArchiveNode, _ kind: StoreAttribute.Kind
  ) throws -> StoreCell {
    switch kind {
    case .boolean: return .integer(try (try? node.bool()).map { $0 ? 1 : 0 } ?? node.integer())
    case .int16, .int32, .int64: return .integer(try node.integer())
    case .decimal: return try (try? node.integer()).map { .integer($0) } ?? .real(node.double())
    case .double, .float: return .real(try node.double())
    case .date: return .real(try node.date().timeIntervalSinceReferenceDate)
    case .string: return .text(try node.string())
    case .uri: return .text(try node.url())
    case .uuid:
      let bytes = try node.instance(of: "NSUUID").required("NS.uuidbytes").data()
      guard bytes.count == 16 else {
        throw RecordCodingError(
          path: node.path, found: "a UUID of \(bytes.count) bytes", expected: "16 bytes")
      }
      return .blob(bytes)
    case .data, .transformable, .undefined, .objectID, .composite: return .blob(try node.data())
    }
  }
}

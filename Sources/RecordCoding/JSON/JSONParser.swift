import RecordModel

/// A strict JSON parser (RFC 8259) for untrusted bytes.
///
/// It rejects text that does not match the grammar, duplicate names in an object, escapes of lone
/// surrogates, and bytes that are not UTF-8. It also rejects control characters in strings, byte
/// order marks, and input beyond the limits. Errors contain the byte offset.
///
/// The parser is a cursor: it reads one value after the other.
package struct JSONParser {
  /// The limits of a tree.
  package struct Limits: Sendable {
    /// The maximum nesting depth of arrays and objects; the parser recurses, and the stack is
    /// small.
    package var depth = 128
    /// The maximum number of values in a tree; each takes about 24 to 40 bytes.
    package var nodes = 4_000_000

    package init() {}
  }

  let bytes: UnsafeRawBufferPointer
  package let limits: Limits
  /// The number of bytes read.
  package internal(set) var position = 0
  var depth = 0
  var nodes = 0
  /// A reusable buffer for strings with escapes.
  var unescaped: [UInt8] = []

  /// Creates a parser at the start of the bytes, which must outlive it.
  package init(_ bytes: UnsafeRawBufferPointer, limits: Limits = Limits()) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Parses bytes that contain one value.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, limits: Limits = Limits()
  ) throws -> JSONValue {
    var parser = JSONParser(bytes, limits: limits)
    let value = try parser.value()
    guard parser.isAtEnd() else { throw parser.error(expected: "no text after the JSON value") }
    return value
  }

  /// Parses text that contains one value.
  package static func parse(_ text: String) throws -> JSONValue {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { try parse(UnsafeRawBufferPointer(bytes)) }
    }
    return try result.get()
  }

  /// Whether only white space remains.
  package mutating func isAtEnd() -> Bool {
    skipWhiteSpace()
    return position >= bytes.count
  }

  /// Skips white space, and returns the next byte without reading it; nil at the end.
  package mutating func peek() -> UInt8? {
    skipWhiteSpace()
    return position < bytes.count ? bytes[position] : nil
  }

  mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
      default: return
      }
    }
  }

  /// Reads the next value, for which the limit of values applies anew.
  package mutating func separateValue() throws -> JSONValue {
    nodes = 0
    return try value()
  }

  /// Reads the next value as a tree.
  private mutating func value() throws -> JSONValue {
    let first = peek()
    let start = position
    nodes &+= 1
    guard nodes <= limits.nodes else {
      throw error(
        .limitExceeded, found: "more than \(limits.nodes) values",
        expected: "at most \(limits.nodes)")
    }
    switch first {
    case UInt8(ascii: "{"): return JSONValue(.object(try members()), offset: start)
    case UInt8(ascii: "["): return JSONValue(.array(try elements { try $0.value() }), offset: start)
    case UInt8(ascii: "\""): return JSONValue(.string(try string()), offset: start)
    case UInt8(ascii: "t"): return JSONValue(.bool(try literal("true", true)), offset: start)
    case UInt8(ascii: "f"): return JSONValue(.bool(try literal("false", false)), offset: start)
    case UInt8(ascii: "n"): return JSONValue(try literal("null", .null), offset: start)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      return JSONValue(.number(try number()), offset: start)
    default: throw error(expected: "a JSON value")
    }
  }

  /// Reads the next value, which must be an object.
  private mutating func members() throws -> [JSONValue.Member] {
    try open(UInt8(ascii: "{"), "an object")
    defer { depth &-= 1 }
    var members: [JSONValue.Member] = []
    if close(UInt8(ascii: "}")) { return members }
    var names = UniqueNames()
    while true {
      skipWhiteSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw error(expected: "a quoted member name")
      }
      let start = position
      let name = try string()
      guard names.insert(name) else {
        throw RecordCodingError(
          .malformed, offset: start, found: "a duplicate name", expected: "unique names"
        ).inside(member: name)
      }
      // In damaged text, a string without a colon may be a value, which is no part of messages.
      guard peek() == UInt8(ascii: ":") else { throw error(expected: "a colon after the name") }
      position &+= 1
      members.append(JSONValue.Member(name, try inside(member: name) { try value() }))
      if close(UInt8(ascii: "}")) { return members }
      try separator("a comma or the end of the object")
    }
  }

  private mutating func literal<T>(_ text: StaticString, _ value: T) throws -> T {
    for index in 0..<text.utf8CodeUnitCount {
      guard position < bytes.count, bytes[position] == text.utf8Start[index] else {
        throw error(expected: "the rest of '\(text)'")
      }
      position &+= 1
    }
    return value
  }

  /// Calls `body` before the next object, or before each object of the next array.
  ///
  /// - Parameter noun: the kind of object with its article, for errors.
  package mutating func forEachObject(
    _ noun: String, _ body: (inout JSONParser) throws -> Void
  ) throws {
    func object(_ parser: inout JSONParser) throws {
      guard parser.peek() == UInt8(ascii: "{") else {
        throw parser.error(expected: "\(noun): an object, or an array of them")
      }
      try body(&parser)
    }
    guard peek() == UInt8(ascii: "[") else { return try object(&self) }
    _ = try elements(object)
  }

  /// Reads the next value, which must be an array.
  ///
  /// - Parameter body: called before each element; must read exactly the element.
  private mutating func elements<T>(_ body: (inout JSONParser) throws -> T) throws -> [T] {
    try open(UInt8(ascii: "["), "an array")
    defer { depth &-= 1 }
    var elements: [T] = []
    if close(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try inside(element: elements.count) { try body(&self) })
      if close(UInt8(ascii: "]")) { return elements }
      try separator("a comma or the end of the array")
    }
  }

  private mutating func open(_ byte: UInt8, _ what: String) throws {
    guard peek() == byte else { throw error(expected: what) }
    guard depth < limits.depth else {
      throw error(
        .limitExceeded, found: "JSON nested more than \(limits.depth) levels deep",
        expected: "at most \(limits.depth) levels")
    }
    position &+= 1
    depth &+= 1
  }

  private mutating func close(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position &+= 1
    return true
  }

  private mutating func separator(_ expected: String) throws {
    guard peek() == UInt8(ascii: ",") else { throw error(expected: expected) }
    position &+= 1
  }
}

/// The names of an object's members, compared by their Unicode scalars.
private struct UniqueNames {
  private var few: [String] = []
  private var many: Set<ExactString> = []

  /// Inserts a name; returns whether it is new.
  mutating func insert(_ name: String) -> Bool {
    if many.isEmpty {
      if few.contains(where: { $0.sameScalars(as: name) }) { return false }
      few.append(name)
      if few.count > 16 { many = Set(few.map { ExactString($0) }) }
      return true
    }
    return many.insert(ExactString(name)).inserted
  }
}

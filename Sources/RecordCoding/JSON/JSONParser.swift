/// A strict JSON parser (RFC 8259) for untrusted bytes.
///
/// It rejects text that does not match the grammar, duplicate names in an object, escapes of lone
/// surrogates, bytes that are not UTF-8, control characters in strings, byte order marks, and input
/// beyond the limits. Errors contain the byte offset.
///
/// The parser is a cursor: a copy keeps its position. ``forEachMember(_:)`` and
/// ``forEachElement(_:)`` read a large value without building a tree of it.
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

  /// Reads the next value as a tree.
  package mutating func value() throws -> JSONValue {
    let first = peek()
    let start = position
    nodes &+= 1
    guard nodes <= limits.nodes else {
      throw error(found: "more than \(limits.nodes) values", expected: "at most \(limits.nodes)")
    }
    switch first {
    case UInt8(ascii: "{"): return JSONValue(.object(try members()), offset: start)
    case UInt8(ascii: "["): return JSONValue(.array(try elements()), offset: start)
    case UInt8(ascii: "\""): return JSONValue(.string(try string()), offset: start)
    case UInt8(ascii: "t"): return JSONValue(.bool(try literal("true", true)), offset: start)
    case UInt8(ascii: "f"): return JSONValue(.bool(try literal("false", false)), offset: start)
    case UInt8(ascii: "n"): return JSONValue(try literal("null", .null), offset: start)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      return JSONValue(.number(try number()), offset: start)
    default: throw error(expected: "a JSON value")
    }
  }

  private mutating func members() throws -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    try forEachMember { name, parser in
      members.append(JSONValue.Member(name, try parser.value()))
    }
    return members
  }

  private mutating func elements() throws -> [JSONValue] {
    var elements: [JSONValue] = []
    try forEachElement { _, parser in
      elements.append(try parser.value())
    }
    return elements
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
}

import RecordModel

extension JSONParser {
  /// Reads the next value, which must be an object.
  ///
  /// - Parameter body: called after each name; must read exactly the member's value.
  package mutating func forEachMember(
    _ body: (_ name: String, _ parser: inout JSONParser) throws -> Void
  ) throws {
    try open(UInt8(ascii: "{"), "an object")
    defer { depth &-= 1 }
    if close(UInt8(ascii: "}")) { return }
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
          offset: start, found: "a duplicate name", expected: "unique names"
        ).inside(member: name)
      }
      // In damaged text, what has no colon may be a value, which is no part of messages.
      guard peek() == UInt8(ascii: ":") else { throw error(expected: "a colon after the name") }
      position &+= 1
      try inside(member: name) { try body(name, &self) }
      if close(UInt8(ascii: "}")) { return }
      try separator("a comma or the end of the object")
    }
  }

  /// Reads the next value, which must be an array.
  ///
  /// - Parameter body: called before each element; must read exactly the element.
  package mutating func forEachElement(
    _ body: (_ index: Int, _ parser: inout JSONParser) throws -> Void
  ) throws {
    try open(UInt8(ascii: "["), "an array")
    defer { depth &-= 1 }
    if close(UInt8(ascii: "]")) { return }
    var index = 0
    while true {
      try inside(element: index) {
        try body(index, &self)
      }
      index &+= 1
      if close(UInt8(ascii: "]")) { return }
      try separator("a comma or the end of the array")
    }
  }

  /// Skips the next value, checking it as strictly as ``value()`` does.
  package mutating func skipValue() throws {
    switch peek() {
    case UInt8(ascii: "{"):
      try forEachMember { _, parser in try parser.skipValue() }
    case UInt8(ascii: "["):
      try forEachElement { _, parser in try parser.skipValue() }
    default:
      _ = try value()
      nodes &-= 1
    }
  }

  /// Reads the next value, for which the limit of values applies anew.
  package mutating func separateValue() throws -> JSONValue {
    nodes = 0
    return try value()
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
    try forEachElement { _, parser in try object(&parser) }
  }

  private mutating func open(_ byte: UInt8, _ what: String) throws {
    guard peek() == byte else { throw error(expected: what) }
    guard depth < limits.depth else {
      throw error(
        found: "JSON nested more than \(limits.depth) levels deep",
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

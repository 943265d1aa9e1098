import RecordModel

/// The positions of a response's members, for reading them in a fixed order without building a tree
/// of the whole response.
struct ResponseOutline {
  /// The names of members with a meaning in one dialect.
  struct Names: Sendable {
    /// The members that contain items.
    var items: [String]
    /// The members that only a response without items has beside tokens.
    var page: [String] = []
    /// The members of single items and of wrappers.
    var single: [String]
    /// The members with tokens.
    var continuation: String
    var sync: String

    /// Whether more items follow, in all dialects.
    fileprivate static let moreComing = "moreComing"

    fileprivate var tokens: [String] { [continuation, sync, Self.moreComing] }
  }

  private let names: Names
  private var positions: [String: JSONParser] = [:]
  private var others: [(name: String, position: JSONParser)] = []

  /// Scans the next object.
  init(_ parser: inout JSONParser, _ names: Names) throws {
    self.names = names
    let known = Set(names.items + names.single + names.tokens)
    try parser.forEachMember { name, parser in
      if known.contains(name) {
        positions[name] = parser
      } else {
        others.append((name, parser))
      }
      try parser.skipValue()
    }
  }

  func has(_ name: String) -> Bool { positions[name] != nil }

  /// Whether the object contains a list of items.
  var hasItems: Bool { names.items.contains(where: has) }

  /// Whether the object has members of a response without items.
  var isPage: Bool {
    names.tokens.contains(where: has) || others.contains { names.page.contains($0.name) }
  }

  /// Reads a member if it exists.
  @discardableResult
  func read<T>(_ name: String, _ body: (inout JSONParser) throws -> T) throws -> T? {
    guard var parser = positions[name] else { return nil }
    return try inside(member: name) { try body(&parser) }
  }

  /// Reads the elements of a member if it exists.
  func readElements(
    _ name: String, _ body: (_ index: Int, _ parser: inout JSONParser) throws -> Void
  ) throws {
    try read(name) { parser in try parser.forEachElement(body) }
  }

  /// Returns the tokens and the other members of the response.
  func page(zoneID: ZoneID?) throws -> ResponsePage {
    var page = ResponsePage(
      syncToken: try value(names.sync), continuationMarker: try value(names.continuation),
      moreComing: try value(Names.moreComing) ?? false, zoneID: zoneID, otherMembers: [])
    for (name, position) in others {
      var parser = position
      page.otherMembers.set(name, to: try parser.separateValue().raw)
    }
    return page
  }

  /// Reads a member; nil if it is absent or null.
  private func value<T: JSONConvertible>(_ name: String) throws -> T? {
    try read(name) { parser in
      let json = try parser.separateValue()
      return json.isNull ? nil : try T(json: json)
    } ?? nil
  }
}

extension JSONParser {
  /// Reads the next value, for which the limit of values applies anew.
  package mutating func separateValue() throws -> JSONValue {
    nodes = 0
    return try value()
  }

  /// Calls `body` before the next object, or before each object of the next array.
  ///
  /// - Parameter noun: what an object is, for errors.
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
}

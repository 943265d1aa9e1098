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
  private var bookmarks: [String: JSONParser] = [:]
  private var others: [(name: String, bookmark: JSONParser)] = []

  /// Scans the next object.
  init(_ parser: inout JSONParser, _ names: Names) throws(RecordCodingError) {
    self.names = names
    let known = Set(names.items + names.single + names.tokens)
    var bookmarks: [String: JSONParser] = [:]
    var others: [(name: String, bookmark: JSONParser)] = []
    try parser.forEachMember { (name, parser) throws(RecordCodingError) in
      if known.contains(name) {
        bookmarks[name] = parser
      } else {
        others.append((name, parser))
      }
      try parser.skipValue()
    }
    self.bookmarks = bookmarks
    self.others = others
  }

  func has(_ name: String) -> Bool { bookmarks[name] != nil }

  /// Whether the object contains a list of items.
  var hasItems: Bool { names.items.contains(where: has) }

  /// Whether the object has members of a response without items.
  var isPage: Bool {
    names.tokens.contains(where: has) || others.contains { names.page.contains($0.name) }
  }

  /// Reads a member if it exists.
  func read(
    _ name: String, _ body: (inout JSONParser) throws(RecordCodingError) -> Void
  ) throws(RecordCodingError) {
    guard var parser = bookmarks[name] else { return }
    do throws(RecordCodingError) {
      try body(&parser)
    } catch {
      throw error.inside(member: name)
    }
  }

  /// Reads the elements of a member if it exists.
  func readElements(
    _ name: String, _ body: (inout JSONParser) throws(RecordCodingError) -> Void
  ) throws(RecordCodingError) {
    try read(name) { (parser) throws(RecordCodingError) in
      try parser.forEachElement { (_, parser) throws(RecordCodingError) in try body(&parser) }
    }
  }

  /// Returns the tokens and the other members of the response.
  func page(zoneID: ZoneID?) throws(RecordCodingError) -> ResponsePage {
    var page = ResponsePage(
      syncToken: try text(names.sync), continuationMarker: try text(names.continuation),
      moreComing: false, zoneID: zoneID, otherMembers: [])
    try read(Names.moreComing) { (parser) throws(RecordCodingError) in
      let json = try parser.tree()
      page.moreComing = json.isNull ? false : try json.expectBool()
    }
    for (name, bookmark) in others {
      var parser = bookmark
      page.otherMembers.set(name, to: try parser.tree().raw)
    }
    return page
  }

  private func text(_ name: String) throws(RecordCodingError) -> String? {
    var text: String?
    try read(name) { (parser) throws(RecordCodingError) in
      let json = try parser.tree()
      text = json.isNull ? nil : try json.expectString()
    }
    return text
  }
}

extension JSONParser {
  /// Reads the next value as a separate tree, for which the limit of values applies anew.
  mutating func tree() throws(RecordCodingError) -> JSONValue {
    nodes = 0
    return try value()
  }
}

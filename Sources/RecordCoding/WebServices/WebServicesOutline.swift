import RecordModel

/// Where the members of a response lie, so that they can be read in an order that does not depend
/// on the order in which they came, and without a tree of the whole.
struct WebServicesOutline {
  private var bookmarks: [String: JSONParser] = [:]
  private var others: [(name: String, bookmark: JSONParser)] = []

  private static let containers = ["records", "zones", "subscriptions"]
  private static let tokens = ["syncToken", "continuationMarker", "moreComing"]
  private static let known = Set(
    containers + tokens + ["batch", "recordName", "serverErrorCode", "zoneID"])

  /// Reads over the object that comes next.
  init(_ parser: inout JSONParser) throws(RecordCodingError) {
    var bookmarks: [String: JSONParser] = [:]
    var others: [(name: String, bookmark: JSONParser)] = []
    try parser.forEachMember { (name, parser) throws(RecordCodingError) in
      if Self.known.contains(name) {
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

  /// Whether the object holds a list of something.
  var isContainer: Bool { Self.containers.contains(where: has) }

  /// Whether the object has what a response without content still has.
  var isPage: Bool {
    Self.tokens.contains(where: has) || others.contains { $0.name == "metaSyncToken" }
  }

  /// Reads a member, where it is there.
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

  /// Reads the elements of a member, where it is there.
  func readElements(
    _ name: String, _ body: (inout JSONParser) throws(RecordCodingError) -> Void
  ) throws(RecordCodingError) {
    try read(name) { (parser) throws(RecordCodingError) in
      try parser.forEachElement { (_, parser) throws(RecordCodingError) in try body(&parser) }
    }
  }

  /// What the response says of itself.
  func page(zoneID: ZoneID?) throws(RecordCodingError) -> WebServicesPage {
    var page = WebServicesPage(
      syncToken: try text("syncToken"), continuationMarker: try text("continuationMarker"),
      moreComing: false, zoneID: zoneID, otherMembers: [])
    try read("moreComing") { (parser) throws(RecordCodingError) in
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
  /// Reads the next value as a tree of its own: the limit of nodes counts anew.
  mutating func tree() throws(RecordCodingError) -> JSONValue {
    nodes = 0
    return try value()
  }
}

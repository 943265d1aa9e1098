/// Reads records of the Canopy library: encoded `CanopyResultRecord`s, and the results that its
/// replaying mocks hold.
///
/// Results are enumerations and structures as Swift encodes them, nested around the records. The
/// reader goes through all that it knows by name, and reports the rest as
/// ``ResponseItem/unread(_:)``.
struct CanopyReader: DialectReader {
  let sink: ResponseSink
  private let budget = ArchiveBudget()

  /// Real results have seven objects and arrays around a record; each is scanned once more.
  private static let maxNesting = 16

  init(sink: ResponseSink) { self.sink = sink }

  func read(_ parser: inout JSONParser) throws {
    switch parser.peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try walk(&parser, ResponsePath())
    default:
      throw parser.error(expected: "records of Canopy: an object, or an array of them")
    }
  }

  private func walk(_ parser: inout JSONParser, _ path: ResponsePath) throws {
    guard path.count <= Self.maxNesting else {
      throw parser.error(
        found: "results nested more than \(Self.maxNesting) levels deep",
        expected: "results of Canopy")
    }
    switch parser.peek() {
    case UInt8(ascii: "["):
      try parser.forEachElement { index, parser in try walk(&parser, path.element(index)) }
    case UInt8(ascii: "{"):
      switch try CanopyShape(parser) {
      case .record: try read(&parser, path, CanopyDecoder.item)
      case .mock: try read(&parser, path, CanopyDecoder.mock)
      case .deletion: try read(&parser, path, CanopyDecoder.deletion)
      case .archivedDeletion: try read(&parser, path, CanopyDecoder.archivedDeletion)
      case .wrapper:
        try parser.forEachMember { name, parser in try member(name, &parser, path.member(name)) }
      case .unknown: try unread(&parser, path)
      }
    default: try unread(&parser, path)
    }
  }

  /// Reads a member of a result.
  private func member(_ name: String, _ parser: inout JSONParser, _ path: ResponsePath) throws {
    if CanopyShape.withoutRecords.contains(name) { return try parser.skipValue() }
    switch (name, parser.peek()) {
    case ("failure", _): try read(&parser, path, CanopyDecoder.failure)
    case (_, UInt8(ascii: "\"")) where CanopyShape.archives[name] != nil:
      let kind = CanopyShape.archives[name]
      try read(&parser, path) { decoder in { try decoder.archive($0, kind) } }
    case (_, UInt8(ascii: "n")): try parser.skipValue()
    default: try walk(&parser, path)
    }
  }

  private func unread(_ parser: inout JSONParser, _ path: ResponsePath) throws {
    let json = try parser.separateValue()
    let found = json.members.map { members in
      let names = members.prefix(4).map { RecordCodingError.quoted($0.name) }
      return names.isEmpty
        ? "an empty object" : "an object with \(names.joined(separator: ", "))"
    }
    let error = json.error(found: found, expected: "records or results of Canopy")
    try sink.emit(.unread(path.extending(error)))
  }

  /// Reads a value with a decoder, and emits what it found and what it could not read.
  private func read(
    _ parser: inout JSONParser, _ path: ResponsePath,
    _ body: (CanopyDecoder) -> (JSONValue) throws -> Void
  ) throws {
    let json = try parser.separateValue()
    try sink.emittingErrors(at: path) {
      try body(CanopyDecoder(sink: sink, budget: budget, path: path))(json)
    }
  }
}

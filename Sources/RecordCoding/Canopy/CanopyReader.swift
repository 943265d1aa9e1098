import RecordModel

import struct Foundation.Data

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
  private static let maximumNesting = 16

  init(sink: ResponseSink) { self.sink = sink }

  func read(_ parser: inout JSONParser) throws(RecordCodingError) {
    switch parser.peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try walk(&parser, CanopyPath())
    default:
      throw parser.error(expected: "records of Canopy: an object, or an array of them")
    }
  }

  private func walk(_ parser: inout JSONParser, _ path: CanopyPath) throws(RecordCodingError) {
    guard path.count <= Self.maximumNesting else {
      throw parser.error(
        found: "results nested more than \(Self.maximumNesting) levels deep",
        expected: "results of Canopy")
    }
    switch parser.peek() {
    case UInt8(ascii: "["):
      try parser.forEachElement { (index, parser) throws(RecordCodingError) in
        try walk(&parser, path.element(index))
      }
    case UInt8(ascii: "{"):
      switch try CanopyShape(parser) {
      case .record: try read(&parser, path, CanopyDecoder.item)
      case .mock: try read(&parser, path, CanopyDecoder.mock)
      case .deletion: try read(&parser, path, CanopyDecoder.deletion)
      case .archivedDeletion: try read(&parser, path, CanopyDecoder.archivedDeletion)
      case .wrapper:
        try parser.forEachMember { (name, parser) throws(RecordCodingError) in
          try member(name, &parser, path.member(name))
        }
      case .unknown:
        try unread(&parser, path, expected: "records or results of Canopy")
      }
    default: try unread(&parser, path, expected: "records or results of Canopy")
    }
  }

  /// Reads a member of a result.
  private func member(
    _ name: String, _ parser: inout JSONParser, _ path: CanopyPath
  ) throws(RecordCodingError) {
    if CanopyShape.withoutRecords.contains(name) { return try parser.skipValue() }
    switch (name, parser.peek()) {
    case ("failure", _): try read(&parser, path, CanopyDecoder.failure)
    case (_, UInt8(ascii: "\"")) where CanopyShape.archives[name] != nil:
      let kind = CanopyShape.archives[name]
      try read(&parser, path) { decoder in
        { (json) throws(RecordCodingError) in try decoder.archive(json, kind) }
      }
    case (_, UInt8(ascii: "n")): try parser.skipValue()
    default: try walk(&parser, path)
    }
  }

  private func unread(
    _ parser: inout JSONParser, _ path: CanopyPath, expected: String
  ) throws(RecordCodingError) {
    let json = try parser.tree()
    let found = json.members.map { members in
      "an object with "
        + (members.isEmpty
          ? "nothing in it"
          : members.prefix(4).map { RecordCodingError.quoted($0.name) }.joined(separator: ", "))
    }
    try sink.emit(
      .unread(
        path.place(
          RecordCodingError(offset: json.offset, found: found ?? json.kind, expected: expected))))
  }

  /// Reads a value with a decoder, and emits what it found and what it could not read.
  private func read(
    _ parser: inout JSONParser, _ path: CanopyPath,
    _ body: (CanopyDecoder) -> (JSONValue) throws(RecordCodingError) -> Void
  ) throws(RecordCodingError) {
    let json = try parser.tree()
    do throws(RecordCodingError) {
      try body(CanopyDecoder(sink: sink, budget: budget, path: path))(json)
    } catch {
      if sink.mustStop || budget.isExceeded { throw error }
      try sink.emit(.unread(path.place(error)))
    }
  }
}

/// Where a reader is, for errors.
struct CanopyPath {
  private enum Component {
    case member(String)
    case element(Int)
  }

  private var components: [Component] = []

  var count: Int { components.count }

  func member(_ name: String) -> Self { adding(.member(name)) }
  func element(_ index: Int) -> Self { adding(.element(index)) }

  private func adding(_ component: Component) -> Self {
    var path = self
    path.components.append(component)
    return path
  }

  /// Returns an error with its path extended by this one.
  func place(_ error: RecordCodingError) -> RecordCodingError {
    components.reversed().reduce(error) { error, component in
      switch component {
      case .member(let name): error.inside(member: name)
      case .element(let index): error.inside(element: index)
      }
    }
  }
}

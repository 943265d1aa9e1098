import RecordModel

/// The form of records as JSON in the responses of a server, or in the output of a tool.
///
/// ```swift
/// let dialect = ResponseDialect(rawValue: "cktool") ?? .webServices
/// let contents = try ResponseContents(data, dialect: dialect)
/// ```
///
/// <doc:ResponseDialects> lists what each dialect can represent.
public enum ResponseDialect: String, Sendable, Hashable, CaseIterable {
  /// The responses of CloudKit Web Services.
  case webServices = "web-services"
  /// The output of Apple's `cktool` for `query-records` and `create-record`. It is only read.
  case cktool
  /// The records of the Canopy library, and the responses that its replaying mocks hold.
  case canopy

  /// The dialects that ``ResponseStream`` writes.
  package static let written: [ResponseDialect] = [.webServices, .canopy]

  /// The owner of the dialect, for messages.
  package var owner: String {
    switch self {
    case .webServices: "CloudKit Web Services"
    case .cktool: "cktool"
    case .canopy: "Canopy"
    }
  }

  func reader(zoneID: ZoneID, into collector: ResponseCollector) -> any DialectReader {
    switch self {
    case .webServices: WebServicesReader(zoneID: zoneID, collector: collector)
    case .cktool: CKToolReader(zoneID: zoneID, collector: collector)
    case .canopy: CanopyReader(collector: collector)
    }
  }

  func writer(zones: [RecordZone]) throws -> any DialectWriter {
    switch self {
    case .webServices: WebServicesWriter(zones: zones)
    case .canopy: CanopyWriter()
    case .cktool:
      throw RecordCodingError(
        found: "the dialect of cktool, which is only read",
        expected: "'\(Self.written.map(\.rawValue).joined(separator: "' or '"))'")
    }
  }
}

/// Reads the responses of one dialect.
protocol DialectReader {
  /// Reads a response, or an array of responses.
  ///
  /// - Throws: ``RecordCodingError`` for a value that is not a response of this dialect;
  ///   ``ResponseCollector/Stop``. A part of a known response that cannot be read becomes a
  ///   ``ResponseItem/unread(_:)``.
  func read(_ json: JSONValue) throws
}

/// Writes records in one dialect, and counts what it cannot represent.
protocol DialectWriter {
  /// The names of the members with tokens; nil for a dialect whose responses are arrays.
  var tokenNames: (continuation: String, sync: String)? { get }
  /// The losses so far.
  var losses: ResponseLosses { get set }

  mutating func element(for record: ResultRecord) throws -> JSONValue
  /// Returns nil in a dialect that cannot represent deletions, which counts as a loss.
  mutating func element(for tombstone: DeletedRecord) throws -> JSONValue?
}

/// The names of the members of a response that have a meaning in one dialect.
struct ResponseNames: Sendable {
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
  private static let moreComing = "moreComing"

  private var tokens: [String] { [continuation, sync, Self.moreComing] }

  /// Whether a response contains a list of items.
  func hasItems(_ json: JSONValue) -> Bool { items.contains { json[$0] != nil } }

  /// Whether an object is a single item.
  func isItem(_ json: JSONValue) -> Bool { single.contains { json[$0] != nil } }

  /// Whether an object has members of a response without items.
  func isPage(_ json: JSONValue) -> Bool { (tokens + page).contains { json[$0] != nil } }

  /// Returns the tokens and the other members of a response.
  func page(_ json: JSONValue, zoneID: ZoneID? = nil) throws -> ResponsePage {
    var members = try JSONObjectReader(json, "a response")
    let (sync, continuation) = (
      try members.value(sync, String.self), try members.value(continuation, String.self)
    )
    let moreComing = try members.value(Self.moreComing, Bool.self)
    for name in items + single { _ = members.take(name) }
    return ResponsePage(
      syncToken: sync, continuationMarker: continuation, moreComing: moreComing ?? false,
      zoneID: zoneID, otherMembers: members.others())
  }
}

extension JSONValue {
  /// Calls `body` with the object, or with each object of the array, and its path.
  ///
  /// - Parameters:
  ///   - noun: the kind of object with its article, for errors.
  ///   - path: the path of this value.
  func forEachObject(
    _ noun: String, at path: ResponsePath = ResponsePath(),
    _ body: (JSONValue, ResponsePath) throws -> Void
  ) throws {
    func object(_ json: JSONValue, _ path: ResponsePath) throws {
      guard json.members != nil else {
        throw json.error(expected: "\(noun): an object, or an array of them")
      }
      try body(json, path)
    }
    guard let elements else { return try object(self, path) }
    for (index, element) in elements.enumerated() {
      try inside(element: index) { try object(element, path.element(index)) }
    }
  }

  /// Calls `body` with each element of a member, if it exists.
  func forEachElement(of name: String, _ body: (Int, JSONValue) throws -> Void) throws {
    guard let list = self[name] else { return }
    try inside(member: name) {
      guard let elements = list.elements else { throw list.error(expected: "an array") }
      for (index, element) in elements.enumerated() {
        try inside(element: index) { try body(index, element) }
      }
    }
  }
}

/// Collects the items that a dialect's reader finds.
final class ResponseCollector {
  let zones = ZoneCollector()
  private(set) var items: [ResponseItem] = []
  private var pages: [ResponsePage] = []
  private var unreadCount = 0

  /// The maximum number of parts that cannot be read: with more, it is another kind of file.
  private static let maxUnreadCount = 100_000

  /// An error that ends the reading, instead of being one part that cannot be read.
  struct Stop: Error {
    let error: RecordCodingError
  }

  func add(_ item: ResponseItem) { items.append(item) }
  func add(_ page: ResponsePage) { pages.append(page) }

  /// - Throws: ``Stop`` for too many.
  func add(unread error: RecordCodingError) throws {
    unreadCount += 1
    guard unreadCount <= Self.maxUnreadCount else {
      throw Stop(
        error: RecordCodingError(
          .limitExceeded, offset: error.offset,
          found: "more than \(Self.maxUnreadCount) parts that cannot be read",
          expected: "responses of the selected dialect"))
    }
    items.append(.unread(error))
  }

  /// Runs `body`, and adds its error as a part that could not be read.
  ///
  /// - Parameter path: extends the error's path.
  /// - Throws: ``Stop``.
  func collectingErrors(at path: ResponsePath, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as RecordCodingError {
      try add(unread: path.extending(error))
    }
  }

  var summary: ResponseSummary {
    ResponseSummary(
      pages: pages, recordZones: Self.sorted(zones.recordZones),
      referencedZones: Self.sorted(zones.referencedZones))
  }

  private static func sorted(_ zones: [ZoneID: OtherMembers]) -> [RecordZone] {
    zones.map { RecordZone(zoneID: $0.key, otherMembers: $0.value) }
      .sorted { $0.zoneID < $1.zoneID }
  }
}

/// The place of a reader, for errors.
struct ResponsePath {
  private enum Component {
    case member(String)
    case element(Int)
  }

  private var components: [Component] = []

  func member(_ name: String) -> Self { adding(.member(name)) }
  func element(_ index: Int) -> Self { adding(.element(index)) }

  private func adding(_ component: Component) -> Self {
    var path = self
    path.components.append(component)
    return path
  }

  /// Returns an error with its path extended by this one.
  func extending(_ error: RecordCodingError) -> RecordCodingError {
    components.reversed().reduce(error) { error, component in
      switch component {
      case .member(let name): error.inside(member: name)
      case .element(let index): error.inside(element: index)
      }
    }
  }
}

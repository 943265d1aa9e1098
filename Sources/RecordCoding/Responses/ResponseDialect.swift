import RecordModel

/// How records are written as JSON in the responses of a server, or in the output of a tool.
///
/// ```swift
/// let dialect = ResponseDialect(rawValue: "cktool") ?? .webServices
/// let contents = try ResponseContents(data, reader: ResponseReader(dialect))
/// ```
///
/// What each dialect says and what it cannot say is in <doc:ResponseDialects>.
public enum ResponseDialect: String, Sendable, Hashable, CaseIterable {
  /// The responses of CloudKit Web Services.
  case webServices = "web-services"
  /// What Apple's `cktool` prints for `query-records` and `create-record`.
  case cktool
  /// The records of the Canopy library, and the responses that its replaying mocks hold.
  case canopy

  /// Whose dialect it is, for messages.
  public var owner: String {
    switch self {
    case .webServices: "CloudKit Web Services"
    case .cktool: "cktool"
    case .canopy: "Canopy"
    }
  }

  func reader(zoneID: ZoneID, into sink: ResponseSink) -> any DialectReader {
    switch self {
    case .webServices: WebServicesReader(zoneID: zoneID, sink: sink)
    case .cktool: CKToolReader(zoneID: zoneID, sink: sink)
    case .canopy: CanopyReader(sink: sink)
    }
  }

  func writer(zones: [RecordZone]) -> any DialectWriter {
    switch self {
    case .webServices: WebServicesWriter(zones: zones)
    case .cktool: CKToolWriter(zones: zones)
    case .canopy: CanopyWriter()
    }
  }
}

/// Reads the responses of one dialect.
protocol DialectReader {
  /// Reads the next response, or array of responses.
  ///
  /// - Throws: ``RecordCodingError`` for what is no JSON, or no response of this dialect; errors of
  ///   the sink. What the reader of a dialect cannot take of a response that it knows, it reports
  ///   as ``ResponseItem/unread(_:)``.
  func read(_ parser: inout JSONParser) throws(RecordCodingError)
}

/// Writes records in one dialect, and counts what it cannot say.
protocol DialectWriter {
  /// The text before the first record.
  var opening: String { get }
  /// The text after the last record.
  var closing: String { get }
  /// The names of the members with tokens; nil for a dialect without tokens.
  var tokenNames: (continuation: String, sync: String)? { get }
  /// What could not be said so far.
  var losses: ResponseLosses { get }

  mutating func element(for record: ResultRecord) throws(RecordCodingError) -> JSONValue
  /// Returns nil in a dialect that has no place for deletions, which counts as a loss.
  mutating func element(for tombstone: Tombstone) throws(RecordCodingError) -> JSONValue?
}

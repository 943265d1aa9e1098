import RecordModel

/// How records are written as JSON in the responses of a server, or in the output of a tool.
///
/// ```swift
/// let dialect = ResponseDialect(rawValue: "cktool") ?? .webServices
/// let contents = try ResponseContents(data, reader: ResponseReader(dialect))
/// ```
///
/// <doc:ResponseDialects> lists what each dialect can represent.
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
  /// - Throws: ``RecordCodingError`` for what is not JSON, or not a response of this dialect;
  ///   ``ResponseSink/Stop``. A part of a known response that cannot be read becomes a
  ///   ``ResponseItem/unread(_:)``.
  func read(_ parser: inout JSONParser) throws
}

/// Writes records in one dialect, and counts what it cannot represent.
protocol DialectWriter {
  /// The names of the members with tokens; nil for a dialect whose responses are arrays.
  var tokenNames: (continuation: String, sync: String)? { get }
  /// What could not be represented so far.
  var losses: ResponseLosses { get set }

  mutating func element(for record: ResultRecord) throws -> JSONValue
  /// Returns nil in a dialect that cannot represent deletions, which counts as a loss.
  mutating func element(for tombstone: DeletedRecord) throws -> JSONValue?
}

extension DialectWriter {
  mutating func element(for tombstone: DeletedRecord) throws -> JSONValue? {
    losses.add(.deletions)
    return nil
  }
}

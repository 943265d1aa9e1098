import RecordCoding
import RecordModel

/// A request to a path of the service. Each one is a type, in a file named after its path.
protocol Endpoint: Sendable {
  /// The path after the database, such as `records/query`.
  static var path: String { get }
  /// The methods of the request.
  static var methods: Set<String> { get }
  /// Whether other servers may send it.
  static var allowsServers: Bool { get }

  /// Reads the body.
  ///
  /// - Throws: `RecordCodingError` or ``WebError`` for a body that is not one of the request.
  init(_ body: inout RequestBody) throws

  /// Answers the request.
  func answer(_ call: EndpointCall) async throws -> JSONValue
}

extension Endpoint {
  static var methods: Set<String> { ["POST"] }
  static var allowsServers: Bool { true }
}

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

enum Endpoints {
  /// The requests to a database.
  static let ofDatabase = table([
    RecordsQuery.self, RecordsLookup.self, RecordsModify.self, RecordsChanges.self,
    RecordsResolve.self, RecordsAccept.self,
    ChangesDatabase.self, ChangesZone.self,
    ZonesList.self, ZonesLookup.self, ZonesModify.self, ZonesChanges.self,
    SubscriptionsList.self, SubscriptionsLookup.self, SubscriptionsModify.self,
    UsersCurrent.self, UsersCaller.self, UsersDiscover.self, UsersLookupEmail.self,
    UsersLookupID.self,
    AssetsUpload.self, AssetsRereference.self,
  ])

  /// The requests to a device.
  static let ofDevice = table([TokensCreate.self, TokensRegister.self])

  private static func table(_ types: [any Endpoint.Type]) -> [String: any Endpoint.Type] {
    Dictionary(types.map { ($0.path, $0) }) { first, _ in first }
  }
}

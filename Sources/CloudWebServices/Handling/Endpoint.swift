import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel

/// A request to a path of the service.
struct Endpoint: Sendable {
  /// Handles a request whose body was read.
  typealias Answer = @Sendable (EndpointCall) async throws -> JSONValue

  /// The path after the database, such as `records/query`.
  let path: String
  /// The methods of the request.
  var methods: Set<String> = ["POST"]
  /// Whether other servers may send it.
  var allowsServers = true
  /// Reads the body, and returns the function that handles the request.
  ///
  /// It throws `RecordCodingError` or ``WebError`` for a body that is not one of the request.
  let read: @Sendable (inout RequestBody) throws -> Answer

  /// The requests to a database.
  static let ofDatabase = table([
    Endpoint(path: "records/query", read: queryRecords),
    Endpoint(path: "records/lookup", read: lookUpRecords),
    Endpoint(path: "records/modify", read: modifyRecords),
    Endpoint(path: "records/changes", read: recordChanges),
    Endpoint(path: "records/resolve", allowsServers: false) { try shares(&$0, accepting: false) },
    Endpoint(path: "records/accept", allowsServers: false) { try shares(&$0, accepting: true) },
    Endpoint(path: "changes/database", read: databaseChanges),
    Endpoint(path: "changes/zone", read: zoneChanges),
    Endpoint(path: "zones/list", methods: ["GET", "POST"], read: listZones),
    Endpoint(path: "zones/lookup", read: lookUpZones),
    Endpoint(path: "zones/modify", read: modifyZones),
    Endpoint(path: "zones/changes", read: changedZones),
    Endpoint(path: "subscriptions/list", methods: ["GET", "POST"], read: listSubscriptions),
    Endpoint(path: "subscriptions/lookup", read: lookUpSubscriptions),
    Endpoint(path: "subscriptions/modify", read: modifySubscriptions),
    Endpoint(path: "users/current", methods: ["GET", "POST"], read: currentUser),
    Endpoint(path: "users/caller", methods: ["GET", "POST"], read: callingUser),
    Endpoint(
      path: "users/discover", methods: ["GET", "POST"], allowsServers: false, read: discoverUsers),
    Endpoint(path: "users/lookup/email", allowsServers: false) { body in
      try users(&body) { .init(emailAddress: try $0.required("emailAddress")) }
    },
    Endpoint(path: "users/lookup/contacts", allowsServers: false, read: contacts),
    Endpoint(path: "users/lookup/id", allowsServers: false) { body in
      try users(&body) { .init(userRecordName: try $0.required("userRecordName")) }
    },
    Endpoint(path: "assets/upload", read: uploadAssets),
    Endpoint(path: "assets/rereference", read: rereferenceAssets),
  ])

  /// The requests to a device. Apple's reference has their paths under `/database`, without a
  /// database; CloudKit JS asks under `/device`.
  static let ofDevice = table([
    Endpoint(path: "tokens/create", allowsServers: false, read: createToken),
    Endpoint(path: "tokens/register", allowsServers: false, read: registerToken),
  ])

  private static func table(_ endpoints: [Endpoint]) -> [String: Endpoint] {
    Dictionary(uniqueKeysWithValues: endpoints.map { ($0.path, $0) })
  }
}

/// The parts of a request that its response depends on, beside its body.
struct EndpointCall: Sendable {
  /// The container, as it is served.
  let served: WebContainer
  /// The container and environment in the address.
  let address: ContainerAddress
  let sender: RequestSender
  /// The container as the sender sees it.
  let container: any SenderContainer
  /// The database in the address.
  let scope: DatabaseScope
  /// The scheme and host under which the client reaches the handler, for addresses in responses.
  let baseURL: String
  let method: String
  /// The items of the query of the address that are `true`.
  let flags: Set<String>
  let signer: TicketSigner
  let uploads: UploadInbox
  let devices: WebDevices

  var database: MockDatabase { container.database(with: scope) }

  /// The rules for the sender's saves. Requests of servers do not extend a development schema
  /// (seen by MistKit, `no_schema_autocreate`), unlike requests of clients. A container without a
  /// schema has none to extend.
  var rules: ServerRules {
    get throws {
      var rules = served.container.rules
      if case .server = sender, try served.container.store.info().schema != nil {
        rules.justInTimeSchema = .refused
      }
      return rules
    }
  }

  /// Returns the identifier of the user's record.
  ///
  /// - Throws: `CloudError`: `notAuthenticated` if there is no user.
  @discardableResult
  func requireUser() async throws -> RecordID { try await container.userRecordID() }

  /// Returns the address of a file or device, with a ticket for it.
  func url(_ folder: String, _ ticket: Ticket) throws -> String {
    "\(baseURL)/\(folder)/\(try signer.token(ticket))"
  }
}

extension ServerChangeToken {
  /// Reads a sync token; nil for none.
  ///
  /// Source for the message: icloudpd-rs, `docs/synctoken-reference.md` (live).
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST` for text that is not a token of this server.
  init?(syncToken text: String?) throws {
    guard let text, !text.isEmpty else { return nil }
    self.init(data: Data(base64Encoded: text) ?? Data())
    guard isReadable else { throw WebError(.badRequest, "Unknown sync continuation type") }
  }

  /// The token as it is in responses.
  var json: JSONValue { .string(data.base64EncodedString()) }
}

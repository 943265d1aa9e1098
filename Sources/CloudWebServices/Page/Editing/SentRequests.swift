import Foundation
import RecordCoding
import RecordModel
import RecordPages

/// The requests of CloudKit Web Services that an action of the console sends, one after the other.
///
/// The console has no way of its own to change a container: the mock responds as it does to a client,
/// with its rules and faults, and the requests are among the others in the list of requests.
struct SentRequests {
  let context: ConsoleRequest
  /// The record that the requests are about; nil for none.
  var record: RecordLocation?
  private(set) var numbers: [Int] = []

  init(_ context: ConsoleRequest, about record: RecordLocation? = nil) {
    (self.context, self.record) = (context, record)
  }

  /// Sends a request that changes one record.
  @discardableResult
  mutating func modify(
    _ operation: String, _ record: JSONValue, in reach: ZoneLocation
  ) async throws -> ServiceReply {
    try await modify("records", operation, record, in: reach.database, Self.json(reach.zoneID))
  }

  /// Sends a request that changes one of a kind of items.
  @discardableResult
  mutating func modify(
    _ items: String, _ operation: String, _ item: JSONValue, in scope: DatabaseScope,
    _ zoneID: JSONValue? = nil
  ) async throws -> ServiceReply {
    let operation: JSONValue = ["operationType": operation, String(items.dropLast()): item]
    return try await send(
      "\(items)/modify", in: scope, ["zoneID": zoneID, "operations": [operation]])
  }

  /// Sends a request as the actor.
  ///
  /// - Parameter endpoint: the path after the database, such as `records/modify`.
  /// - Throws: ``RejectedRequest`` if the response has an error.
  mutating func send(
    _ endpoint: String, in scope: DatabaseScope, _ body: JSONValue
  ) async throws -> ServiceReply {
    let address = context.address
    let query = try context.handler.query(
      of: context.actor.name, to: context.served,
      ContainerAddress(address.identifier, environment: address.environment))
    var request = WebRequest(
      "POST", "\(context.path(of: endpoint, in: scope))?\(query)", headers: context.hostHeader,
      body: body.compactData)
    request.isOfConsole = true
    let reply = await reply(to: request)
    try context.refresh()
    return try accepted(reply)
  }

  /// Sends the content of an asset to the address that the server has given.
  ///
  /// - Returns: the receipt.
  mutating func upload(_ content: Data, to path: String) async throws -> JSONValue {
    let reply = try accepted(
      await reply(to: WebRequest("POST", path, headers: context.hostHeader, body: content)))
    guard let receipt = reply.json?["singleFile"] else {
      throw RejectedRequest(sent: self, reply: reply)
    }
    return receipt
  }

  private func reply(to request: WebRequest) async -> ServiceReply {
    let (response, number) = await context.handler.answered(request)
    return ServiceReply(number: number, response)
  }

  private mutating func accepted(_ reply: ServiceReply) throws -> ServiceReply {
    numbers.append(reply.number)
    guard reply.error == nil else { throw RejectedRequest(sent: self, reply: reply) }
    return reply
  }

  /// A zone in the body of a request.
  static func json(_ zoneID: ZoneID) -> JSONValue {
    let isOwn = zoneID.ownerName == ZoneID.currentUserOwnerName
    return ["zoneName": zoneID.zoneName, "ownerRecordName": isOwn ? nil : zoneID.ownerName]
  }
}

/// A request whose response has an error, after others.
struct RejectedRequest: Error {
  let sent: SentRequests
  let reply: ServiceReply
}

/// The response to a request of CloudKit Web Services that the console has sent.
struct ServiceReply {
  /// The number of the request in the list of requests.
  let number: Int
  let response: WebResponse
  /// The body; nil for one that is not JSON.
  let json: JSONValue?

  init(number: Int, _ response: WebResponse) {
    self.number = number
    self.response = response
    json = try? WebServicesHandler.parse(response.body)
  }

  /// The error of the whole response, or the first of an item.
  var error: (code: String, reason: String)? { json.flatMap(Self.error) ?? statusError }

  static func error(of json: JSONValue) -> (code: String, reason: String)? {
    let items = ["records", "zones", "results", "assets", "subscriptions"].flatMap {
      json[$0]?.elements ?? []
    }
    // Of an atomic batch, the items that are not at fault say so.
    let found = ([json] + items).compactMap { item in
      item["serverErrorCode"]?.string.map { ($0, item["reason"]?.string ?? "") }
    }
    return found.first { $0.0 != WebErrorCode.atomicError.rawValue } ?? found.first
  }

  private var statusError: (code: String, reason: String)? {
    if response.isCut { return ("", "the connection was closed by a fault") }
    guard response.status >= 400 else { return nil }
    return ("", "status \(response.status)")
  }
}

extension WebServicesHandler {
  /// Returns the query with the API token and the token of a user.
  ///
  /// - Parameter user: the record name of the user; nil for a request without a token.
  func query(
    of user: String?, to served: WebContainer, _ address: ContainerAddress
  ) throws -> String {
    let token = try user.map {
      "&ckWebAuthToken=\(try authentication.token(of: $0, address).percentEncoded)"
    }
    let apiToken = served.access.apiTokens.min() ?? CopiedRequest.anyToken
    return "ckAPIToken=\(apiToken.percentEncoded)\(token ?? "")"
  }
}

extension ConsoleRequest {
  /// The identifier and environment in the addresses of requests.
  var address: (identifier: String, environment: String) {
    (
      served.identifier ?? "iCloud.app",
      served.environment?.rawValue ?? ContainerInfo.Environment.development.rawValue
    )
  }

  /// Returns the path of a request to a database.
  func path(of endpoint: String, in scope: DatabaseScope) -> String {
    "/database/1/\(address.identifier.percentEncoded)/\(address.environment)/\(scope.rawValue)/"
      + endpoint
  }

  /// The headers by which addresses in responses are made.
  var hostHeader: WebHeaders {
    var headers: WebHeaders = [:]
    for scheme in ["http://", "https://"] where baseURL.hasPrefix(scheme) {
      headers["Host"] = String(baseURL.dropFirst(scheme.count))
      if scheme == "https://" { headers["X-Forwarded-Proto"] = "https" }
    }
    return headers
  }

  /// Whether records, zones and shares can be changed here.
  var canEdit: Bool { handler.page == .withServices && !served.container.store.isReadOnly }

  /// The sentence about the user as whom changes are made.
  var actorLine: HTML {
    "<p>Acting as \(actor.words). <a href=\"\(link(.users))\">Act as another user</a></p>"
  }

  /// A link to the choice of the user as whom changes are made; nothing where nothing is changed.
  var actorLink: HTML? {
    guard canEdit else { return nil }
    let shown: HTML? =
      actor.isWhole
      ? "<span class=\"badge\">whole container</span>"
      : isPart ? "<span class=\"quiet\">seeing what the server returns to this user</span>" : nil
    return "<a href=\"\(link(.users))\">Acting as \(actor.words)</a>\(shown)"
  }
}

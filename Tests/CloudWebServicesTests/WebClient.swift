import CloudWebServices
import Foundation
import MockCloud
import RecordCoding
import RecordModel

/// A client of a handler with one container.
struct WebClient {
  static let identifier = "iCloud.com.example.notes"
  /// The time of all requests.
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// Queries need no indexes: what they need is tested with the mock.
  private static var rules: ServerRules {
    var rules = ServerRules.webServices
    rules.queries.enforcesIndexes = false
    return rules
  }

  var handler: WebServicesHandler
  let container: MockContainer
  var user: String? = "_anna"
  var scope = "private"
  var apiToken: String? = "test"

  /// - Parameter access: who may send requests.
  init(
    access: WebAccess = WebAccess(), origins: WebOrigins = WebOrigins(), admin: WebAdmin? = nil,
    page: WebPage = .none, schema: String? = nil,
    now: @escaping @Sendable () -> Date = { Self.now }
  ) throws {
    container = try MockContainer.inMemory(
      info: ContainerInfo(
        identifier: Self.identifier, environment: .development, schema: schema,
        currentUserRecordName: "_anna"),
      rules: Self.rules, now: { Self.now })
    var served = try WebContainer(container, access: access)
    served.seed = try container.fork()
    handler = WebServicesHandler(
      [served], origins: origins, admin: admin, page: page, pollTime: .milliseconds(50), now: now)
  }

  func with(user: String? = nil, scope: String? = nil) -> WebClient {
    var copy = self
    copy.user = user ?? self.user
    copy.scope = scope ?? self.scope
    return copy
  }

  var signedOut: WebClient {
    var copy = self
    copy.user = nil
    return copy
  }

  /// The address of a request to the database.
  func target(_ path: String) -> String {
    "/database/1/\(Self.identifier)/development/\(scope)/\(path)" + query
  }

  var query: String {
    let items = [apiToken.map { "ckAPIToken=\($0)" }, user.map { "ckWebAuthToken=\($0)" }]
    return "?" + items.compactMap(\.self).joined(separator: "&")
  }

  func post(_ path: String, _ body: String = "{}") async throws -> Answer {
    try await send(WebRequest("POST", target(path), body: Data(body.utf8)))
  }

  func get(_ path: String) async throws -> Answer {
    try await send(WebRequest("GET", target(path)))
  }

  func send(_ request: WebRequest) async throws -> Answer {
    Answer(await handler.respond(to: request))
  }

  /// Makes the zone `Notes`.
  func makeZone(_ name: String = "Notes") async throws {
    try await container.privateCloudDatabase.save(RecordZone(zoneName: name))
  }

  /// Saves a record, and returns it.
  @discardableResult
  func create(_ name: String, _ fields: String = "{}", zone: String = "Notes") async throws -> JSON
  {
    let answer = try await post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"\(zone)"},"operations":[{"operationType":"create","record":
      {"recordType":"Note","recordName":"\(name)","fields":\(fields)}}]}
      """)
    return answer.json["records"][0]
  }

  func record(_ name: String, zone: String = "Notes") async throws -> ResultRecord {
    let zoneID = zone == "_defaultZone" ? ZoneID.default : ZoneID(zoneName: zone)
    return try await container.privateCloudDatabase.record(
      for: RecordID(recordName: name, zoneID: zoneID))
  }
}

/// A response.
struct Answer {
  let response: WebResponse
  let json: JSON

  init(_ response: WebResponse) {
    self.response = response
    json = JSON(try? response.body.withUnsafeBytes { try JSONParser.parse($0) })
  }

  var status: Int { response.status }
  var text: String { String(decoding: response.body, as: UTF8.self) }
  var errorCode: String? { json["serverErrorCode"].string }
}

/// A value in a response, or nothing.
struct JSON: Equatable, CustomStringConvertible {
  let value: JSONValue?

  init(_ value: JSONValue?) { self.value = value }

  subscript(name: String) -> JSON { JSON(value?[name]) }
  subscript(index: Int) -> JSON {
    let elements = value?.elements ?? []
    return JSON(index < elements.count ? elements[index] : nil)
  }

  var elements: [JSON] { (value?.elements ?? []).map { JSON($0) } }
  var names: [String] { (value?.members ?? []).map(\.name) }
  var string: String? { value?.string }
  var number: Double? { value?.numberText.flatMap(Double.init) }
  var bool: Bool? { value?.bool }
  var isThere: Bool { value != nil }
  var description: String { value?.compactText ?? "nothing" }

  static func == (a: JSON, b: String) -> Bool { a.string == b }
}

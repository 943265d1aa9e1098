import CloudWebServices
import Foundation
import RecordModel
import Testing

@Suite struct BadRequestTests {
  /// The endpoints of a database, with a body that is right.
  static let endpoints = [
    ("records/query", #"{"query":{"recordType":"Note"}}"#),
    ("records/lookup", #"{"records":[]}"#),
    ("records/modify", #"{"operations":[]}"#),
    ("records/changes", #"{"zoneID":{"zoneName":"Notes"}}"#),
    ("records/resolve", #"{"shortGUIDs":[]}"#),
    ("records/accept", #"{"shortGUIDs":[]}"#),
    ("changes/database", "{}"),
    ("changes/zone", #"{"zones":[]}"#),
    ("zones/list", "{}"),
    ("zones/lookup", #"{"zones":[]}"#),
    ("zones/modify", #"{"operations":[]}"#),
    ("zones/changes", "{}"),
    ("subscriptions/list", "{}"),
    ("subscriptions/lookup", #"{"subscriptions":[]}"#),
    ("subscriptions/modify", #"{"operations":[]}"#),
    ("users/caller", "{}"),
    ("users/current", "{}"),
    ("assets/upload", #"{"tokens":[]}"#),
    ("assets/rereference", #"{"assets":[]}"#),
  ]

  private let client: WebClient

  init() async throws {
    client = try WebClient()
    try await client.makeZone()
  }

  @Test(arguments: endpoints)
  func `a right body is answered, as text, too`(path: String, body: String) async throws {
    for type in ["application/json", "text/plain"] {
      let box = WebRequestBox(client.target(path), body, headers: ["Content-Type": type])
      let answer = try await client.send(box.request)
      #expect(answer.status == 200)
      #expect(answer.response.headers["Content-Type"] == "application/json; charset=UTF-8")
    }
  }

  @Test(arguments: endpoints)
  func `what is not JSON is a bad request`(path: String, body: String) async throws {
    let bodies = [
      "{", "[]", "1", "null", "\"a\"", "{\"a\":1,\"a\":2}", "{}{}", "\u{FEFF}{}",
      String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 10_000),
    ]
    for body in bodies {
      let answer = try await client.post(path, body)
      #expect(answer.status == 400)
      #expect(answer.errorCode == "BAD_REQUEST")
      #expect(answer.json["reason"].string?.isEmpty == false)
    }
    let binary = try await client.send(
      WebRequest("POST", client.target(path), body: Data([0x7B, 0xFF, 0xFE, 0x7D])))
    #expect(binary.status == 400)
  }

  /// Each member of the body with a value of another type.
  @Test(arguments: endpoints.filter { $0.1 != "{}" })
  func `a member of another type is a bad request`(path: String, body: String) async throws {
    let name = try #require(body.split(separator: "\"").dropFirst().first.map(String.init))
    for value in ["1", "\"x\"", "true", "[1]", #"{"a":1}"#, "[[]]", "[null]"] {
      let answer = try await client.post(path, #"{"\#(name)":\#(value)}"#)
      #expect(answer.status == 400)
    }
    let empty = try await client.post(path, "{}")
    #expect(empty.status == 400)
  }

  @Test(arguments: endpoints)
  func `another method is a bad request`(path: String, body: String) async throws {
    for method in ["PUT", "DELETE", "HEAD", "PATCH", "post", ""] {
      let request = WebRequest(method, client.target(path), body: Data(body.utf8))
      let answer = try await client.send(request)
      #expect(answer.status == 400)
    }
  }

  @Test(arguments: [
    "", "/", "/database", "/database/1", "/database/2/c/development/private/zones/list",
    "/database/1/c/development/private", "/database/1/c/development/private/zones",
    "/database/1/c/development/private/zones/list/more",
    "/database/1/c/development/none/zones/list", "/database/1//development/private/zones/list",
    "/database/1/c/development/private/zones/../zones/list",
    "/database/1/c/development/private/zones%2Flist", "/database/1/c/development/private/%zz/list",
    "/device/1/c/development/tokens", "/device/1/c/development/tokens/none",
    "/assets/upload", "/assets/download/a", "/notifications/abc", "/../etc/passwd", "/%00",
    "database/1/c/development/private/zones/list",
  ])
  func `a path that leads nowhere is NOT_FOUND`(path: String) async throws {
    let answer = try await client.send(WebRequest("POST", path + client.query))
    #expect(answer.status == 404)
    #expect(answer.errorCode == "NOT_FOUND")
  }

  @Test func `another container and another environment are not there`() async throws {
    let target = client.target("zones/list")
    let container = try await client.send(
      WebRequest("POST", target.replacing("example", with: "other")))
    #expect(container.status == 404)
    let environment = try await client.send(
      WebRequest("POST", target.replacing("development", with: "staging")))
    #expect(environment.status == 400)
  }

  @Test func `a body that is too large is a bad request`() async throws {
    let body = Data(repeating: 0x20, count: WebServicesHandler.maxBodySize + 1)
    let answer = try await client.send(
      WebRequest("POST", client.target("zones/list"), body: body))
    #expect(answer.status == 400)
    #expect(answer.json["reason"].string?.contains("the body has more than") == true)
  }

  @Test func `a body with too many values is a bad request`() async throws {
    let body = #"{"desiredKeys":["# + String(repeating: "1,", count: 1_000_001) + "1]}"
    let answer = try await client.post("records/query", body)
    #expect(answer.status == 400)
    #expect(answer.json["reason"].string?.contains("values") == true)
  }

  @Test func `more operations than the server takes are refused whole`() async throws {
    let operation =
      #"{"operationType":"create","record":{"recordType":"Note"}}"#
    let body = Array(repeating: operation, count: 201).joined(separator: ",")
    let answer = try await client.post("records/modify", #"{"operations":[\#(body)]}"#)
    #expect(answer.status == 400)
    let records = try await client.container.privateCloudDatabase.records(ofType: "Note")
    #expect(records.isEmpty)
  }

  @Test func `an error that is not CloudKit's tells nothing of this machine`() async throws {
    let error = try await client.post(
      "records/query", #"{"query":{"recordType":"\u0000"}}"#)
    #expect(error.status < 500)
  }

  // MARK: The log

  @Test func `the log has no tokens, and the newest requests`() async throws {
    _ = try await client.post("zones/list")
    let entry = try #require(client.handler.log.entries.last)
    #expect(entry.path.hasSuffix("/private/zones/list"))
    #expect(!entry.path.contains("test"))
    #expect(entry.status == 200)
    for _ in 0..<RequestLog.capacity { _ = try await client.send(WebRequest("GET", "/x")) }
    let entries = client.handler.log.entries
    #expect(entries.count == RequestLog.capacity)
    #expect(entries.last?.number == RequestLog.capacity + 1)
    #expect(entries.last?.errorCode == "NOT_FOUND")
    client.handler.log.clear()
    #expect(client.handler.log.entries.isEmpty)
  }
}

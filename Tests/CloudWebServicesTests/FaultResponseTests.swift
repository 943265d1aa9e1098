import Foundation
import MockCloud
import RecordModel
import Testing

@testable import CloudWebServices

/// Faults that answer with a response of the test.
@Suite struct FaultResponseTests {
  let client: WebClient
  let admin: WebAdmin

  init() async throws {
    admin = WebAdmin(clock: WebClock { WebClient.now }) { _ in Data() }
    client = try WebClient(admin: admin)
    try await client.makeZone()
  }

  private func send(_ fault: String) async throws -> Answer {
    try await client.send(WebRequest("POST", "/admin/faults", body: Data(fault.utf8)))
  }

  /// Sets up a fault over HTTP.
  private func arm(_ fault: String) async throws {
    let answer = try await send(fault)
    #expect(answer.json["id"].number != nil, "\(answer.text)")
  }

  private static func query(_ type: String) -> String {
    #"{"zoneID":{"zoneName":"Notes"},"query":{"recordType":"\#(type)"}}"#
  }

  private static let modify =
    #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a"}}]}"#

  private func isSaved() async throws -> Bool {
    let found = try await client.post(
      "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
    return found.json["records"][0]["recordChangeTag"].isThere
  }

  // MARK: The response

  @Test func `a response is sent as it was given`() async throws {
    try await arm(
      #"{"endpoint":"records/query","response":{"body":{"records": [], "n": 1.50, "ü": null}}}"#)
    let answer = try await client.post("records/query", Self.query("Note"))
    #expect(answer.status == 200)
    #expect(answer.text == #"{"records":[],"n":1.50,"ü":null}"#)
    #expect(answer.response.headers["Content-Type"] == "application/json; charset=UTF-8")
    #expect(answer.response.headers[WebOrigins.tokenHeader] != nil)
  }

  @Test func `a response of a Swift test keeps its bytes`() async throws {
    let body = "{ \"zones\" : [ ] }\n"
    _ = try admin.faults.add(.response(body, status: 421).on("zones/list"))
    let answer = try await client.post("zones/list")
    #expect(answer.status == 421)
    #expect(answer.text == body)
  }

  @Test(arguments: [("before", false), ("after", true)])
  func `the request is carried out or not`(moment: String, isSaved: Bool) async throws {
    try await arm(
      #"{"endpoint":"records/modify","moment":"\#(moment)","response":{"body":{"records":[]}}}"#)
    let answer = try await client.post("records/modify", Self.modify)
    #expect(answer.text == #"{"records":[]}"#)
    #expect(try await self.isSaved() == isSaved)
  }

  @Test func `a request that fails itself is not answered afterwards`() async throws {
    try await arm(#"{"moment":"after","response":{"body":{}}}"#)
    let answer = try await client.post("records/modify", #"{"operations":1}"#)
    #expect(answer.errorCode == "BAD_REQUEST")
  }

  @Test func `a response is late, and names a delay`() async throws {
    try await arm(
      #"{"latency":0.2,"retryAfter":1.5,"response":{"status":503,"body":{"reason":"busy"}}}"#)
    let start = ContinuousClock.now
    let answer = try await client.post("zones/list")
    #expect(ContinuousClock.now - start > .milliseconds(190))
    #expect(answer.status == 503)
    #expect(answer.response.headers["Retry-After"] == "2")
  }

  @Test func `responses come one after the other`() async throws {
    for number in 1...3 { try await arm(#"{"times":1,"response":{"body":{"n":\#(number)}}}"#) }
    try await arm(#"{"error":"TRY_AGAIN_LATER","times":1}"#)
    for number in 1...3 {
      let answer = try await client.post("zones/list")
      #expect(answer.text == #"{"n":\#(number)}"#)
    }
    #expect(try await client.post("zones/list").status == 503)
    #expect(try await client.post("zones/list").json["zones"].isThere)
  }

  @Test func `an endpoint that is not known is answered by a fault that names it`() async throws {
    let path = "internal/records/query/batch"
    try await arm(#"{"response":{"body":{}},"endpoint":"\#(path)","recordType":"Count","times":1}"#)
    let body = #"{"batch":[{"query":{"recordType":"Count"}}]}"#
    let other = try await client.post("internal/records/query", body)
    #expect(other.status == 404)
    let unnamed = try await client.post(path)
    #expect(unnamed.status == 404)
    var stranger = client
    stranger.apiToken = nil
    #expect(try await stranger.post(path, body).errorCode == "AUTHENTICATION_FAILED")
    #expect(try await client.post(path, body).text == "{}")
    #expect(try await client.post(path, body).status == 404)
    try await arm(#"{"response":{"body":{}}}"#)
    #expect(try await client.post("none").status == 404)
    #expect(try await client.post("zones/list").text == "{}")
  }

  @Test(arguments: [
    (#""response":{}"#, "JSON object"), (#""response":{"body":[]}"#, "JSON object"),
    (#""response":{"body":"{}"}"#, "JSON object"), (#""response":[]"#, "response"),
    (#""response":{"body":{},"status":199}"#, "from 200 to 599"),
    (#""response":{"body":{},"status":600}"#, "from 200 to 599"),
    (#""response":{"body":{},"status":204}"#, "not 204"),
    (#""response":{"body":{}},"error":"CONFLICT""#, "one of 'error', 'response' and 'cut'"),
    (#""response":{"body":{}},"cut":true"#, "one of 'error', 'response' and 'cut'"),
    (#""error":"THROTTLED","cut":true"#, "one of 'error', 'response' and 'cut'"),
    (#""latency":1,"retryAfter":1"#, "'retryAfter' is for an 'error' or a 'response'"),
    (#""error":"THROTTLED","retryAfter":-1"#, "'retryAfter' is from 0 to 86400"),
    (#""error":"THROTTLED","retryAfter":86401"#, "'retryAfter' is from 0 to 86400"),
    (#""response":{"body":{}},"retryAfter":-0.1"#, "'retryAfter' is from 0 to 86400"),
  ])
  func `what cannot be sent is refused`(members: String, message: String) async throws {
    let answer = try await send("{\(members)}")
    #expect(answer.status == 400)
    #expect(answer.json["reason"].string?.contains(message) == true, "\(answer.text)")
    let list = try await client.send(WebRequest("GET", "/admin/faults"))
    #expect(list.json["faults"].elements.isEmpty)
  }

  @Test func `a body of a Swift test is checked as well`() throws {
    let large = "{\"a\":\"" + String(repeating: "a", count: WebServicesHandler.maxBodySize) + "\"}"
    for body in ["", "{", "[]", "{} {}", large] {
      #expect(throws: (any Error).self) { try admin.faults.add(.response(body)) }
    }
  }

  @Test func `the longest delay is a day`() async throws {
    try await arm(#"{"error":"THROTTLED","retryAfter":86400}"#)
    #expect(try await client.post("zones/list").response.headers["Retry-After"] == "86400")
  }

  @Test func `the list has the status and size of a response`() async throws {
    try await arm(#"{"recordType":"Note","response":{"status":500,"body":{"a":1}}}"#)
    let list = try await client.send(WebRequest("GET", "/admin/faults"))
    let fault = list.json["faults"][0]
    #expect(fault["recordType"] == "Note")
    #expect(fault["response"].description == #"{"status":500,"size":7}"#)
  }

  // MARK: Record types

  @Test func `a fault is for a record type of a query or of saved records`() async throws {
    _ = try admin.faults.add(.response(#"{"n":1}"#).on(recordType: "Note"))
    let zones = try await client.post("zones/list")
    #expect(zones.json["zones"].isThere)
    let other = try await client.post("records/query", Self.query("Other"))
    #expect(other.json["records"].isThere)
    #expect(try await client.post("records/query", Self.query("Note")).text == #"{"n":1}"#)
    #expect(try await client.post("records/modify", Self.modify).text == #"{"n":1}"#)
    let saved = try await client.post(
      "records/modify", Self.modify.replacing(#""Note""#, with: #""Other""#))
    #expect(saved.json["records"][0]["recordChangeTag"].isThere)
  }
}

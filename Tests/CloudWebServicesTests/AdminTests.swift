import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import TestSupport
import Testing

@Suite struct AdminTests {
  let client: WebClient
  let admin: WebAdmin

  init() async throws {
    let admin = WebAdmin(clock: WebClock { WebClient.now }) { container in
      Data("\(try container.store.info().identifier ?? "")".utf8)
    }
    self.admin = admin
    client = try WebClient(admin: admin)
    try await client.makeZone()
  }

  private func send(_ method: String, _ path: String, _ body: String = "") async throws -> Answer {
    try await client.send(WebRequest(method, "/admin/" + path, body: Data(body.utf8)))
  }

  @Test func `nothing of it is there unless asked for`() async throws {
    let closed = try WebClient()
    for (method, path) in [("POST", "reset"), ("GET", "log"), ("POST", "faults")] {
      let answer = try await closed.send(WebRequest(method, "/admin/" + path))
      #expect(answer.status == 404)
    }
  }

  @Test func `a container is reset to its seed, as often as asked`() async throws {
    for _ in 0..<2 {
      let saved = try await client.create("a", zone: "_defaultZone")
      #expect(saved["recordChangeTag"].isThere)
      let answer = try await send("POST", "reset")
      #expect(answer.status == 200)
      let found = try await client.post("records/lookup", #"{"records":[{"recordName":"a"}]}"#)
      #expect(found.json["records"][0]["serverErrorCode"] == "NOT_FOUND")
    }
    let other = try await send("POST", "reset", #"{"container":"iCloud.none"}"#)
    #expect(other.status == 400)
  }

  @Test func `a snapshot is a bundle of what is there`() async throws {
    let answer = try await send("POST", "snapshot")
    #expect(answer.text == WebClient.identifier)
    let other = try await send("POST", "snapshot", #"{"container":"iCloud.none"}"#)
    #expect(other.status == 404)
  }

  @Test func `the clock is advanced`() async throws {
    let answer = try await send("POST", "clock", #"{"advance":3600}"#)
    #expect(answer.json["now"] == (WebClient.now + 3600).formatted(.iso8601))
    #expect(admin.clock.now == WebClient.now + 3600)
    let back = try await send("POST", "clock", #"{"advance":-1}"#)
    #expect(back.status == 400)
  }

  // MARK: Faults

  private func arm(_ fault: String) async throws {
    let answer = try await send("POST", "faults", fault)
    #expect(answer.json["id"].number != nil)
  }

  @Test func `a fault is an error of the requests that it is for, so often`() async throws {
    try await arm(
      #"{"endpoint":"records/modify","zone":"Notes","record":"a","error":"THROTTLED","retryAfter":3,"times":1}"#
    )
    let list = try await client.post("zones/list")
    #expect(list.status == 200)
    let other = try await client.create("b")
    #expect(other["recordChangeTag"].isThere)
    let body =
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a"}}]}"#
    let failed = try await client.post("records/modify", body)
    #expect(failed.status == 429)
    #expect(failed.response.headers["Retry-After"] == "3")
    #expect(failed.json["retryAfter"].number == 3)
    let again = try await client.post("records/modify", body)
    #expect(again.json["records"][0]["recordChangeTag"].isThere)
  }

  @Test(arguments: [("before", false), ("after", true)])
  func `an error or a cut comes before or after the change`(
    moment: String, isSaved: Bool
  ) async throws {
    for effect in [#""error":"TRY_AGAIN_LATER""#, #""cut":true"#] {
      try await arm(#"{\#(effect),"moment":"\#(moment)","endpoint":"records/modify"}"#)
      let answer = try await client.post(
        "records/modify",
        #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a"}}]}"#
      )
      #expect(effect.contains("cut") ? answer.response.isCut : answer.status == 503)
      _ = try await send("DELETE", "faults")
      let found = try await client.post(
        "records/lookup",
        #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
      #expect(found.json["records"][0]["recordChangeTag"].isThere == isSaved)
    }
  }

  @Test func `the same seed makes the same requests fail`() async throws {
    var runs: [[Int]] = []
    for _ in 0..<2 {
      try await arm(#"{"error":"TRY_AGAIN_LATER","probability":0.5,"seed":7}"#)
      var statuses: [Int] = []
      for _ in 0..<20 { statuses.append(try await client.post("zones/list").status) }
      runs.append(statuses)
      _ = try await send("DELETE", "faults")
    }
    #expect(runs[0] == runs[1])
    #expect(Set(runs[0]) == [200, 503])
  }

  @Test func `a request waits until it is released`() async throws {
    try await arm(#"{"hold":true,"endpoint":"zones/list","times":1}"#)
    async let answer = client.post("zones/list")
    var held = JSON(nil)
    try await waitUntil {
      held = try await send("GET", "faults").json["held"]
      return !held.elements.isEmpty
    }
    #expect(held[0]["endpoint"] == "zones/list")
    let released = try await send("POST", "release")
    #expect(released.json["released"].number == 1)
    #expect(try await answer.status == 200)
    let none = try await send("POST", "release", #"{"id":1}"#)
    #expect(none.json["released"].number == 0)
  }

  @Test func `a request is late`() async throws {
    try await arm(#"{"latency":0.2,"times":1}"#)
    let start = ContinuousClock.now
    _ = try await client.post("zones/list")
    #expect(ContinuousClock.now - start > .milliseconds(190))
  }

  @Test(arguments: [
    "{}", #"{"error":"NONE"}"#, #"{"error":"CONFLICT","probability":2}"#,
    #"{"latency":1e9}"#, #"{"cut":true,"times":0}"#, #"{"cut":true,"moment":"never"}"#, "[",
  ])
  func `what is no fault is refused`(fault: String) async throws {
    let answer = try await send("POST", "faults", fault)
    #expect(answer.status == 400)
    let list = try await send("GET", "faults")
    #expect(list.json["faults"].elements.isEmpty)
  }

  @Test func `the log is read and cleared`() async throws {
    _ = try await client.post("zones/list", #"{"extra":1}"#)
    let log = try await send("GET", "log")
    let entry = log.json["requests"][0]
    #expect(entry["method"] == "POST")
    #expect(entry["status"].number == 200)
    #expect(entry["notes"][0] == "unknown member 'extra'")
    _ = try await send("DELETE", "log")
    let empty = try await send("GET", "log")
    #expect(empty.json["requests"].elements.isEmpty)
  }

  @Test func `other paths and methods lead nowhere`() async throws {
    for (method, path) in [("GET", "none"), ("PUT", "log"), ("GET", "reset")] {
      let answer = try await send(method, path)
      #expect(answer.status == 404)
    }
  }
}

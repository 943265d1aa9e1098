import Foundation
import MockCloud
import RecordModel
import Testing

@testable import CloudWebServices

/// Faults of single items, of requests with many items, and of requests with a sync token.
@Suite struct ItemFaultTests {
  let client: WebClient
  let admin = WebAdmin(clock: WebClock { WebClient.now }) { _ in Data() }

  init() async throws {
    client = try WebClient(admin: admin, page: .withServices)
    try await client.makeZone()
  }

  private func arm(_ fault: String) async throws {
    let answer = try await client.send(
      WebRequest("POST", "/admin/faults", body: Data(fault.utf8)))
    #expect(answer.json["id"].number != nil, "\(answer.text)")
  }

  private func modify(_ names: [String], _ more: String = "") async throws -> Answer {
    let operations = names.map {
      #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"\#($0)"}}"#
    }
    return try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"}\#(more),"operations":[\#(operations.joined(separator: ","))]}"#
    )
  }

  /// The names and errors of items.
  private func items(_ answer: Answer, _ list: String = "records") -> [String] {
    answer.json[list].elements.map { item in
      let name = item["recordName"].string ?? item["zoneID"]["zoneName"].string ?? ""
      return [name, item["serverErrorCode"].string].compactMap(\.self).joined(separator: " ")
    }
  }

  private func stored() async throws -> [String] {
    let found = try await client.post(
      "records/query", #"{"zoneID":{"zoneName":"Notes"},"query":{"recordType":"Note"}}"#)
    return items(found).sorted()
  }

  @Test func `every second item fails, and the others are saved`() async throws {
    try await arm(#"{"error":"TRY_AGAIN_LATER","items":true,"retryAfter":3,"times":1}"#)
    let answer = try await modify(["a", "b", "c", "d"], #","atomic":false"#)
    #expect(answer.status == 200)
    #expect(items(answer) == ["a TRY_AGAIN_LATER", "b", "c TRY_AGAIN_LATER", "d"])
    #expect(answer.json["records"][0]["retryAfter"].number == 3)
    #expect(try await stored() == ["b", "d"])
    #expect(items(try await modify(["a", "b"])) == ["a", "b"])
  }

  @Test func `the named record fails, and an atomic request with it`() async throws {
    try await arm(#"{"error":"CONFLICT","items":true,"record":"b","times":1}"#)
    #expect(items(try await modify(["a", "c"])) == ["a", "c"])
    let answer = try await modify(["d", "b", "e"])
    #expect(items(answer) == ["d ATOMIC_ERROR", "b CONFLICT", "e ATOMIC_ERROR"])
    #expect(answer.json["records"][0]["reason"] == "Atomic failure")
    #expect(try await stored() == ["a", "c"])
    #expect(admin.faults.armed.map(\.count) == [1])
  }

  @Test func `items of a lookup and of a query fail`() async throws {
    _ = try await modify(["a", "b"])
    _ = try admin.faults.add(
      .partialFailure(with: .notFound).on("records/lookup", record: "a", times: 1))
    let lookup = try await client.post(
      "records/lookup",
      #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"b"},{"recordName":"a"}]}"#)
    #expect(items(lookup) == ["b", "a NOT_FOUND"])
    _ = try admin.faults.add(.partialFailure(with: .internalError).on(recordType: "Note", times: 1))
    #expect(try await stored() == ["a INTERNAL_ERROR", "b INTERNAL_ERROR"])
    // A response without such a record does not use up the fault.
    _ = try admin.faults.add(.partialFailure(with: .notFound).on(record: "c", times: 1))
    #expect(try await stored() == ["a", "b"])
    _ = try await modify(["c"])
    #expect(admin.faults.armed.last?.count == 1)
  }

  @Test func `a request with more items than the limit fails, and its half succeeds`() async throws
  {
    try await arm(#"{"error":"BAD_REQUEST","over":2}"#)
    let answer = try await modify(["a", "b", "c"])
    #expect(answer.status == 400 && answer.errorCode == "BAD_REQUEST")
    #expect(
      answer.json["reason"]
        == "Your request contains 3 items which is more than the maximum number of items in a single request (2)"
    )
    #expect(items(try await modify(["a", "b"])) == ["a", "b"])
    #expect(try await stored() == ["a", "b"])
  }

  @Test func `a change token has expired`() async throws {
    _ = try await modify(["a"])
    func changes(_ token: String?) async throws -> Answer {
      let token = token.map { #","syncToken":"\#($0)""# } ?? ""
      return try await client.post(
        "changes/zone",
        #"{"zones":[{"zoneID":{"zoneName":"Notes"}\#(token)},{"zoneID":{"zoneName":"Notes"}}]}"#)
    }
    _ = try admin.faults.add(.changeTokenExpired)
    let first = try await changes(nil)
    #expect(items(first, "zones") == ["Notes", "Notes"])
    let token = try #require(first.json["zones"][0]["syncToken"].string)
    let expired = try await changes(token)
    #expect(items(expired, "zones") == ["Notes BAD_REQUEST", "Notes"])
    #expect(expired.json["zones"][1]["records"].elements.count == 1)
    let whole = try await client.post(
      "records/changes", #"{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}"#)
    #expect(whole.status == 400)
    #expect(whole.json["reason"] == "client knowledge differs from server knowledge")
    #expect(try await client.post("changes/database").status == 200)
  }

  @Test(arguments: [
    #""items":true,"latency":1"#, #""over":3,"cut":true"#, #""token":true,"response":{"body":{}}"#,
    #""error":"CONFLICT","over":-1"#, #""error":"CONFLICT","items":true,"moment":"after""#,
  ])
  func `a fault of items without an error is rejected`(_ members: String) async throws {
    let answer = try await client.send(
      WebRequest("POST", "/admin/faults", body: Data("{\(members)}".utf8)))
    #expect(answer.status == 400, "\(answer.text)")
  }

  @Test func `the list of faults has them`() async throws {
    try await arm(#"{"error":"CONFLICT","items":true,"over":3,"token":true}"#)
    let fault = admin.faults.json["faults"]?.elements?.first
    #expect(fault?["over"]?.numberText == "3")
    #expect(fault?["items"]?.bool == true && fault?["token"]?.bool == true)
  }

  /// Each fault that MockCloud's page of faults lists, by its name or that of an equal one.
  @Test(arguments: FaultPreset.all.map(\.key)) func `each preset can be set up`(
    _ name: String
  ) async throws {
    let preset = try #require(FaultPreset.all.first { $0.key == name }?.value)
    var form = try #require(SentForm(try await client.page("faults").text, action: "add-fault"))
    form["preset"] = name
    var request = form.request()
    request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    request.body = Data("endpoint=records%2Fmodify&times=3&preset=\(name)".utf8)
    #expect(try await client.send(request).status == 303)
    let armed = try #require(admin.faults.armed.first)
    #expect(armed.fault == preset.fault.on("records/modify", times: 3))
    let page = try await client.page("faults").text
    #expect(page.contains("<td><bdi>records/modify</bdi></td>") && page.contains("<td>3</td>"))
  }
}

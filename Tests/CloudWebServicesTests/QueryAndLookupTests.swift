import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite struct QueryAndLookupTests {
  let client: WebClient

  init() async throws {
    client = try WebClient()
    try await client.makeZone()
    for index in 0..<5 {
      try await client.create("n\(index)", #"{"order":{"value":\#(index)},"text":{"value":"t"}}"#)
    }
  }

  private static let zone = #""zoneID":{"zoneName":"Notes"}"#

  private func names(_ answer: Answer) -> [String] {
    answer.json["records"].elements.compactMap { $0["recordName"].string }
  }

  @Test func `a query filters and sorts`() async throws {
    let answer = try await client.post(
      "records/query",
      """
      {\(Self.zone),"query":{"recordType":"Note","filterBy":[{"comparator":"GREATER_THAN",
      "fieldName":"order","fieldValue":{"value":1}}],
      "sortBy":[{"fieldName":"order","ascending":false}]},"desiredKeys":["order"]}
      """)
    #expect(answer.status == 200)
    #expect(names(answer) == ["n4", "n3", "n2"])
    #expect(answer.json["records"][0]["fields"].names == ["order"])
    #expect(!answer.json["continuationMarker"].isThere)
  }

  @Test func `a location to sort by is that of a field, or the location itself`() async throws {
    for (index, latitude) in [30, 10, 20].enumerated() {
      try await client.create(
        "p\(index)", #"{"place":{"value":{"latitude":\#(latitude),"longitude":1}}}"#)
    }
    let location = #"{"latitude":1,"longitude":1}"#
    for form in [location, #"{"value":\#(location),"type":"LOCATION"}"#] {
      let answer = try await client.post(
        "records/query",
        """
        {\(Self.zone),"query":{"recordType":"Note",
        "sortBy":[{"fieldName":"place","relativeLocation":\(form)}]}}
        """)
      #expect(names(answer).suffix(3) == ["p1", "p2", "p0"])
    }
  }

  @Test func `a search for tokens without a field is one of all text`() async throws {
    try await client.create("s", #"{"text":{"value":"some needle"}}"#)
    func search(_ comparator: String) async throws -> Answer {
      try await client.post(
        "records/query",
        """
        {\(Self.zone),"query":{"recordType":"Note","filterBy":[
        {"comparator":"\(comparator)","fieldValue":{"value":"needle"}}]}}
        """)
    }
    #expect(names(try await search("CONTAINS_ALL_TOKENS")) == ["s"])
    #expect(names(try await search("CONTAINS_ANY_TOKENS")) == ["s"])
    #expect(try await search("EQUALS").errorCode == "BAD_REQUEST")
  }

  @Test func `a query is read page by page`() async throws {
    let query = #""query":{"recordType":"Note","sortBy":[{"fieldName":"order"}]},"resultsLimit":2"#
    var found: [String] = []
    var marker = ""
    for _ in 0..<3 {
      let answer = try await client.post("records/query", "{\(Self.zone),\(query)\(marker)}")
      found += names(answer)
      marker =
        answer.json["continuationMarker"].string.map { #","continuationMarker":"\#($0)""# } ?? ""
    }
    #expect(found == ["n0", "n1", "n2", "n3", "n4"])
    #expect(marker.isEmpty)
  }

  @Test func `a query without a zone searches the default zone, zoneWide all`() async throws {
    try await client.create("d", zone: "_defaultZone")
    let query = #""query":{"recordType":"Note"}"#
    let one = try await client.post("records/query", "{\(query)}")
    #expect(names(one) == ["d"])
    let all = try await client.post("records/query", #"{\#(query),"zoneWide":true}"#)
    #expect(names(all).count == 6)
  }

  @Test func `a query returns the sync token where it was asked for`() async throws {
    let body = #"{\#(Self.zone),"query":{"recordType":"Note"}}"#
    let plain = try await client.post("records/query", body)
    #expect(!plain.json["syncToken"].isThere)
    let asked = WebClientRequest(client, "records/query", body, "&getCurrentSyncToken=true")
    let token = try #require(try await asked.send().json["syncToken"].string)
    let later = try await client.post(
      "records/changes", #"{\#(Self.zone),"syncToken":"\#(token)"}"#)
    #expect(later.json["records"].elements.isEmpty)
    try await client.create("new")
    let changed = try await client.post(
      "records/changes", #"{\#(Self.zone),"syncToken":"\#(token)"}"#)
    #expect(names(changed) == ["new"])
  }

  @Test(arguments: [
    (#"{}"#, "missing required field 'query'"),
    (#"{"continuationMarker":"!"}"#, "the continuationMarker is not one that this server made"),
    (#"{"query":{}}"#, "BadRequestException: missing required field 'recordType'"),
    (#"{"query":{"recordType":7}}"#, "expected a string"),
    (#"{"continuationMarker":7}"#, "expected a string"),
    (
      #"{"query":{"recordType":"Note","filterBy":[{"comparator":"NEARLY","fieldName":"a","fieldValue":{"value":1}}]}}"#,
      "NEARLY"
    ),
    (
      #"{"query":{"recordType":"Note"},"resultsLimit":-1}"#, "a limit of -1 results is not possible"
    ),
  ])
  func `a query that is not one is a bad request`(body: String, reason: String) async throws {
    let answer = try await client.post("records/query", body)
    #expect(answer.status == 400)
    #expect(answer.errorCode == "BAD_REQUEST")
    // The server's words do not say where the problem is; the log does.
    let text = answer.json["reason"].string ?? ""
    let notes = client.handler.log.entries.last?.notes ?? []
    #expect(text.hasPrefix("BadRequestException: "))
    #expect(([text] + notes).contains { $0.contains(reason) })
  }

  @Test func `a query in a zone that is not there is ZONE_NOT_FOUND`() async throws {
    let answer = try await client.post(
      "records/query", #"{"zoneID":{"zoneName":"None"},"query":{"recordType":"Note"}}"#)
    #expect(answer.status == 404)
    #expect(answer.errorCode == "ZONE_NOT_FOUND")
  }

  @Test func `a lookup has a record or an error for each name, in their order`() async throws {
    let answer = try await client.post(
      "records/lookup",
      #"{\#(Self.zone),"records":[{"recordName":"n2"},{"recordName":"none"},{"recordName":"n0","desiredKeys":["text"]},{"recordName":"n2"}],"desiredKeys":["order"]}"#
    )
    #expect(answer.status == 200)
    #expect(names(answer) == ["n2", "none", "n0", "n2"])
    let items = answer.json["records"].elements
    #expect(items[0]["fields"].names == ["order"])
    #expect(items[1]["serverErrorCode"] == "NOT_FOUND")
    #expect(items[2]["fields"].names == ["text"])
  }

  @Test func `a lookup in a zone that is not there has an error for each name`() async throws {
    let answer = try await client.post(
      "records/lookup", #"{"zoneID":{"zoneName":"None"},"records":[{"recordName":"a"}]}"#)
    #expect(answer.status == 200)
    #expect(answer.json["records"][0]["serverErrorCode"] == "ZONE_NOT_FOUND")
  }

  @Test func `a damaged record is an error of its own in queries, lookups and changes`()
    async throws
  {
    try client.container.store.transaction {
      try $0.db.execute("UPDATE record SET modified = 1 WHERE name = 'n1'")
    }
    let query = #""query":{"recordType":"Note"}"#
    let bodies = [
      ("records/query", "{\(Self.zone),\(query)}"), ("records/changes", "{\(Self.zone)}"),
      (
        "records/lookup",
        "{\(Self.zone),\"records\":[{\"recordName\":\"n1\"},{\"recordName\":\"n2\"}]}"
      ),
    ]
    for (path, body) in bodies {
      let answer = try await client.post(path, body)
      #expect(answer.status == 200)
      let records = answer.json["records"].elements
      let damaged = records.filter { $0["recordName"].string == "n1" }
      #expect(damaged.map { $0["serverErrorCode"].string } == ["INTERNAL_ERROR"], "\(path)")
      #expect(records.count { $0["fields"].isThere } == records.count - 1)
    }
    let zones = try await client.post(
      "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#)
    let records = zones.json["zones"][0]["records"].elements
    #expect(records.count == 5)
    #expect(records.count { $0["serverErrorCode"].string == "INTERNAL_ERROR" } == 1)
  }
}

/// A request with more in its query.
struct WebClientRequest {
  let client: WebClient
  let request: WebRequestBox

  init(_ client: WebClient, _ path: String, _ body: String, _ more: String) {
    self.client = client
    request = WebRequestBox(client.target(path) + more, body)
  }

  func send() async throws -> Answer { try await client.send(request.request) }
}

import RecordModel
import Testing

@Suite struct ZoneAndChangeTests {
  let client: WebClient

  init() throws { client = try WebClient() }

  private func zoneNames(_ answer: Answer) -> [String] {
    answer.json["zones"].elements.compactMap { $0["zoneID"]["zoneName"].string }
  }

  private func modify(_ kind: String, _ name: String) async throws -> Answer {
    try await client.post(
      "zones/modify",
      #"{"operations":[{"operationType":"\#(kind)","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#)
  }

  @Test func `zones are made, listed by both methods, looked up and deleted`() async throws {
    let made = try await modify("create", "Notes")
    #expect(made.json["zones"][0]["atomic"].bool == true)
    #expect(made.json["zones"][0]["syncToken"].string != nil)
    let posted = try await client.post("zones/list")
    let got = try await client.get("zones/list")
    #expect(zoneNames(posted) == ["Notes", "_defaultZone"])
    #expect(posted.json["zones"][0]["zoneID"]["zoneType"] == "REGULAR_CUSTOM_ZONE")
    #expect(posted.json["zones"][1]["zoneID"]["zoneType"] == "DEFAULT_ZONE")
    #expect(got.json == posted.json)
    let found = try await client.post(
      "zones/lookup",
      #"{"zones":[{"zoneID":{"zoneName":"None"}},{"zoneName":"Notes"}]}"#)
    #expect(found.json["zones"][0]["serverErrorCode"] == "ZONE_NOT_FOUND")
    #expect(found.json["zones"][1]["zoneID"]["zoneName"] == "Notes")
    let deleted = try await modify("delete", "Notes")
    #expect(deleted.json["zones"][0]["deleted"].bool == true)
    let again = try await modify("delete", "Notes")
    #expect(again.json["zones"][0]["serverErrorCode"] == "ZONE_NOT_FOUND")
  }

  @Test(arguments: ["", #","ownerRecordName":"_anna""#])
  func `two operations for one zone are refused`(owner: String) async throws {
    _ = try await modify("create", "Notes")
    let answer = try await client.post(
      "zones/modify",
      #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Notes"}}},{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"\#(owner)}}}]}"#
    )
    #expect(answer.errorCode == "BAD_REQUEST")
    #expect(zoneNames(try await client.post("zones/list")) == ["Notes", "_defaultZone"])
  }

  @Test(arguments: [("changes/database", "syncToken"), ("zones/changes", "metaSyncToken")])
  func `a database tells which zones have changed since a token`(
    path: String, name: String
  ) async throws {
    try await client.makeZone("A")
    try await client.makeZone("B")
    let first = try await client.post(path)
    #expect(zoneNames(first) == ["A", "B"])
    // Each zone has the token that a list of zones has.
    let list = try await client.post("zones/list")
    #expect(first.json["zones"][0]["syncToken"].isThere)
    #expect(first.json["zones"][0]["syncToken"] == list.json["zones"][0]["syncToken"])
    #expect(list.json["moreComing"].bool == false)
    #expect(list.json["syncToken"] == first.json[name])
    let token = try #require(first.json[name].string)
    let none = try await client.post(path, #"{"\#(name)":"\#(token)"}"#)
    #expect(zoneNames(none).isEmpty)
    #expect(none.json["moreComing"].bool == false)
    try await client.create("a", zone: "A")
    _ = try await modify("delete", "B")
    let changed = try await client.post(path, #"{"\#(name)":"\#(token)"}"#)
    #expect(zoneNames(changed) == ["A", "B"])
    #expect(changed.json["zones"][1]["deleted"].bool == true)
  }

  @Test func `zones changes ignores a syncToken`() async throws {
    try await client.makeZone("A")
    let first = try await client.post("zones/changes")
    let token = try #require(first.json["metaSyncToken"].string)
    let answer = try await client.post("zones/changes", #"{"syncToken":"\#(token)"}"#)
    #expect(zoneNames(answer) == ["A"])
    #expect(client.handler.log.entries.last?.notes == ["unknown member 'syncToken'"])
  }

  @Test func `the changes of a zone come in their order, page by page`() async throws {
    try await client.makeZone()
    for name in ["c", "a", "b"] { try await client.create(name) }
    var token = ""
    var found: [String] = []
    var more: [Bool?] = []
    for _ in 0..<2 {
      let answer = try await client.post(
        "changes/zone",
        #"{"resultsLimit":2,"zones":[{"zoneID":{"zoneName":"Notes"}\#(token)}]}"#)
      let zone = answer.json["zones"][0]
      found += zone["records"].elements.compactMap { $0["recordName"].string }
      more.append(zone["moreComing"].bool)
      token = #","syncToken":"\#(zone["syncToken"].string ?? "")""#
    }
    #expect(found == ["c", "a", "b"])
    #expect(more == [true, false])
  }

  @Test(arguments: ["changes/zone", "changes/database", "zones/changes", "records/changes"])
  func `a negative limit is a bad request, as a whole`(_ path: String) async throws {
    try await client.makeZone()
    let zone = #""zoneID":{"zoneName":"Notes"}"#
    let answer = try await client.post(path, #"{"resultsLimit":-1,\#(zone),"zones":[{\#(zone)}]}"#)
    #expect(answer.status == 400)
    #expect(answer.errorCode == "BAD_REQUEST")
    #expect(answer.json["reason"].string?.contains("a limit of -1 results is not possible") == true)
  }

  @Test func `a zone's changes have numbers as text if it or all ask for it`() async throws {
    try await client.makeZone()
    try await client.create("a", #"{"order":{"value":7,"type":"INT64"}}"#)
    let zone = #""zoneID":{"zoneName":"Notes"}"#
    for (members, expected) in [
      (#""numbersAsStrings":true,"zones":[{\#(zone)}]"#, "\"7\""),
      (#""zones":[{\#(zone),"numbersAsStrings":true}]"#, "\"7\""),
      (#""numbersAsStrings":true,"zones":[{\#(zone),"numbersAsStrings":false}]"#, "7"),
    ] {
      let answer = try await client.post("changes/zone", "{\(members)}")
      #expect(answer.text.contains(#""value":\#(expected)"#), "\(answer.text)")
    }
    let wrong = try await client.post(
      "changes/zone", #"{"zones":[{\#(zone),"numbersAsStrings":{}}]}"#)
    #expect(wrong.status == 400)
  }

  @Test func `a deletion is in the changes`() async throws {
    try await client.makeZone()
    try await client.create("a")
    let body = #""zoneID":{"zoneName":"Notes"}"#
    let first = try await client.post("records/changes", "{\(body)}")
    let token = try #require(first.json["syncToken"].string)
    _ = try await client.post(
      "records/modify",
      "{\(body),\"operations\":[{\"operationType\":\"forceDelete\",\"record\":{\"recordName\":\"a\"}}]}"
    )
    let answer = try await client.post("records/changes", #"{\#(body),"syncToken":"\#(token)"}"#)
    let deletion = answer.json["records"][0]
    #expect(
      deletion.names == ["recordName", "recordType", "recordChangeTag", "deleted", "zoneID"])
    #expect(deletion["recordType"].value?.isNull == true)
    #expect(deletion["recordChangeTag"].string?.isEmpty == false)
    #expect(deletion["deleted"].bool == true)
  }

  @Test func `zones of one request fail by themselves`() async throws {
    try await client.makeZone()
    try await client.create("a")
    let answer = try await client.post(
      "changes/zone",
      #"{"zones":[{"zoneID":{"zoneName":"None"}},{"zoneID":{"zoneName":"Notes"}},{"zoneID":{"zoneName":"_defaultZone"}}]}"#
    )
    #expect(answer.status == 200)
    let zones = answer.json["zones"].elements
    #expect(zones[0]["serverErrorCode"] == "ZONE_NOT_FOUND")
    #expect(zones[0]["zoneID"]["zoneName"] == "None")
    #expect(zones[1]["records"].elements.count == 1)
    #expect(zones[2]["reason"] == "cannot get changes in default zone")
  }

  @Test func `changes are of the types that are asked for`() async throws {
    try await client.makeZone()
    try await client.create("a")
    let answer = try await client.post(
      "changes/zone",
      #"{"zones":[{"zoneID":{"zoneName":"Notes"},"desiredRecordTypes":["Other"]}]}"#)
    #expect(answer.json["zones"][0]["records"].elements.isEmpty)
    #expect(answer.json["zones"][0]["syncToken"].string != nil)
  }

  @Test(arguments: ["changes/database", "records/changes"])
  func `a token that is none is a bad request`(path: String) async throws {
    try await client.makeZone()
    for token in ["!", "AAAA"] {
      let answer = try await client.post(
        path, #"{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}"#)
      #expect(answer.status == 400)
      #expect(answer.errorCode == "BAD_REQUEST")
      #expect(answer.json["reason"] == "Unknown sync continuation type")
    }
  }

  @Test(arguments: ["NOT-A-TOKEN", "!", "AAAA"])
  func `a token that is none is the error of its zone`(token: String) async throws {
    try await client.makeZone()
    let zone = #""zoneID":{"zoneName":"Notes"}"#
    let answer = try await client.post(
      "changes/zone", #"{"zones":[{\#(zone),"syncToken":"\#(token)"},{\#(zone)}]}"#)
    #expect(answer.status == 200)
    #expect(answer.json["zones"][0]["serverErrorCode"] == "BAD_REQUEST")
    #expect(answer.json["zones"][0]["reason"] == "Unknown sync continuation type")
    #expect(answer.json["zones"][1]["records"].isThere)
  }

  @Test func `a request has at most 200 zones`() async throws {
    try await client.makeZone()
    let zones = Array(repeating: #"{"zoneID":{"zoneName":"Notes"}}"#, count: 201)
    let answer = try await client.post(
      "changes/zone", #"{"zones":[\#(zones.joined(separator: ","))]}"#)
    #expect(answer.status == 400)
    #expect(answer.errorCode == "BAD_REQUEST")
  }

  // MARK: Reverse order

  /// Fetches the changes of the zone `Notes`, page by page.
  private func pages(
    _ path: String, _ members: String, since token: String? = nil
  ) async throws -> (names: [[String]], token: String) {
    var names: [[String]] = []
    var token = token
    while names.count < 20 {
      let zone =
        #""zoneID":{"zoneName":"Notes"}"# + (token.map { #","syncToken":"\#($0)""# } ?? "")
      let answer =
        path == "changes/zone"
        ? try await client.post(path, "{\(members),\"zones\":[{\(zone)}]}").json["zones"][0]
        : try await client.post(path, "{\(members),\(zone)}").json
      names.append(answer["records"].elements.compactMap { $0["recordName"].string })
      token = answer["syncToken"].string
      if answer["moreComing"].bool != true { break }
    }
    return (names, try #require(token))
  }

  @Test(arguments: ["changes/zone", "records/changes"])
  func `changes come newest first, page by page, and then go on`(path: String) async throws {
    try await client.makeZone()
    for name in ["a", "b", "c", "d", "e"] { try await client.create(name) }
    _ = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":{"recordName":"b"}}]}"#
    )
    let first = try await pages(path, #""reverse":true,"resultsLimit":2"#)
    #expect(first.names == [["b", "e"], ["d", "c"], ["a"]])
    // The last token is one for either order.
    try await client.create("f")
    let forward = try await pages(path, #""resultsLimit":2"#, since: first.token)
    #expect(forward.names == [["f"]])
    let again = try await pages(path, #""reverse":true"#, since: first.token)
    #expect(again.names == [["f"]])
    let whole = try await pages(path, #""reverse":true"#)
    #expect(whole.names == [["f", "b", "e", "d", "c", "a"]])
  }

  @Test func `what changes between pages in reverse order is fetched afterwards`() async throws {
    try await client.makeZone()
    for name in ["a", "b", "c"] { try await client.create(name) }
    let zone = #"{"zoneID":{"zoneName":"Notes"},"reverse":true,"resultsLimit":2"#
    let first = try await client.post("records/changes", zone + "}")
    let token = try #require(first.json["syncToken"].string)
    _ = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":{"recordName":"a","recordType":"Note"}}]}"#
    )
    let second = try await client.post("records/changes", zone + #","syncToken":"\#(token)"}"#)
    #expect(second.json["records"].elements.isEmpty)
    #expect(second.json["moreComing"].bool == false)
    let last = try #require(second.json["syncToken"].string)
    let rest = try await pages("records/changes", #""resultsLimit":9"#, since: last)
    #expect(rest.names == [["a"]])
    // A token between pages is of that order only.
    let wrong = try await client.post(
      "records/changes", #"{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}"#)
    #expect(wrong.status == 400)
  }

  @Test func `members beside the zones count for all of them`() async throws {
    try await client.makeZone()
    try await client.create("a", #"{"title":{"value":"A"},"order":{"value":1}}"#)
    let answer = try await client.post(
      "changes/zone",
      #"{"desiredKeys":["title"],"zones":[{"zoneID":{"zoneName":"Notes"}},{"zoneID":{"zoneName":"Notes"},"desiredKeys":[]}]}"#
    )
    let fields = answer.json["zones"].elements.map { $0["records"][0]["fields"].names }
    #expect(fields == [["title"], []])
  }

  // MARK: Owners

  @Test(arguments: ["_anna", "__defaultOwner__"], ["private", "public"])
  func `a user's own zones may be named by the user's record name`(
    token: String, scope: String
  ) async throws {
    let own = client.with(user: token, scope: scope)
    let zone = #"{"zoneName":"_defaultZone","ownerRecordName":"_anna"}"#
    let saved = try await own.post(
      "records/modify",
      #"{"zoneID":\#(zone),"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a"}}]}"#
    )
    #expect(saved.json["records"][0]["recordChangeTag"].isThere)
    let found = try await own.post(
      "records/lookup", #"{"zoneID":\#(zone),"records":[{"recordName":"a"}]}"#)
    #expect(found.json["records"][0]["recordType"] == "Note")
    let other = try await own.post(
      "records/lookup",
      #"{"zoneID":\#(zone.replacing("_anna", with: "_kenji")),"records":[{"recordName":"a"}]}"#)
    #expect(other.json["records"][0]["serverErrorCode"].isThere)
  }
}

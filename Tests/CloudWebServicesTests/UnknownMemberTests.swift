import RecordModel
import Testing

/// What a request has beside the members that are known is ignored, and noted in the log.
@Suite struct UnknownMemberTests {
  private let client: WebClient

  init() async throws {
    client = try WebClient()
    try await client.makeZone()
  }

  private var notes: [String] { client.handler.log.entries.last?.notes ?? [] }

  @Test(arguments: [
    #""a":{"value":{"recordName":"b","action":"NONE","extra":1},"type":"REFERENCE"}"#,
    #""a":{"value":[{"recordName":"b","action":"NONE","extra":1}],"type":"REFERENCE_LIST"}"#,
    #""a":{"value":{"latitude":1,"longitude":2,"extra":1},"type":"LOCATION"}"#,
    #""a":{"value":[{"latitude":1,"longitude":2,"extra":1}],"type":"LOCATION_LIST"}"#,
    #""a":{"value":1,"type":"INT64","extra":1}"#,
  ])
  func `values are stored without them`(field: String) async throws {
    let saved = try await client.create("x", "{\(field)}")
    #expect(saved["fields"]["a"]["value"].isThere, "\(saved)")
    #expect(!saved.description.contains("extra"), "\(saved)")
    #expect(notes.contains { $0.hasSuffix(".extra'") }, "\(notes)")
  }

  @Test func `shares and what is around a record have none`() async throws {
    try await client.create("root")
    let answer = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a","extra":1,"parent":{"recordName":"root","extra":1}}},{"operationType":"create","record":{"recordType":"cloudkit.share","forRecord":{"recordName":"root"},"publicPermission":"NONE","participants":[{"extra":1,"permission":"READ_ONLY","userIdentity":{"extra":1,"userRecordName":"_kenji","nameComponents":{"givenName":"Kenji","extra":1},"lookupInfo":{"emailAddress":"k@example.com","extra":1}}}]}}]}"#
    )
    let records = answer.json["records"]
    #expect(records[0]["parent"]["recordName"] == "root")
    #expect(records[1]["participants"].description.contains("Kenji"), "\(records[1])")
    #expect(!answer.text.contains("extra"), "\(answer.text)")
  }

  @Test func `a subscription has none`() async throws {
    let answer = try await client.post(
      "subscriptions/modify",
      #"{"operations":[{"operationType":"create","subscription":{"extra":1,"subscriptionID":"s","subscriptionType":"query","firesOn":["create"],"notificationInfo":{"alertBody":"Hi","extra":1},"query":{"recordType":"Note","extra":1,"filterBy":[{"comparator":"EQUALS","fieldName":"a","extra":1,"fieldValue":{"value":1,"type":"INT64","extra":1}}],"sortBy":[{"fieldName":"a","extra":1}]}}}]}"#
    )
    #expect(answer.json["subscriptions"][0]["query"]["filterBy"][0]["fieldName"] == "a")
    #expect(!answer.text.contains("extra"), "\(answer.text)")
    #expect(notes.contains { $0.contains("extra") })
    let listed = try await client.post("subscriptions/list")
    #expect(listed.text.contains("alertBody") && !listed.text.contains("extra"))
  }

  @Test func `members of shares are checked in other records, too, and not stored`() async throws {
    let wrong = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"Note","participants":[null]}}]}"#
    )
    #expect(wrong.status == 400)
    let right = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"Note","participants":[],"publicPermission":null}}]}"#
    )
    #expect(right.json["records"][0]["recordChangeTag"].isThere, "\(right.text)")
    #expect(!right.text.contains("participants"))
  }

  @Test(arguments: [
    ("records/modify", #"{"record":{"recordType":"cloudkit.share","publicPermission":"ALL"}}"#),
    ("records/modify", #"{"record":{"recordType":"cloudkit.share","publicPermission":1}}"#),
    (
      "subscriptions/modify",
      #"{"subscription":{"subscriptionType":"database","subscriptionID":{}}}"#
    ),
    (
      "subscriptions/modify",
      #"{"subscription":{"subscriptionType":"database","subscriptionID":1}}"#
    ),
  ])
  func `a value of another kind is not taken for one that is not there`(
    path: String, operation: String
  ) async throws {
    let body = operation.replacing(
      "{\"", with: "{\"operationType\":\"create\",\"", maxReplacements: 1)
    let answer = try await client.post(
      path, #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(body)]}"#)
    #expect(answer.status == 400, "\(answer.text)")
  }

  @Test func `a zone that is looked up has a name and an owner`() async throws {
    for zone in [#"{"zoneName":""}"#, #"{"zoneName":"a","ownerRecordName":""}"#, "{}"] {
      let answer = try await client.post("zones/lookup", #"{"zones":[\#(zone)]}"#)
      #expect(answer.status == 400)
    }
    let right = try await client.post(
      "zones/lookup", #"{"zones":[{"zoneName":"Notes","zoneType":"REGULAR_CUSTOM_ZONE"}]}"#)
    #expect(right.json["zones"][0]["zoneID"]["zoneName"] == "Notes")
    #expect(notes.isEmpty)
  }

  @Test(arguments: [
    (#""permission":"WRITE""#, "Unexpected input"),
    (#""permission":"read_only""#, "Unexpected input"),
    (#""acceptanceStatus":"DONE""#, "Unexpected input"), (#""type":"GUEST""#, "Unexpected input"),
    (#""userIdentity":{}"#, "missing required field 'userIdentity'"),
    (#""userIdentity":null"#, "missing required field 'userIdentity'"),
    (#""userIdentity":{"lookupInfo":{}}"#, "missing required field 'userIdentity'"),
  ])
  func `a participant has words that are known, and an identity`(
    member: String, reason: String
  ) async throws {
    try await client.create("root")
    let identity =
      member.contains("userIdentity")
      ? "" : #","userIdentity":{"lookupInfo":{"emailAddress":"k@example.com"}}"#
    func share(_ participant: String) async throws -> Answer {
      try await client.post(
        "records/modify",
        #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"s","forRecord":{"recordName":"root"},"participants":[{\#(participant)}]}}]}"#
      )
    }
    let answer = try await share(member + identity)
    #expect(answer.status == 400, "\(answer.text)")
    #expect(answer.json["reason"].string == "BadRequestException: " + reason)
    #expect(try await client.record("root").share == nil)
    // What the server sends can be sent back.
    let right = try await share(
      #""type":"USER","permission":"UNKNOWN","acceptanceStatus":"INVITED","participantId":"1""#)
    #expect(right.json["records"][0]["recordChangeTag"].isThere, "\(right.text)")
  }
}

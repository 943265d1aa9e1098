import RecordModel
import Testing

@Suite struct ShareTests {
  let client: WebClient

  init() async throws {
    client = try WebClient()
    _ = try client.container.account(
      "_kenji", nameComponents: .init(givenName: "Kenji"), emailAddress: "kenji@example.com")
    try await client.makeZone()
    try await client.create("root", #"{"title":{"value":"Plans"}}"#)
  }

  private func share(tag: String? = nil, _ name: String = "share") async throws -> Answer {
    let tag = tag.map { #","recordChangeTag":"\#($0)""# } ?? ""
    return try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{
      "recordType":"cloudkit.share","recordName":"\(name)","createShortGUID":true,
      "forRecord":{"recordName":"root"\(tag)},"publicPermission":"NONE",
      "participants":[{"type":"USER","permission":"READ_WRITE",
      "userIdentity":{"lookupInfo":{"emailAddress":"kenji@example.com"}}}]}}]}
      """)
  }

  @Test func `a share is made for a record, resolved and accepted`() async throws {
    let made = try await share()
    let record = made.json["records"][0]
    let guid = try #require(record["shortGUID"].string)
    #expect(record["participants"].elements.count == 2)
    #expect(!record["url"].isThere)
    let root = try await client.record("root")
    #expect(root.share?.recordID.recordName == "share")
    #expect(root["title"] == "Plans")
    let kenji = client.with(user: "_kenji", scope: "public")
    let body =
      #"{"shortGUIDs":[{"value":"\#(guid)","shouldFetchRootRecord":true},{"value":"none"}]}"#
    let resolved = try await kenji.post("records/resolve", body)
    let result = resolved.json["results"][0]
    #expect(result["shortGUID"]["value"] == guid)
    #expect(result["shortGUID"]["shouldFetchRootRecord"].bool == true)
    #expect(result["share"]["owner"]["type"] == "OWNER")
    #expect(result["participantStatus"] == "PENDING")
    #expect(result["participantPermission"] == "READ_WRITE")
    #expect(result["databaseScope"] == "SHARED")
    #expect(result["rootRecordName"] == "root")
    #expect(result["rootRecord"]["fields"]["title"]["value"] == "Plans")
    #expect(result["rootRecord"]["zoneID"]["ownerRecordName"] == "_anna")
    let plain = try await kenji.post("records/resolve", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#)
    #expect(!plain.json["results"][0]["rootRecord"].isThere)
    #expect(plain.json["results"][0]["shortGUID"]["shouldFetchRootRecord"].bool == false)
    #expect(resolved.json["results"][1]["serverErrorCode"] == "NOT_FOUND")
    let accepted = try await kenji.post("records/accept", body)
    #expect(accepted.json["results"][0]["participantStatus"] == "ACCEPTED")
    #expect(accepted.json["results"][0]["rootRecord"]["fields"]["title"]["value"] == "Plans")
    let shared = try await client.with(user: "_kenji", scope: "shared").post("zones/list")
    #expect(shared.json["zones"][0]["zoneID"]["ownerRecordName"] == "_anna")
  }

  @Test func `a share for another version of a record is a conflict`() async throws {
    let answer = try await share(tag: "zzz")
    #expect(answer.json["records"].elements.count == 1)
    #expect(answer.json["records"][0]["serverErrorCode"] == "CONFLICT")
    #expect(answer.json["records"][0]["recordName"] == "share")
    let root = try await client.record("root")
    #expect(root.share == nil)
  }

  @Test func `a share for a record that is not there is refused`() async throws {
    let answer = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"cloudkit.share","forRecord":{"recordName":"none"}}}]}"#
    )
    #expect(answer.json["records"][0]["serverErrorCode"] == "BAD_REQUEST")
  }

  @Test func `a child of a shared record names its parent`() async throws {
    let answer = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"child","parent":{"recordName":"root"}}}]}"#
    )
    #expect(answer.json["records"][0]["parent"].description == #"{"recordName":"root"}"#)
    let child = try await client.record("child")
    #expect(child.parent?.recordID.recordName == "root")
  }

  @Test func `a user who is not invited does not accept`() async throws {
    _ = try client.container.account("_mallory")
    let made = try await share()
    let guid = try #require(made.json["records"][0]["shortGUID"].string)
    let answer = try await client.with(user: "_mallory", scope: "public").post(
      "records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#)
    #expect(answer.json["results"][0]["serverErrorCode"] == "ACCESS_DENIED")
  }
}

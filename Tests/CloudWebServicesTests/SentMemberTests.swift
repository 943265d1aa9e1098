import CloudWebServices
import Foundation
import RecordModel
import Testing

/// A member that an operation does not have changes nothing. Source: Apple's *CloudKit Web Services
/// Reference*, "Modifying Records".
@Suite struct SentMemberTests {
  let client: WebClient

  init() async throws {
    client = try WebClient()
    _ = try client.container.account("_kenji", emailAddress: "kenji@example.com")
    try await client.makeZone()
    try await client.create("top")
    _ = try await modify(
      "create", #""recordType":"Note","recordName":"child","parent":{"recordName":"top"}"#)
  }

  private func modify(_ kind: String, _ record: String, _ more: String = "") async throws -> JSON {
    try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"\(kind)","record":{\(record)}\(more)}]}
      """
    ).json["records"][0]
  }

  private func tag(_ name: String) async throws -> String {
    try #require(try await client.record(name).recordChangeTag)
  }

  private func share(_ root: String, as name: String) async throws -> JSON {
    try await modify(
      "create",
      #""recordType":"cloudkit.share","recordName":"\#(name)","forRecord":{"recordName":"\#(root)"}"#
    )
  }

  @Test(arguments: ["update", "forceUpdate", "replace", "forceReplace"])
  func `parent and share stay without their members, and null removes the parent`(
    kind: String
  ) async throws {
    #expect(try await share("top", as: "share")["recordName"] == "share")
    for name in ["top", "child"] {
      let tag = try await tag(name)
      let saved = try await modify(
        kind,
        #""recordType":"Note","recordName":"\#(name)","recordChangeTag":"\#(tag)","fields":{"n":{"value":2}}"#
      )
      #expect(saved["fields"]["n"]["value"].number == 2)
    }
    #expect(try await client.record("top").share?.recordID.recordName == "share")
    #expect(try await client.record("child").parent?.recordID.recordName == "top")
    let tag = try await tag("child")
    _ = try await modify(
      kind,
      #""recordType":"Note","recordName":"child","recordChangeTag":"\#(tag)","parent":null"#)
    #expect(try await client.record("child").parent == nil)
  }

  @Test func `a share keeps the parent of its root, and there is one share in a tree`() async throws
  {
    #expect(try await share("child", as: "inner")["recordName"] == "inner")
    #expect(try await client.record("child").parent?.recordID.recordName == "top")
    let outer = try await share("top", as: "outer")
    #expect(outer["serverErrorCode"].isThere, "\(outer)")
    #expect(try await client.record("top").share == nil)
  }

  @Test(arguments: ["update", "replace", "forceReplace"])
  func `a record that exists has its type without the member`(kind: String) async throws {
    let tag = try await tag("child")
    let saved = try await modify(
      kind, #""recordName":"child","recordChangeTag":"\#(tag)","fields":{"n":{"value":3}}"#)
    #expect(saved["recordType"] == "Note")
    #expect(saved["fields"]["n"]["value"].number == 3)
    let missing = try await modify(
      kind, #""recordName":"none","recordChangeTag":"\#(tag)","fields":{"n":{"value":3}}"#)
    #expect(missing["serverErrorCode"] == (kind == "forceReplace" ? "BAD_REQUEST" : "NOT_FOUND"))
  }

  @Test(arguments: ["forceUpdate", "forceReplace"])
  func `the tag of a share is compared, forced or not`(kind: String) async throws {
    let made = try await share("top", as: "share")
    let tag = try #require(made["recordChangeTag"].string)
    func force(_ tag: String) async throws -> JSON {
      try await modify(
        kind,
        #""recordType":"cloudkit.share","recordName":"share","recordChangeTag":"\#(tag)","publicPermission":"READ_ONLY""#
      )
    }
    #expect(try await force("zz")["reason"] == "client oplock error updating record")
    #expect(try await force(tag)["publicPermission"] == "READ_ONLY")
  }

  @Test func `the error of a share is its own, and its type has one spelling`() async throws {
    let answer = try await client.post(
      "records/modify",
      #"""
      {"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"d"}},
      {"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"s",
      "forRecord":{"recordName":"d"}}}]}
      """#)
    let alone = try await client.post(
      "records/modify",
      #"""
      {"operations":[{"operationType":"create","record":{"recordType":"cloudkit.share",
      "recordName":"s2","forRecord":{"recordName":"d"}}}]}
      """#)
    let reason = answer.json["records"][1]["reason"]
    #expect(reason.string?.contains("cannot be shared") == true, "\(answer.text)")
    #expect(alone.json["records"][0]["reason"] == reason, "\(alone.text)")
    let other = try await client.post(
      "records/modify",
      #"""
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{
      "recordType":"cloudKit.share","recordName":"s","forRecord":{"recordName":"top"}}}]}
      """#)
    #expect(other.json["reason"] == "Cannot share - no such record exists to share")
  }

  @Test func `a custom zone is atomic beside records of the default zone`() async throws {
    func operations(_ more: String) async throws -> JSON {
      try await client.post(
        "records/modify",
        #"""
        {"operations":[
        {"operationType":"create","record":{"recordType":"Note","recordName":"new","zoneID":{"zoneName":"Notes"}}},
        {"operationType":"create","record":{"recordType":"Note","recordName":"top","zoneID":{"zoneName":"Notes"}}},
        {"operationType":"create","record":{"recordType":"Note","recordName":"d"}}]\#(more)}
        """#
      ).json
    }
    let codes = try await operations("")["records"].elements.map { $0["serverErrorCode"].string }
    #expect(codes == ["ATOMIC_ERROR", "CONFLICT", nil])
    let asked = try await operations(#","atomic":true"#)
    #expect(asked["reason"] == "atomic operations not supported in default zone")
  }

  @Test func `a query of a zone ignores zoneWide`() async throws {
    try await client.makeZone("Other")
    try await client.create("elsewhere", zone: "Other")
    let answer = try await client.post(
      "records/query",
      #"{"zoneID":{"zoneName":"Other"},"zoneWide":true,"query":{"recordType":"Note"}}"#)
    #expect(answer.json["records"].elements.map { $0["recordName"].string } == ["elsewhere"])
  }

  @Test func `a participant who is sent twice is one, as the later one says`() async throws {
    let made = try await modify(
      "create",
      #"""
      "recordType":"cloudkit.share","recordName":"share","forRecord":{"recordName":"top"},"participants":[
      {"permission":"READ_WRITE","userIdentity":{"lookupInfo":{"emailAddress":"kenji@example.com"}}},
      {"permission":"READ_ONLY","userIdentity":{"lookupInfo":{"emailAddress":"kenji@example.com"}}}]
      """#)
    let others = made["participants"].elements.filter { $0["type"].string != "OWNER" }
    #expect(others.map { $0["permission"].string } == ["READ_ONLY"])
  }

  @Test func `users that are looked up have names and addresses, and tokens an environment`()
    async throws
  {
    let found = try await client.with(scope: "public").post(
      "users/lookup/email", #"{"users":[{"emailAddress":"kenji@example.com"}]}"#)
    #expect(found.json["users"][0]["emailAddress"] == "kenji@example.com")
    #expect(found.json["users"][0]["lookupInfo"]["emailAddress"] == "kenji@example.com")
    let token = try await client.send(
      WebRequest(
        "POST",
        "/device/1/\(WebClient.identifier)/development/tokens/create" + client.query,
        body: Data(#"{"apnsEnvironment":"x"}"#.utf8)))
    #expect(token.status == 400)
  }

  @Test func `an operation has desired fields of its own`() async throws {
    let answer = try await client.post(
      "records/modify",
      #"""
      {"zoneID":{"zoneName":"Notes"},"desiredKeys":["m"],"operations":[
      {"operationType":"create","desiredKeys":["n"],"record":{"recordType":"Note","recordName":"a",
      "fields":{"n":{"value":1},"m":{"value":2}}}},
      {"operationType":"create","record":{"recordType":"Note","recordName":"b",
      "fields":{"n":{"value":1},"m":{"value":2}}}}]}
      """#)
    #expect(answer.json["records"][0]["fields"].names == ["n"])
    #expect(answer.json["records"][1]["fields"].names == ["m"])
  }

  @Test func `a record has the members of real responses`() async throws {
    let record = try await client.create("real")
    for stamp in ["created", "modified"] { #expect(record[stamp]["deviceID"] == "2") }
    #expect(record["zoneID"]["zoneType"] == "REGULAR_CUSTOM_ZONE")
    let content = Data("hello".utf8)
    var draft = DraftRecord(
      recordType: "Note",
      recordID: RecordID(recordName: "file", zoneID: ZoneID(zoneName: "Notes")))
    draft["file"] = Asset(data: content)
    try await client.container.privateCloudDatabase.save(draft)
    let read = try await client.post(
      "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"file"}]}"#)
    let asset = read.json["records"][0]["fields"]["file"]["value"]
    #expect(
      Set(asset.names) == [
        "fileChecksum", "size", "referenceChecksum", "wrappingKey", "downloadURL",
      ])
  }
}

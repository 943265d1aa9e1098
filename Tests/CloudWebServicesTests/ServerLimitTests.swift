import Foundation
import MockCloud
import RecordCoding
import RecordModel
import Testing

@testable import CloudWebServices
@testable import RecordStore

/// The live server's limits and words, each with its source in the rule.
@Suite("What the server allows")
struct ServerLimitTests {
  private func client(_ schema: String? = nil) async throws -> WebClient {
    let client = try WebClient(schema: schema)
    try await client.makeZone()
    return client
  }

  /// Names of types that only responses, schemas or old libraries have.
  @Test(
    "a value with another type than requests have is unexpected",
    arguments: [
      #"{"value":5,"type":"NUMBER_INT64"}"#, #"{"value":5,"type":"INTEGER"}"#,
      #"{"value":5,"type":"LIST"}"#, #"{"value":[{"value":"a","type":"STRING"}],"type":"LIST"}"#,
      #"{"value":1700000000000,"type":"DATETIME"}"#, #"{"value":{"receipt":"a"},"type":"ASSET"}"#,
      #"{"value":"a","type":"string"}"#, #"{"value":"a","type":""}"#, #"{"value":"a","type":5}"#,
      #"{"recordName":"x"}"#, #"{"value":null,"x":1}"#, #"{"value":{"x":1}}"#, #"{"value":[[1]]}"#,
      "5", "\"a\"", "[]",
    ])
  func types(field: String) async throws {
    let client = try await client()
    let saved = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":{"f":\#(field)}}}]}"#
    )
    #expect(saved.status == 400 && saved.errorCode == "BAD_REQUEST", "\(saved.text)")
    #expect(saved.json["reason"] == "BadRequestException: Unexpected input")
    #expect(try await client.container.privateCloudDatabase.records(ofType: "Note").isEmpty)
    // A filter of a query, and of a subscription.
    let query =
      #"{"recordType":"Note","filterBy":[{"comparator":"EQUALS","fieldName":"f","fieldValue":\#(field)}]}"#
    let found = try await client.post(
      "records/query", #"{"zoneID":{"zoneName":"Notes"},"query":\#(query)}"#)
    #expect(found.status == 400, "\(found.text)")
    let subscribed = try await client.post(
      "subscriptions/modify",
      #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query","firesOn":["create"],"query":\#(query)}}]}"#
    )
    #expect(subscribed.status == 400, "\(subscribed.text)")
    #expect(try client.container.store.snapshot { try $0.subscriptions(in: .private) }.isEmpty)
  }

  @Test("an unknown operation is unexpected input")
  func operation() async throws {
    let client = try await client()
    let answer = try await client.post(
      "records/modify",
      #"{"operations":[{"operationType":"force_update","record":{"recordName":"x","recordType":"Note","fields":{}}}]}"#
    )
    #expect(answer.status == 400)
    #expect(
      answer.json["reason"].string?.hasPrefix("BadRequestException: Unexpected input") == true)
    // The place of the problem is in the log.
    #expect(
      client.handler.log.entries.last?.notes.contains { $0.contains("operationType") } == true)
  }

  @Test("a record that is too large is rejected in the server's words")
  func recordSize() async throws {
    let client = try await client()
    let text = String(repeating: "x", count: 1_000_001)
    let record = try await client.create("a", #"{"f":{"value":"\#(text)"}}"#)
    #expect(record["reason"] == "record too large")
    #expect(record["serverErrorCode"] == "BAD_REQUEST")
  }

  @Test("a name that no record type can have is that of an unknown type")
  func unknownType() async throws {
    let client = try await client()
    let answer = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"No such-type","recordName":"a"}}]}"#
    )
    #expect(answer.json["records"][0]["serverErrorCode"] == "NOT_FOUND", "\(answer.text)")
  }

  @Test("a type has at most 256 fields")
  func fields() async throws {
    let client = try await client(
      #"DEFINE SCHEMA RECORD TYPE Other (a STRING, GRANT WRITE TO "_creator");"#)
    func fields(_ range: Range<Int>) -> String {
      "{" + range.map { #""f\#($0)":{"value":"x"}"# }.joined(separator: ",") + "}"
    }
    let answer = try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":\#(fields(0..<300))}}]}"#
    )
    let rejected = answer.json["records"][0]
    #expect(rejected["serverErrorCode"] == "BAD_REQUEST", "\(answer.text)")
    #expect(rejected["reason"] == "Limit Exceeded")
    #expect(try await client.create("a", fields(0..<256))["recordName"] == "a")
    #expect(try await client.create("b", fields(255..<257))["reason"] == "Limit Exceeded")
    #expect(try await client.create("b", fields(3..<9))["recordChangeTag"].isThere)
  }

  @Test("a user creates at most 1,000 zones")
  func zones() async throws {
    let client = try await client()
    try client.container.store.transaction { transaction in
      for index in 1..<999 {
        try transaction.save(RecordZone(zoneName: "z\(index)"), in: .private)
      }
    }
    func create(_ name: String) async throws -> JSON {
      try await client.post(
        "zones/modify",
        #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#
      ).json["zones"][0]
    }
    #expect(try await create("last")["zoneID"].isThere)
    #expect(try await create("more")["reason"] == "Limit Exceeded")
    #expect(try await create("last")["syncToken"].isThere)
  }

  @Test("a stored record with a name that is not ASCII can be changed, and no other be made")
  func names() async throws {
    let client = try await client()
    let recordID = RecordID(recordName: "übung-1", zoneID: ZoneID(zoneName: "Notes"))
    try client.container.store.importTransaction {
      try $0.add(
        ResultRecord(
          systemFields: SystemFields(
            recordID: recordID, recordType: "Note", recordChangeTag: "1"), fields: []),
        to: .private)
    }
    func save(_ name: String, _ kind: String) async throws -> JSON {
      try await client.post(
        "records/modify",
        #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"\#(kind)","record":{"recordType":"Note","recordName":"\#(name)","fields":{"t":{"value":"z"}}}}]}"#
      ).json["records"][0]
    }
    #expect(try await save("übung-1", "forceUpdate")["fields"]["t"]["value"] == "z")
    #expect(try await save("übung-2", "create")["serverErrorCode"] == "BAD_REQUEST")
    var draft = DraftRecord(recordType: "Note", recordID: recordID)
    draft["t"] = "put"
    try client.container.store.transaction { try $0.save([draft], in: .private) }
  }

  @Test("a share that names a short identifier only is accepted")
  func shortGUID() async throws {
    let client = try await client()
    _ = try client.container.account("_kenji")
    try await client.create("root")
    let zone = ZoneID(zoneName: "Notes")
    try client.container.store.importTransaction { writer in
      var share = DraftRecord(
        recordType: Share.recordType, recordID: RecordID(recordName: "share", zoneID: zone))
      share.shareInfo = Share(publicPermission: .readOnly, shortGUID: "0aB-c_D")
      try writer.add(
        ResultRecord(systemFields: share.systemFields, fields: share.fields), to: .private)
    }
    let kenji = client.with(user: "_kenji", scope: "public")
    for path in ["records/resolve", "records/accept"] {
      let answer = try await kenji.post(path, #"{"shortGUIDs":[{"value":"0aB-c_D"}]}"#)
      #expect(answer.json["results"][0]["share"]["recordName"] == "share", "\(answer.text)")
    }
    let share = try await client.container.privateCloudDatabase.record(
      for: RecordID(recordName: "share", zoneID: zone))
    #expect(share.shareInfo?.url?.absoluteString == "https://www.icloud.com/share/0aB-c_D")
  }

  // MARK: Damage

  @Test("a subscription or zone that cannot be read is an error of its own, and can be deleted")
  func damage() async throws {
    let client = try await client()
    try await client.makeZone("Other")
    for id in ["s", "t"] {
      _ = try await client.post(
        "subscriptions/modify",
        #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"\#(id)","subscriptionType":"zone","zoneID":{"zoneName":"\#(id == "s" ? "Notes" : "Other")"}}}]}"#
      )
    }
    try client.container.store.damage(
      "UPDATE subscription SET json = CAST('x' AS BLOB) WHERE id = 's'")
    try client.container.store.damage(
      "UPDATE zone SET json = CAST('x' AS BLOB) WHERE name = 'Notes'")
    let listed = try await client.post("subscriptions/list")
    #expect(listed.json["subscriptions"][0]["subscriptionID"] == "t", "\(listed.text)")
    #expect(listed.json["subscriptions"][1]["serverErrorCode"] == "INTERNAL_ERROR")
    let found = try await client.post(
      "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s"},{"subscriptionID":"t"}]}"#)
    #expect(found.json["subscriptions"][0]["serverErrorCode"] == "INTERNAL_ERROR")
    #expect(found.json["subscriptions"][1]["subscriptionType"] == "zone")
    let zones = try await client.post(
      "zones/lookup", #"{"zones":[{"zoneName":"Notes"},{"zoneName":"Other"}]}"#)
    #expect(zones.json["zones"][0]["serverErrorCode"] == "INTERNAL_ERROR", "\(zones.text)")
    #expect(zones.json["zones"][1]["zoneID"]["zoneName"] == "Other")
    let all = try await client.post("zones/list").json["zones"].elements
    #expect(all.map { $0["zoneID"]["zoneName"].string } == ["Other", "_defaultZone", "Notes"])
    #expect(all.map { $0["serverErrorCode"].string } == [nil, nil, "INTERNAL_ERROR"])
    // Whoever fetches its changes gets its error.
    let changed = try await client.post("changes/database").json["zones"].elements
    #expect(changed.map { $0["zoneID"]["zoneName"].string } == ["Notes", "Other"])
    let changes = try await client.post(
      "changes/zone",
      #"{"zones":[{"zoneID":{"zoneName":"Notes"}},{"zoneID":{"zoneName":"Other"}}]}"#)
    #expect(changes.json["zones"][0]["serverErrorCode"] == "INTERNAL_ERROR", "\(changes.text)")
    #expect(changes.json["zones"][1]["syncToken"].isThere)
    #expect(try await client.create("a", zone: "Other")["recordChangeTag"].isThere)
    #expect(try await client.create("a")["serverErrorCode"] == "INTERNAL_ERROR")
    _ = try await client.post(
      "subscriptions/modify",
      #"{"operations":[{"operationType":"delete","subscription":{"subscriptionID":"s"}}]}"#)
    _ = try await client.post(
      "zones/modify",
      #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#)
    #expect(try await client.create("a")["recordChangeTag"].isThere)
    #expect(try client.container.store.verify { _ in }.isIntact)
  }
}

extension ContainerStore {
  /// Changes rows as a fault of the disk would.
  fileprivate func damage(_ sql: String) throws {
    try transaction { try $0.db.execute(sql) }
  }
}

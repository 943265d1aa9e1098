import RecordModel
import Testing

@Suite struct ModifyTests {
  let client: WebClient

  init() async throws {
    client = try WebClient()
    try await client.makeZone()
  }

  private func modify(_ kind: String, _ record: String, _ more: String = "") async throws -> Answer
  {
    try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"\(kind)","record":\(record)}]\(more)}
      """)
  }

  @Test func `records of the public database that refer to a deleted one go with it`() async throws
  {
    let everybody = client.with(scope: "public")
    func modify(_ kind: String, _ record: String) async throws -> Answer {
      try await everybody.post(
        "records/modify", #"{"operations":[{"operationType":"\#(kind)","record":\#(record)}]}"#)
    }
    _ = try await modify("create", #"{"recordType":"Note","recordName":"t"}"#)
    let reference = #"{"value":{"recordName":"t","action":"DELETE_SELF"},"type":"REFERENCE"}"#
    let made = try await modify(
      "create", #"{"recordType":"Note","recordName":"c","fields":{"to":\#(reference)}}"#)
    #expect(made.json["records"][0]["recordName"] == "c")
    _ = try await modify("forceDelete", #"{"recordName":"t"}"#)
    let found = try await everybody.post("records/lookup", #"{"records":[{"recordName":"c"}]}"#)
    #expect(found.json["records"][0]["serverErrorCode"] == "NOT_FOUND")
  }

  @Test func `create saves a record and returns it as the server writes it`() async throws {
    let record = try await client.create(
      "a",
      #"{"title":{"value":"Milk"},"count":{"value":3},"secret":{"value":"x","type":"STRING","isEncrypted":true}}"#
    )
    #expect(record["recordName"] == "a")
    #expect(record["fields"]["title"].description == #"{"value":"Milk","type":"STRING"}"#)
    #expect(record["fields"]["count"].description == #"{"value":3,"type":"INT64"}"#)
    #expect(
      record["fields"]["secret"].description
        == #"{"value":"x","type":"STRING","isEncrypted":true}"#)
    #expect(record["recordChangeTag"].string != nil)
    #expect(record["created"]["userRecordName"] == "_anna")
    #expect(record["deleted"].bool == false)
    #expect(record["zoneID"]["zoneName"] == "Notes")
    let stored = try await client.record("a")
    #expect(stored["title"] == "Milk")
  }

  @Test func `create without a name makes one`() async throws {
    let answer = try await modify("create", #"{"recordType":"Note"}"#)
    let name = try #require(answer.json["records"][0]["recordName"].string)
    _ = try await client.record(name)
  }

  @Test func `create of a record that exists is a conflict inside 200`() async throws {
    try await client.create("a")
    let answer = try await modify("create", #"{"recordType":"Note","recordName":"a"}"#)
    #expect(answer.status == 200)
    let item = answer.json["records"][0]
    #expect(item["serverErrorCode"] == "CONFLICT")
    #expect(item["reason"] == "record to insert already exists")
    #expect(item["recordName"] == "a")
  }

  @Test func `update changes the fields that are sent, of the version that is named`() async throws
  {
    let tag =
      try await client.create("a", #"{"title":{"value":"A"},"text":{"value":"B"}}"#)[
        "recordChangeTag"
      ].string ?? ""
    let answer = try await modify(
      "update",
      #"{"recordType":"Note","recordName":"a","recordChangeTag":"\#(tag)","fields":{"title":{"value":"C"}}}"#
    )
    #expect(answer.json["records"][0]["fields"]["title"]["value"] == "C")
    #expect(answer.json["records"][0]["fields"]["text"]["value"] == "B")
    let late = try await modify(
      "update",
      #"{"recordType":"Note","recordName":"a","recordChangeTag":"\#(tag)","fields":{"title":{"value":"D"}}}"#
    )
    #expect(late.json["records"][0]["serverErrorCode"] == "CONFLICT")
    let stored = try await client.record("a")
    #expect(stored["title"] == "C")
  }

  @Test(arguments: ["update", "replace"])
  func `a change of a version names the version`(kind: String) async throws {
    try await client.create("a")
    let answer = try await modify(kind, #"{"recordType":"Note","recordName":"a"}"#)
    #expect(answer.status == 400)
    #expect(answer.errorCode == "BAD_REQUEST")
    #expect(
      answer.json["reason"] == "BadRequestException: missing required field 'recordChangeTag'")
  }

  @Test func `update of a record that does not exist is NOT_FOUND`() async throws {
    let answer = try await modify(
      "update", #"{"recordType":"Note","recordName":"none","recordChangeTag":"1"}"#)
    #expect(answer.json["records"][0]["serverErrorCode"] == "NOT_FOUND")
  }

  @Test func `forceUpdate changes fields of any version, and creates`() async throws {
    try await client.create("a", #"{"title":{"value":"A"},"text":{"value":"B"}}"#)
    _ = try await modify(
      "forceUpdate",
      #"{"recordType":"Note","recordName":"a","recordChangeTag":"zz","fields":{"title":{"value":"C"}}}"#
    )
    let stored = try await client.record("a")
    #expect(stored["title"] == "C")
    #expect(stored["text"] == "B")
    let made = try await modify("forceUpdate", #"{"recordType":"Note","recordName":"b"}"#)
    #expect(made.json["records"][0]["recordChangeTag"].string != nil)
  }

  @Test func `replace removes the fields that are not sent`() async throws {
    let tag =
      try await client.create("a", #"{"title":{"value":"A"},"text":{"value":"B"}}"#)[
        "recordChangeTag"
      ].string ?? ""
    let answer = try await modify(
      "replace",
      #"{"recordType":"Note","recordName":"a","recordChangeTag":"\#(tag)","fields":{"title":{"value":"C"}}}"#
    )
    #expect(answer.json["records"][0]["fields"].names == ["title"])
    let stored = try await client.record("a")
    #expect(stored.allKeys() == ["title"])
    let late = try await modify(
      "replace", #"{"recordType":"Note","recordName":"a","recordChangeTag":"\#(tag)"}"#)
    #expect(late.json["records"][0]["serverErrorCode"] == "CONFLICT")
  }

  @Test func `forceReplace removes the fields that are not sent, of any version`() async throws {
    try await client.create("a", #"{"title":{"value":"A"},"text":{"value":"B"}}"#)
    _ = try await modify(
      "forceReplace", #"{"recordType":"Note","recordName":"a","fields":{"text":{"value":"C"}}}"#)
    let stored = try await client.record("a")
    #expect(stored.allKeys() == ["text"])
    #expect(stored["text"] == "C")
  }

  @Test func `a field with null or nothing is removed`() async throws {
    try await client.create(
      "a", #"{"a":{"value":"A"},"b":{"value":"B"},"c":{"value":"C"},"d":{"value":"D"}}"#)
    _ = try await modify(
      "forceUpdate",
      #"{"recordType":"Note","recordName":"a","fields":{"a":null,"b":{},"c":{"value":null}}}"#)
    let stored = try await client.record("a")
    #expect(stored.allKeys() == ["d"])
  }

  @Test func `delete deletes the version that is named, forceDelete any`() async throws {
    let tag = try await client.create("a")["recordChangeTag"].string ?? ""
    try await client.create("b")
    let refused = try await modify("delete", #"{"recordName":"a","recordChangeTag":"zzz"}"#)
    #expect(refused.json["records"][0]["serverErrorCode"] == "CONFLICT")
    _ = try await client.record("a")
    let deleted = try await modify("delete", #"{"recordName":"a","recordChangeTag":"\#(tag)"}"#)
    #expect(deleted.json["records"][0]["deleted"].bool == true)
    #expect(deleted.json["records"][0]["recordName"] == "a")
    let forced = try await modify("forceDelete", #"{"recordName":"b","recordChangeTag":"zzz"}"#)
    #expect(forced.json["records"][0]["deleted"].bool == true)
    let left = try await client.container.privateCloudDatabase.records(ofType: "Note")
    #expect(left.isEmpty)
  }

  @Test func `an error fails all of an atomic request, and only one of another`() async throws {
    try await client.create("a")
    let operations = """
      "operations":[
      {"operationType":"create","record":{"recordType":"Note","recordName":"a"}},
      {"operationType":"create","record":{"recordType":"Note","recordName":"b"}}]
      """
    let zone = #""zoneID":{"zoneName":"Notes"}"#
    let atomic = try await client.post("records/modify", "{\(zone),\(operations)}")
    let codes = atomic.json["records"].elements.map { $0["serverErrorCode"].string }
    #expect(codes == ["CONFLICT", "ATOMIC_ERROR"])
    let each = try await client.post(
      "records/modify", "{\(zone),\"atomic\":false,\(operations)}")
    let eachCodes = each.json["records"].elements.map { $0["serverErrorCode"].string }
    #expect(eachCodes == ["CONFLICT", nil])
  }

  @Test func `the default zone refuses an atomic request`() async throws {
    let operations =
      #""operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a"}}]"#
    let refused = try await client.post("records/modify", #"{"atomic":true,\#(operations)}"#)
    #expect(refused.status == 400)
    #expect(refused.json["reason"] == "atomic operations not supported in default zone")
    let unsaid = try await client.post("records/modify", "{\(operations)}")
    #expect(unsaid.json["records"][0]["recordName"] == "a")
  }

  @Test func `desiredKeys and numbersAsStrings shape the answer`() async throws {
    let answer = try await modify(
      "create",
      #"{"recordType":"Note","fields":{"a":{"value":1},"b":{"value":[1.5,2]},"c":{"value":"x"}}}"#,
      #","desiredKeys":["a","b"],"numbersAsStrings":true"#)
    let fields = answer.json["records"][0]["fields"]
    #expect(
      fields.description
        == #"{"a":{"value":"1","type":"INT64"},"b":{"value":["1.5","2"],"type":"DOUBLE_LIST"}}"#)
  }

  @Test func `lists are read typed and untyped, an empty one by its field`() async throws {
    // An empty list does not tell of which type a new field is.
    try await client.create("first", #"{"c":{"value":["x"]},"d":{"value":["x"]}}"#)
    let record = try await client.create(
      "a",
      #"{"a":{"value":["x"],"type":"STRING_LIST"},"b":{"value":["x"],"type":"LIST"},"c":{"value":[]},"d":{"value":[],"type":"UNKNOWN_LIST"},"e":{"value":[],"type":"STRING_LIST"}}"#
    )
    let types = ["a", "b", "c", "d", "e"].map { record["fields"][$0]["type"].string }
    #expect(
      types == ["STRING_LIST", "STRING_LIST", "STRING_LIST", "UNKNOWN_LIST", "STRING_LIST"])
  }

  @Test func `unknown members are noted, and are in no record`() async throws {
    let answer = try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes"},"colour":1,"operations":[{"operationType":"create","kind":2,
      "record":{"recordType":"Note","recordName":"a","kind":3,"database":4,"pluginFields":{},
      "fields":{"a":{"value":1,"extra":5}}}}]}
      """)
    #expect(answer.status == 200)
    let notes = try #require(client.handler.log.entries.last?.notes)
    for name in ["colour", "operations[].kind", "operations[].record.kind"] {
      #expect(notes.contains("unknown member '\(name)'"))
    }
    let record = try await client.record("a")
    #expect(record.systemFields.otherMembers.isEmpty)
    #expect(record.fields.first?.otherMembers.isEmpty == true)
  }

  @Test func `the owner of one's own zones can be named`() async throws {
    let answer = try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes","ownerRecordName":"_anna"},"operations":[
      {"operationType":"create","record":{"recordType":"Note","recordName":"a"}}]}
      """)
    #expect(answer.json["records"][0]["recordName"] == "a")
    _ = try await client.record("a")
  }
}

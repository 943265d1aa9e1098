import Foundation
import RecordModel
import Testing

/// Values of fields and filters, as Web Services read them.
@Suite struct RequestValueTests {
  let client: WebClient

  init() async throws {
    client = try WebClient()
    var info = try client.container.store.info()
    info.schema = """
      DEFINE SCHEMA RECORD TYPE Note (
        at TIMESTAMP, count INT64, counts LIST<INT64>, rank DOUBLE, size NUMBER, title STRING,
        secret ENCRYPTED STRING,
        GRANT READ, CREATE, WRITE TO "_icloud" );
      """
    try client.container.store.setInfo(info)
    try await client.makeZone()
    try await client.create(
      "a",
      #"{"title":{"value":"a"},"at":{"value":1700000000000,"type":"TIMESTAMP"},"count":{"value":7}}"#
    )
  }

  private func query(_ comparator: String, _ name: String, _ value: String) async throws -> Answer {
    try await client.post(
      "records/query",
      """
      {"zoneID":{"zoneName":"Notes"},"query":{"recordType":"Note","filterBy":[
      {"comparator":"\(comparator)","fieldName":"\(name)","fieldValue":\(value)}]}}
      """)
  }

  // MARK: Lists

  @Test(arguments: [
    #"{"value":["a"]}"#, #"{"value":["a"],"type":"LIST"}"#, #"{"value":["a"],"type":null}"#,
    #"{"value":[],"type":"LIST"}"#, #"{"value":"a","type":"STRING"}"#,
  ])
  func `a list of alternatives needs its type`(value: String) async throws {
    for comparator in ["IN", "NOT_IN"] {
      let answer = try await query(comparator, "title", value)
      #expect(answer.status == 400)
      #expect(answer.errorCode == "BAD_REQUEST")
      #expect(answer.json["reason"] == "BadRequestException: Unexpected input")
    }
  }

  @Test func `a list of alternatives with its type is searched for`() async throws {
    let answer = try await query("IN", "title", #"{"value":["a","b"],"type":"STRING_LIST"}"#)
    #expect(answer.json["records"].elements.count == 1)
  }

  // MARK: Types

  @Test(arguments: [
    ("at", #"{"value":"2020-01-01T00:00:00Z","type":"STRING"}"#, "TIMESTAMP"),
    ("at", #"{"value":1600000000000}"#, "TIMESTAMP"),
    ("title", #"{"value":5,"type":"INT64"}"#, "STRING"),
  ])
  func `a filter of another type than the field is refused`(
    name: String, value: String, type: String
  ) async throws {
    let answer = try await query("EQUALS", name, value)
    #expect(answer.status == 400)
    #expect(answer.errorCode == "BAD_REQUEST")
    #expect(
      answer.json["reason"] == "BadRequestException: Invalid value, expected type \(type).")
  }

  private func save(_ field: String) async throws -> JSON {
    try await client.post(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a","fields":{\#(field)}}}]}"#
    ).json
  }

  @Test(arguments: [
    (#""at":{"value":"x","type":"STRING"}"#, "Invalid value, expected type TIMESTAMP."),
    (#""count":{"value":"x"}"#, "Invalid value, expected type INT64."),
    (
      #""title":{"value":"x","type":"STRING","isEncrypted":true}"#,
      "Attempt to save encrypted data in non encrypted field type"
    ),
  ])
  func `a value of another type than the field is rejected`(field: String, reason: String)
    async throws
  {
    #expect(try await save(field)["records"][0]["reason"] == reason)
  }

  @Test func `an encrypted value needs its type, and its field is not searched`() async throws {
    let answer = try await save(#""secret":{"value":"x","isEncrypted":true}"#)
    #expect(
      answer["reason"]
        == "invalid attempt to set value type ENCRYPTED_BYTES for field 'secret' for type 'Note', defined to be: ENCRYPTED_STRING"
    )
    let saved = try await save(#""secret":{"value":"x","type":"STRING","isEncrypted":true}"#)
    #expect(saved["records"][0]["fields"]["secret"]["value"] == "x")
    let found = try await query("EQUALS", "secret", #"{"value":"x","type":"STRING"}"#)
    #expect(
      found.json["reason"]
        == "Field 'secret' has a value type of ENCRYPTED_STRING and cannot be queried using filter type EQUALS"
    )
  }

  @Test func `an empty list without a type has that of the schema`() async throws {
    let saved = try await save(#""counts":{"value":[]}"#)
    #expect(saved["records"][0]["fields"]["counts"]["type"] == "INT64_LIST")
  }

  // MARK: Dates

  @Test(arguments: [
    #"{"value":1700000000000.25,"type":"TIMESTAMP"}"#,
    #"{"value":[1700000000000,1.5],"type":"TIMESTAMP_LIST"}"#,
    #"{"value":{"latitude":1,"longitude":2,"timestamp":1.5},"type":"LOCATION"}"#,
    #"{"value":[{"latitude":1,"longitude":2,"timestamp":1.5}],"type":"LOCATION_LIST"}"#,
    #"{"value":{"latitude":1,"longitude":2,"timestamp":1.5}}"#,
    #"{"value":1e300,"type":"TIMESTAMP"}"#, #"{"value":9223372036854775808,"type":"TIMESTAMP"}"#,
    #"{"value":{"latitude":1,"longitude":2,"timestamp":-1e19}}"#,
  ])
  func `a date with a fraction of a millisecond, or beyond 64 bits, is refused`(value: String)
    async throws
  {
    let saved = try await client.post(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordType":"Note","fields":{"x":\#(value)}}}]}"#
    )
    for answer in [saved, try await query("EQUALS", "x", value)] {
      #expect(answer.status == 400)
      #expect(
        answer.json["reason"] == "BadRequestException: Invalid value, expected type TIMESTAMP.")
    }
  }

  @Test func `a date of whole milliseconds is saved`() async throws {
    let record = try await client.create(
      "b", #"{"at":{"value":1.7e12,"type":"TIMESTAMP"}}"#)
    #expect(record["fields"]["at"]["value"].number == 1_700_000_000_000)
  }

  // MARK: Numbers as text

  @Test(arguments: [
    ("count", #""9007199254740993","type":"INT64""#, "9007199254740993"),
    ("rank", #""2.5","type":"DOUBLE""#, "2.5"),
    ("counts", #"["1","2"],"type":"INT64_LIST""#, "[1,2]"),
    ("at", #""1700000000000","type":"TIMESTAMP""#, "1700000000000"),
    // Without a type, it is that of the schema.
    ("count", #""-3""#, "-3"), ("rank", #""2.5""#, "2.5"), ("rank", #""2""#, "2"),
    ("size", #""7""#, "7"), ("counts", #"["1","2"]"#, "[1,2]"), ("count", #""4","type":null"#, "4"),
    ("title", #""7""#, #""7""#),
  ])
  func `a number passed as text is a number`(
    name: String, value: String, expected: String
  ) async throws {
    let record = try await client.create("n", #"{"\#(name)":{"value":\#(value)}}"#)
    #expect(record["fields"][name]["value"].description == expected, "\(record)")
  }

  @Test(arguments: [#""x""#, #""1.5""#, #""""#, #"" 1""#, #""99999999999999999999""#])
  func `text that is not a number of the field is refused`(value: String) async throws {
    let record = try await client.create("n", #"{"count":{"value":\#(value)}}"#)
    #expect(record["serverErrorCode"] == "BAD_REQUEST", "\(record)")
  }

  @Test(arguments: [
    #"{"value":"7"}"#, #"{"value":"7","type":"INT64"}"#, #"{"value":7,"type":"INT64"}"#,
  ])
  func `a number passed as text is found`(value: String) async throws {
    let answer = try await query("EQUALS", "count", value)
    #expect(answer.json["records"][0]["recordName"] == "a", "\(answer.text)")
  }

  @Test func `a subscription to a number passed as text is one to a number`() async throws {
    let query =
      #"{"recordType":"Note","filterBy":[{"comparator":"EQUALS","fieldName":"count","fieldValue":{"value":"7"}}]}"#
    let answer = try await client.post(
      "subscriptions/modify",
      #"{"operations":[{"operationType":"create","subscription":{"subscriptionType":"query","query":\#(query),"firesOn":["create"]}}]}"#
    )
    let filter = answer.json["subscriptions"][0]["query"]["filterBy"][0]
    #expect(filter["fieldValue"]["value"].number == 7, "\(answer.text)")
  }
}

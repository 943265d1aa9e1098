import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite struct WebServicesReaderTests {
  private func read(_ text: String, zoneID: ZoneID = .default) throws -> ResponseContents {
    try ResponseContents(Data(text.utf8), zoneID: zoneID)
  }

  private static let record = #"{"recordName":"a","recordType":"T","fields":{}}"#

  @Test(arguments: [
    ("bare record", record, 1),
    ("array of records", "[\(record),\(record)]", 2),
    ("records", #"{"records":[\#(record)]}"#, 1),
    ("batch", #"{"batch":[{"records":[\#(record)]},{"records":[\#(record),\#(record)]}]}"#, 3),
    ("batch of one", #"{"batch":{"records":[\#(record)]}}"#, 1),
    ("array of responses", #"[{"records":[\#(record)]},{"records":[]}]"#, 1),
    ("one after the other", "{\"records\":[\(record)]}\n \(record)\n[\(record)]\n", 3),
    ("nothing", #"{"records":[]}"#, 0),
    ("no change", #"{"syncToken":"t","moreComing":false}"#, 0),
  ])
  func `all wrappings are understood`(_ name: String, text: String, count: Int) throws {
    let records = try read(text).records
    #expect(records.count == count)
    #expect(records.allSatisfy { $0.recordID == RecordID(recordName: "a") })
  }

  @Test func `errors and deletions among records are told apart`() throws {
    let response = try read(
      """
      {"records":[\(Self.record),
       {"recordName":"b","reason":"not there","serverErrorCode":"NOT_FOUND","uuid":"u"},
       {"recordName":"c","deleted":true,"zoneID":{"zoneName":"Z","zoneType":"X"},"modified":{}},
       {"recordName":"d","serverErrorCode":"THROTTLED","retryAfter":30}]}
      """)
    #expect(response.records.count == 1)
    #expect(response.errors.map(\.error.code) == [.unknownItem, .requestRateLimited])
    #expect(response.errors[0].recordName == "b" && response.errors[0].error.message == "not there")
    #expect(response.errors[0].otherMembers.map(\.name) == ["uuid"])
    #expect(response.errors[1].error.retryAfterSeconds == 30)
    #expect(response.tombstones.map(\.recordID.recordName) == ["c"])
    #expect(response.tombstones[0].recordID.zoneID.zoneName == "Z")
    #expect(response.tombstones[0].otherMembers.map(\.name) == ["modified"])
    #expect(response.summary.recordZones.map(\.zoneID.zoneName) == ["Z", "_defaultZone"])
    for error in response.errors {
      #expect(try ResponseErrorItem(json: error.jsonValue()) == error)
    }
  }

  @Test func `an unknown member does not make another item of a record`() throws {
    let members = #""recordName":"r","recordType":"T","fields":{}"#
    let response = try read(#"{"records":[{\#(members),"serverErrorCode":"NOT_FOUND"}]}"#)
    #expect(response.records.map(\.recordID.recordName) == ["r"] && response.errors.isEmpty)
    for other in [#""record":{\#(members)}"#, #""errorCode":"NOT_FOUND""#] {
      let cktool = try ResponseContents(
        Data(#"{"records":[{"recordName":"a","recordType":"U","fields":{},\#(other)}]}"#.utf8),
        dialect: .cktool)
      #expect(cktool.records.map(\.recordID.recordName) == ["a"])
      #expect(cktool.items.count == 1)
    }
  }

  @Test func `an error in place of a response is an error item`() throws {
    let response = try read(
      #"{"uuid":"u","serverErrorCode":"AUTHENTICATION_FAILED","reason":"no","redirectURL":"r"}"#)
    #expect(response.errors.map(\.error.code) == [.notAuthenticated])
    #expect(response.errors.map(\.serverErrorCode) == ["AUTHENTICATION_FAILED"])
  }

  @Test func `the changes of several zones name their zones once`() throws {
    let response = try read(
      """
      {"zones":[
       {"records":[\(Self.record),{"recordName":"gone","deleted":true}],"moreComing":true,
        "syncToken":"t1","zoneID":{"zoneName":"A","ownerRecordName":"_o","zoneType":"X"}},
       {"zoneID":{"zoneName":"B"},"syncToken":"t2","records":[]},
       {"zoneID":{"zoneName":"C"},"serverErrorCode":"ZONE_NOT_FOUND","reason":"none"}]}
      """)
    let zone = ZoneID(zoneName: "A", ownerName: "_o")
    #expect(response.records.map(\.recordID.zoneID) == [zone])
    #expect(response.tombstones.map(\.recordID.zoneID) == [zone])
    #expect(response.zones.isEmpty)
    #expect(response.allZones.map(\.zoneID.zoneName) == ["B", "A"])
    #expect(response.allZones[1].otherMembers["zoneType"]?.text == "\"X\"")
    #expect(response.errors.map(\.zoneID?.zoneName) == ["C"])
    #expect(response.summary.pages.map(\.syncToken) == ["t1", "t2", nil])
    #expect(response.summary.pages.map(\.moreComing) == [true, false, false])
  }

  @Test func `zones that were deleted are told apart from those listed`() throws {
    let response = try read(
      """
      {"zones":[{"zoneID":{"zoneName":"A"},"syncToken":"t","atomic":true},
       {"zoneID":{"zoneName":"B"},"deleted":true}],"moreComing":false,"metaSyncToken":"m"}
      """)
    #expect(response.zones.map(\.zoneID.zoneName) == ["A"])
    #expect(response.zones[0].otherMembers.map(\.name) == ["atomic", "syncToken"])
    #expect(response.deletedZones.map(\.zoneName) == ["B"])
    #expect(response.summary.pages[0].otherMembers["metaSyncToken"]?.text == "\"m\"")
  }

  @Test func `subscriptions are read too`() throws {
    let response = try read(
      """
      {"subscriptions":[{"subscriptionID":"s","subscriptionType":"database"},
       {"subscriptionID":"t","serverErrorCode":"NOT_FOUND"}]}
      """)
    #expect(response.subscriptions.map(\.id) == ["s"])
    #expect(response.errors.count == 1)
  }

  @Test func `records without a zone lie in the zone that was asked for`() throws {
    let zone = ZoneID(zoneName: "Asked")
    let response = try read(
      """
      {"records":[{"recordName":"a","recordType":"T","fields":{"r":{"type":"REFERENCE",
       "value":{"recordName":"b","action":"NONE"}}}}]}
      """, zoneID: zone)
    #expect(response.records[0].recordID.zoneID == zone)
    #expect(
      response.records[0]["r"] == Reference(recordID: RecordID(recordName: "b", zoneID: zone)))
  }

  @Test(arguments: [
    (
      "", "byte 0: found the end of the text, expected a JSON value"
    ),
    (
      "5",
      "byte 0: found a number, expected a Web Services response: "
        + "an object, or an array of them"
    ),
    (
      "{}",
      "byte 0: found an object without 'records', 'zones', 'results', 'batch' or 'recordName', "
        + "expected a Web Services response, or a record"
    ),
    (
      #"{"batch":[5]}"#,
      "byte 10, at batch[0]: found a number, expected a Web Services response: "
        + "an object, or an array of them"
    ),
    (
      #"{"records":[]}}"#,
      "byte 14: found '}', expected a JSON value"
    ),
    (
      #"{"records":[],"records":[]}"#,
      "byte 14, at records: found a duplicate name, expected unique names"
    ),
  ])
  func `mistakes are named with their place`(_ text: String, message: String) {
    let error = #expect(throws: RecordCodingError.self) { try read(text) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    (#"{"records":{}}"#, "byte 11, at records: found an object, expected an array"),
    (#"{"records":[5]}"#, "byte 12, at records[0]: found a number, expected an object: a record"),
    (
      #"{"batch":[{"records":[{}]}]}"#,
      "byte 22, at batch[0].records[0]: found a record without 'recordName', "
        + "expected the member 'recordName'"
    ),
    (
      #"{"zones":[{"records":[],"zoneID":5}]}"#,
      "byte 33, at zones[0].zoneID: found a number, expected an object: a zone ID"
    ),
    (
      #"{"records":[],"moreComing":1}"#,
      "byte 27, at moreComing: found the number 1, expected true or false"
    ),
    (
      #"{"subscriptions":[{}]}"#,
      "byte 18, at subscriptions[0]: found a subscription without 'subscriptionID', "
        + "expected the member 'subscriptionID'"
    ),
  ])
  func `an item that cannot be read is reported with its place`(
    _ text: String, message: String
  ) throws {
    let response = try read(text + Self.record)
    #expect(response.unread.map(\.description) == [message])
    #expect(response.records.map(\.recordID.recordName) == ["a"])
  }

  @Test(arguments: [
    "null", "5", #"{"type":"INT64","value":1.0}"#, #"{"type":"BYTES","value":"?"}"#,
    #"{"type":"LOCATION","value":{"latitude":1}}"#,
    #"{"type":"REFERENCE","value":{"recordName":"","action":"NONE"}}"#,
    #"{"type":"INT64_LIST","value":["1",true]}"#,
  ])
  func `a record is read without a field that cannot be read`(_ field: String) throws {
    let fields = #"{"bad":\#(field),"good":{"type":"INT64","value":1}}"#
    let response = try read(
      #"{"records":[{"recordName":"a","recordType":"T","fields":\#(fields)},\#(Self.record)]}"#)
    #expect(response.records.map(\.recordID.recordName) == ["a", "a"])
    #expect(response.records[0].allKeys() == ["good"])
    #expect(response.unread.count == 1)
    #expect(response.unread[0].path.hasPrefix("records[0].fields.bad"))
  }

  @Test func `the value of an encrypted field does not appear in an error`() throws {
    let field = #"{"type":"INT64","isEncrypted":true,"value":"secret"}"#
    let response = try read(#"{"recordName":"a","recordType":"T","fields":{"f":\#(field)}}"#)
    #expect(response.unread.count == 1 && !"\(response.unread)".contains("secret"))
  }

  @Test func `numbers are read as texts where the type says that they are numbers`() throws {
    let response = try read(
      """
      {"recordName":"a","recordType":"T","fields":{
       "size":{"value":"9007199254740993","type":"INT64"},"rank":{"value":"2.5","type":"DOUBLE"},
       "sizes":{"value":["1","2"],"type":"INT64_LIST"},"text":{"value":"7","type":"STRING"},
       "untyped":{"value":"7"}}}
      """)
    #expect(response.unread.isEmpty)
    let record = try #require(response.records.first)
    #expect(record["size"] == 9_007_199_254_740_993 as Int64)
    #expect(record["rank"] == 2.5 && record["sizes"] == [1, 2] as [Int64])
    #expect(record["text"] == "7" && record["untyped"] == "7")
  }

  @Test func `more bytes than allowed are refused before they are read`() {
    let error = #expect(throws: RecordCodingError.self) {
      try ResponseContents(Data(count: ResponseContents.maxSize + 1))
    }
    #expect(error?.found == "67108865 bytes")
  }
}

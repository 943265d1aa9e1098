import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite struct CKToolDialectTests {
  private func read(_ text: String) throws -> ResponseContents {
    try ResponseContents(Data(text.utf8), dialect: .cktool)
  }

  private func value(_ field: String) throws -> RecordValue? {
    let contents = try read(
      #"{"recordName":"r","recordType":"T","fields":{"f":\#(field)}}"#)
    try #require(contents.unread.isEmpty, "\(contents.unread)")
    return contents.records.first?["f"]
  }

  /// Values as cktool prints them, and what they are.
  static let values: [(json: String, value: RecordValue)] = [
    (#"{"type":"stringType","value":"Treasure Island"}"#, .string("Treasure Island")),
    (#"{"type":"int64Type","value":304}"#, .int64(304)),
    (#"{"type":"int64Type","value":"-9007199254740993"}"#, .int64(-9_007_199_254_740_993)),
    (#"{"type":"doubleType","value":4.6}"#, .double(4.6)),
    (#"{"type":"doubleType","value":5}"#, .double(5)),
    (
      #"{"type":"timestampType","value":"1970-01-02T00:00:00.5Z"}"#,
      .timestamp(Date(timeIntervalSince1970: 86_400.5))
    ),
    (
      #"{"type":"timestampType","value":"1970-01-02 01:00"}"#,
      .timestamp(Date(timeIntervalSince1970: 90_000))
    ),
    (#"{"type":"bytesType","value":"AQI="}"#, .bytes(Data([1, 2]))),
    (
      #"{"type":"locationType","value":{"latitude":1.5,"longitude":-2,"#
        + #""timestamp":"1970-01-01T00:00:01Z"}}"#,
      .location(
        Location(latitude: 1.5, longitude: -2, timestamp: Date(timeIntervalSince1970: 1)))
    ),
    (
      #"{"type":"referenceType","value":{"recordName":"a","action":"DELETE_SELF","#
        + #""zone":{"zoneName":"Z","ownerRecordName":"_o"}}}"#,
      .reference(
        Reference(
          recordID: RecordID(
            recordName: "a", zoneID: ZoneID(zoneName: "Z", ownerName: "_o")), action: .deleteSelf))
    ),
    (
      #"{"type":"assetType","value":{"size":"3","fileChecksum":"c","downloadUrl":"https://x"}}"#,
      .asset(Asset(size: 3, fileChecksum: "c", downloadURL: "https://x"))
    ),
    (#"{"type":"stringListType","value":["a","b"]}"#, .stringList(["a", "b"])),
    (#"{"type":"int64ListType","value":[1,"2"]}"#, .int64List([1, 2])),
    (#"{"type":"doubleListType","value":[1,2.5]}"#, .doubleList([1, 2.5])),
    (
      #"{"type":"timestampListType","value":["1970-01-01"]}"#,
      .timestampList([Date(timeIntervalSince1970: 0)])
    ),
    (#"{"type":"bytesListType","value":["","AQ=="]}"#, .bytesList([Data(), Data([1])])),
    (
      #"{"type":"assetListType","value":[{"downloadUrl":"u"}]}"#,
      .assetList([Asset(downloadURL: "u")])
    ),
    (#"{"type":"emptyListType","value":[]}"#, .emptyList),
    (
      #"{"type":"marvelType","value":[1]}"#,
      .unknown(type: "marvelType", json: RawJSON(compact: "[1]"))
    ),
    (#"{"value":7}"#, .int64(7)),
  ]

  @Test("every type of value is read", arguments: values)
  func readValue(_ json: String, _ value: RecordValue) throws {
    #expect(try self.value(json) == value)
  }

  @Test func `a record is read with its system fields under the names of the model`() throws {
    let contents = try read(
      """
      {"continuationToken":"next","records":[{"recordName":"r","recordType":"T",
       "recordChangeTag":"2a","shortGuid":"g","otherSystemFields":{"x":1},"stableUrl":{"id":"i"},
       "created":{"timestamp":"1970-01-01T00:00:01Z","userRecordName":"_u","deviceId":"d"},
       "modified":{"timestamp":2000,"userRecordName":"_v"},
       "parent":{"recordName":"p","zone":{"zoneName":"Z","ownerRecordName":"_o"}},"share":null,
       "zone":{"zoneName":"Z","canonicalName":"c","ownerRecordName":"_o","zoneType":"X"},
       "fields":{}}]}
      """)
    let zone = ZoneID(zoneName: "Z", ownerName: "_o")
    let fields = try #require(contents.records.first).systemFields
    #expect(fields.recordID == RecordID(recordName: "r", zoneID: zone))
    #expect(fields.recordChangeTag == "2a")
    #expect(
      fields.created
        == RecordStamp(
          date: Date(timeIntervalSince1970: 1), userRecordName: "_u", deviceID: "d"))
    #expect(fields.modificationDate == Date(timeIntervalSince1970: 2))
    #expect(fields.parent?.recordID == RecordID(recordName: "p", zoneID: zone))
    #expect(fields.otherMembers.map(\.name) == ["otherSystemFields", "shortGUID", "stableUrl"])
    #expect(contents.isIncomplete)
    #expect(contents.allZones.first?.otherMembers.map(\.name) == ["canonicalName", "zoneType"])
  }

  @Test func `results of a lookup are records, errors and deletions`() throws {
    let contents = try read(
      """
      [{"recordResults":[
        {"type":"existing","recordName":"a",
         "record":{"recordName":"a","recordType":"T","fields":{}}},
        {"type":"error","recordName":"b","errorCode":"NOT_FOUND","message":"gone"},
        {"type":"deleted","recordName":"c"},{"type":"mystery","recordName":"d"}]},
       {"recordName":"e","recordType":"T","fields":{}}]
      """)
    #expect(contents.records.map(\.recordID.recordName) == ["a", "e"])
    #expect(contents.errors.map(\.recordName) == ["b"])
    #expect(contents.errors.first?.error.code == .unknownItem)
    #expect(contents.tombstones.map(\.recordID.recordName) == ["c"])
    #expect(contents.unread.map(\.path) == ["recordResults[3]"])
    #expect(contents.unread.first?.found.contains("mystery") == true)
  }

  @Test func `an encrypted field is known by either mark, and its value is not shown`() throws {
    let contents = try read(
      """
      {"recordName":"r","recordType":"T","fields":{
       "a":{"type":"encryptedStringType","value":"s"},
       "b":{"type":"timestampType","isEncrypted":true,"value":"secret"},
       "c":{"type":"encryptedInt64ListType","value":[1]}}}
      """)
    let record = try #require(contents.records.first)
    #expect(record.fields.map(\.name) == ["a", "c"])
    let areEncrypted = record.fields.allSatisfy(\.isEncrypted)
    #expect(areEncrypted)
    #expect(record.fields.last?.value == .int64List([1]))
    let error = try #require(contents.unread.first)
    #expect(error.path == "fields.b.value" && error.found == "a string")
  }

  /// What one record has that cannot be read, and where that is said.
  static let faults: [(member: String, path: String)] = [
    (#""fields":{"f":{"type":"int64Type","value":"many"}}"#, "fields.f.value"),
    (#""fields":{"f":{"type":"assetType","value":"COVER_1"}}"#, "fields.f.value"),
    (#""fields":{"f":{"type":"timestampListType","value":["x"]}}"#, "fields.f.value[0]"),
    (
      #""fields":{"f":{"type":"locationType","value":{"latitude":1,"longitude":2,"#
        + #""timestamp":true}}}"#, "fields.f.value.timestamp"
    ),
    (#""fields":[]"#, "fields"), (#""created":{"timestamp":"yesterday"}"#, "created.timestamp"),
  ]

  @Test(
    "a part that cannot be read is named, and the rest is there", arguments: faults)
  func unreadPart(_ member: String, _ path: String) throws {
    let contents = try read(
      #"{"records":[{"recordName":"r","recordType":"T",\#(member)}]}"#)
    #expect(contents.unread.map(\.path) == ["records[0].\(path)"])
    let hasPlace = contents.unread.allSatisfy { $0.offset != nil }
    #expect(hasPlace)
    #expect(contents.records.map(\.recordID.recordName) == ["r"])
  }

  @Test func `a record without a name or with two zones is named, and the others are there`()
    throws
  {
    let contents = try read(
      """
      {"records":[{"recordType":"T"},{"recordName":"r","recordType":"T",
       "zone":{"zoneName":"Z"},"zoneID":{"zoneName":"Y"}},{"recordName":"s","recordType":"T"}]}
      """)
    #expect(contents.unread.map(\.path) == ["records[0]", "records[1].zone"])
    #expect(contents.records.map(\.recordID.recordName) == ["s"])
  }

  @Test(
    "what cktool does not print is refused",
    arguments: ["7", "[7]", #"{"fields":{}}"#, #"{"records":7}"#, #"{"records":[{]}"#, ""])
  func refused(_ text: String) {
    #expect(throws: RecordCodingError.self) { try read(text) }
  }

  // MARK: Writing

  @Test func `records are not written as cktool prints them`() {
    let error = #expect(throws: RecordCodingError.self) { try ResponseStream(.cktool) { _ in } }
    #expect(error?.expected == "'web-services' or 'canopy'")
  }
}

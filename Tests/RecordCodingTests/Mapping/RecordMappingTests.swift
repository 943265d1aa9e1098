import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite struct RecordMappingTests {
  @Test func `random records come back equal, and as the same bytes as the fast writer's`() throws {
    var model = RandomModel(seed: 11)
    let writer = RecordJSONWriter()
    let reader = RecordJSONReader()
    let buffer = ByteBuffer()
    for _ in 0..<300 {
      let record = model.record()
      buffer.reset()
      try writer.write(record, to: buffer)
      let tree = try record.jsonValue()
      #expect(
        tree.compactText.utf8.elementsEqual(String(decoding: buffer.bytes, as: UTF8.self).utf8))
      #expect(try ResultRecord(json: JSONParser.parse(buffer.bytes)) == record)
      // Names with escapes are left to the tree.
      let fast = reader.readCanonical(buffer.bytes)
      #expect(fast == record || buffer.bytes.contains(UInt8(ascii: "\\")))
      #expect(try reader.read(buffer.bytes) == record)
    }
  }

  @Test func `another order of members and white space make no difference`() throws {
    var model = RandomModel(seed: 12)
    model.raw = { .integer(Int.random(in: 0...9, using: &$0)) }
    for _ in 0..<200 {
      let record = model.record()
      let text = try record.jsonValue().disordered(using: &model.random)
      #expect(try ResultRecord(json: JSONParser.parse(text)) == record)
    }
  }

  @Test func `the fast reader and the tree never disagree about changed bytes`() throws {
    var model = RandomModel(seed: 13)
    let reader = RecordJSONReader()
    var accepted = 0
    for _ in 0..<300 {
      let original = Array(try model.record().jsonValue().compactText.utf8)
      for _ in 0..<20 {
        var bytes = original
        let place = Int.random(in: 0..<bytes.count, using: &model.random)
        bytes[place] = bytes.randomElement(using: &model.random) ?? 0
        try bytes.withUnsafeBytes { bytes in
          guard let fast = reader.readCanonical(bytes) else { return }
          accepted += 1
          let tree = try ResultRecord(json: JSONParser.parse(bytes))
          #expect(tree == fast, "\(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
    #expect(accepted > 100)
  }

  @Test(arguments: [
    (#"{"type":"ENCRYPTED_INT64","value":1}"#, #"{"type":"INT64","isEncrypted":true,"value":1}"#),
    (#"{"type":"ASSETID","value":{"size":1}}"#, #"{"type":"ASSET","value":{"size":1}}"#),
    (#"{"type":"NUMBER_INT64","value":1}"#, #"{"type":"INT64","value":1}"#),
    (#"{"type":"FUTURE","value":null}"#, #"{"type":"FUTURE","value":null}"#),
    (#"{"type":"LIST","value":[1,"a"]}"#, #"{"type":"LIST","value":[1,"a"]}"#),
    (#"{"type":"","value":[1,"a"]}"#, #"{"type":"","value":[1,"a"]}"#),
    (
      #"{"type":"STRING","value":null,"more":1}"#, #"{"type":"STRING","value":null,"more":1}"#
    ),
  ])
  func `both readers take a server's spelling in canonical layout alike`(
    _ field: String, canonical: String
  ) throws {
    func text(_ field: String) -> String {
      #"{"zoneID":{"zoneName":"Z","ownerRecordName":"o"},"recordType":"T","recordName":"r","#
        + #""fields":{"f":\#(field)}}"#
    }
    let record = try Array(text(field).utf8).withUnsafeBytes { try RecordJSONReader().read($0) }
    #expect(try record == ResultRecord(json: JSONParser.parse(text(field))))
    #expect(try record.jsonValue().compactText == text(canonical))
    #expect(record.fields.count == 1)
  }

  @Test(arguments: ["kind", "database", "deleted"])
  func `members that a line has for itself are not taken for unknown ones`(_ name: String) {
    let text =
      #"{"zoneID":{"zoneName":"Z","ownerRecordName":"o"},"recordType":"T","recordName":"r","#
      + #""fields":{},"\#(name)":"x"}"#
    #expect(throws: RecordCodingError.self) {
      try Array(text.utf8).withUnsafeBytes { try RecordJSONReader().read($0) }
    }
  }

  @Test func `every beginning of a record is refused`() throws {
    var model = RandomModel(seed: 14)
    for _ in 0..<10 {
      let bytes = Array(try model.record().jsonValue().compactText.utf8)
      for length in 0..<bytes.count {
        #expect(throws: RecordCodingError.self) {
          try bytes[..<length].withUnsafeBytes { try ResultRecord(json: JSONParser.parse($0)) }
        }
      }
    }
  }

  @Test func `numbers that JSON cannot hold are refused by name of the field`() throws {
    let record = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "a"), recordType: "T"),
      fields: [Field(name: "list", value: .doubleList([1, .infinity]))])
    let error = #expect(throws: RecordCodingError.self) { try record.jsonValue() }
    #expect(error?.path == "fields.list.value[1]")
    #expect(error?.found == "a double that is not finite")
  }

  @Test func `a field without a value is no field`() throws {
    let record = try ResultRecord(
      json: JSONParser.parse(
        """
        {"recordName":"a","recordType":"T","fields":{"a":{},"b":{"value":null},
        "c":{"type":"STRING","value":null},"d":{"type":"STRING"},"e":null,"f":{"value":"x"}}}
        """.replacing(#""e":null,"#, with: "")))
    #expect(record.allKeys() == ["f"])
    #expect(record.recordID.zoneID == .default)
  }

  @Test(arguments: [
    ("1", RecordValue.int64(1)), ("1.5", .double(1.5)), ("-0", .double(-0.0)),
    ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("\"t\"", .string("t")),
    ("true", .int64(1)), ("[]", .emptyList), ("[1,2]", .int64List([1, 2])),
    ("[1,2.5]", .doubleList([1, 2.5])), ("[\"a\"]", .stringList(["a"])),
    ("[true,false]", .int64List([1, 0])),
    ("{\"latitude\":1,\"longitude\":2}", .location(Location(latitude: 1, longitude: 2))),
    (
      "{\"recordName\":\"r\",\"action\":\"NONE\"}",
      .reference(Reference(recordID: RecordID(recordName: "r")))
    ),
    ("{\"fileChecksum\":\"f\",\"size\":3}", .asset(Asset(size: 3, fileChecksum: "f"))),
    ("[1,\"a\"]", .unknown(type: "", json: RawJSON(compact: "[1,\"a\"]"))),
    ("{\"a\":[1]}", .unknown(type: "", json: RawJSON(compact: "{\"a\":[1]}"))),
  ])
  func `a missing type is told from the value`(_ json: String, value: RecordValue) throws {
    #expect(try RecordValue(json: JSONParser.parse("{\"value\":\(json)}")) == value)
    if json.first == "[" {
      let list = try RecordValue(json: JSONParser.parse("{\"type\":\"LIST\",\"value\":\(json)}"))
      #expect(list.type == value.type)
    }
  }

  @Test(arguments: [
    ("ENCRYPTED_BYTES", "\"AQI=\"", RecordValue.bytes(Data([1, 2])), true),
    ("ENCRYPTED_STRING_LIST", "[\"a\"]", .stringList(["a"]), true),
    ("ENCRYPTED_NUMBER_INT64", "5", .int64(5), true),
    ("ASSETID", "{\"size\":1}", .asset(Asset(size: 1)), false),
    ("ASSETID_LIST", "[{\"size\":1}]", .assetList([Asset(size: 1)]), false),
    ("NUMBER_INT64", "7", .int64(7), false),
    ("NUMBER_DOUBLE", "7", .double(7), false),
    ("NUMBER_INT64_LIST", "[7]", .int64List([7]), false),
    ("NUMBER", "7", .int64(7), false),
    ("NUMBER", "7.5", .double(7.5), false),
    ("NUMBER_LIST", "[7.5]", .doubleList([7.5]), false),
    ("UNKNOWN_LIST", "[]", .emptyList, false),
    ("EMPTY_LIST", "[]", .emptyList, false),
    ("FUTURE", "[ 1 ]", .unknown(type: "FUTURE", json: RawJSON(compact: "[1]")), false),
    (
      "UNKNOWN_LIST", "[1]", .unknown(type: "UNKNOWN_LIST", json: RawJSON(compact: "[1]")), false
    ),
  ])
  func `other spellings of types are understood`(
    _ type: String, json: String, value: RecordValue, isEncrypted: Bool
  ) throws {
    let field = try Field(
      name: "f", json: JSONParser.parse("{\"value\":\(json),\"type\":\"\(type)\"}"),
      DecodingContext())
    #expect(field?.value == value)
    #expect(field?.isEncrypted == isEncrypted)
  }

  @Test func `system fields stand alone, with the archive they came from`() throws {
    var model = RandomModel(seed: 15)
    for _ in 0..<100 {
      var fields = model.systemFields()
      fields.archive = model.maybe { $0.data() }
      let text = try fields.jsonValue().compactText
      #expect(try SystemFields(json: JSONParser.parse(text)) == fields)
    }
  }

  @Test func `drafts keep their changes and their base`() throws {
    var model = RandomModel(seed: 16)
    for round in 0..<100 {
      var draft =
        round % 3 == 0
        ? DraftRecord(systemFields: model.systemFields())
        : round % 3 == 1
          ? DraftRecord(model.record()) : DraftRecord(recordType: "T", recordID: model.recordID())
      for name in ["field0", "field2", "new"] where model.chance(60) {
        draft.setField(
          name, to: model.maybe { $0.value() }, isEncrypted: model.chance(30))
      }
      if model.chance(30) { draft.setField("gone", to: .int64(1)) }
      if model.chance(30) { draft.setField("gone", to: nil) }
      draft.parent = model.maybe { $0.reference() }
      let again = try DraftRecord(json: JSONParser.parse(draft.jsonValue().compactText))
      #expect(again == draft)
      #expect(again.changedKeys() == draft.changedKeys())
    }
  }
}

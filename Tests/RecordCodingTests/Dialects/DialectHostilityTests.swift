import Foundation
import RecordModel
import Testing

@testable import RecordCoding

/// Untrusted bytes in any dialect end in items or an error.
@Suite struct DialectHostilityTests {
  private func read(_ data: Data, _ dialect: ResponseDialect) throws -> ResponseContents {
    try ResponseContents(data, dialect: dialect)
  }

  @Test("damaged responses are refused, or read and written", arguments: ResponseDialect.written)
  func damaged(_ dialect: ResponseDialect) throws {
    var model = RandomModel(seed: 42)
    let (page, _) = try DialectRoundTripTests.page((0..<3).map { _ in model.record() }, dialect)
    var refused = 0
    for _ in 0..<350 {
      var bytes = page
      for _ in 0..<Int.random(in: 1...3, using: &model.random) {
        let place = Int.random(in: 0..<bytes.count, using: &model.random)
        switch Int.random(in: 0..<4, using: &model.random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &model.random)
        case 1: bytes[place] = #"{}[]",:0"#.utf8.randomElement(using: &model.random) ?? 0
        case 2: bytes.removeSubrange(place..<min(place + 9, bytes.count))
        default: bytes = bytes.prefix(max(1, place))
        }
        bytes = Data(bytes)
      }
      do {
        let records = try read(bytes, dialect).records
        let (written, _) = try DialectRoundTripTests.page(records, dialect)
        let back = try read(written, dialect)
        #expect(back.unread.isEmpty && back.records.count == records.count)
        let (again, _) = try DialectRoundTripTests.page(back.records, dialect)
        #expect(again == written)
      } catch is RecordCodingError {
        refused += 1
      }
    }
    #expect(refused > 200)
  }

  @Test("any JSON is read or refused", arguments: ResponseDialect.allCases)
  func anyJSON(_ dialect: ResponseDialect) throws {
    var random = SeededGenerator(43)
    let names = [
      "records", "recordResults", "record", "recordName", "recordType", "fields", "zone", "created",
      "timestamp", "type", "value", "backingValue", "recordID", "valuesStore", "key", "success",
      "data", "deletedRecordIDs", "typeString", "recordIDArchive", "failure", "savedZones",
    ]
    func value(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
      case 0: "null"
      case 1: "1"
      case 2: #""AAAA""#
      case 3:
        [#""stringType""#, #""mock""#, #""ckRecord""#, #""array""#][
          Int.random(in: 0..<4, using: &random)]
      case 4: "true"
      case 5: "[\((0..<3).map { _ in value(depth - 1) }.joined(separator: ","))]"
      default:
        "{"
          + names.shuffled(using: &random).prefix(4).map { "\"\($0)\":\(value(depth - 1))" }
          .joined(separator: ",") + "}"
      }
    }
    var withItems = 0
    for _ in 0..<1000 {
      do {
        let contents = try read(Data("{\"records\":[\(value(4))]}".utf8), dialect)
        withItems += contents.items.isEmpty ? 0 : 1
      } catch is RecordCodingError {}
    }
    #expect(withItems > 0 || dialect == .webServices)
  }

  @Test("nesting does not overflow the stack", arguments: ResponseDialect.allCases)
  func nesting(_ dialect: ResponseDialect) {
    for text in ["[", #"{"_0":"#, #"{"success":["#, #"{"records":["#, #"{"record":"#] {
      let data = Data(String(repeating: text, count: 100_000).utf8)
      #expect(throws: RecordCodingError.self) { try read(data, dialect) }
    }
  }

  /// One text, and a list that refers to it so often.
  private static func record(_ count: Int) -> String {
    let text = KeyedArchiveContent.string(String(repeating: "x", count: 64 << 10))
    let values = KeyedArchiveContent.object(
      class: ["NSDictionary", "NSObject"],
      members: [
        ("NS.keys", .list([.string("f")])),
        ("NS.objects", .list([.array(Array(repeating: text, count: count))])),
      ])
    let record = KeyedArchiveContent.object(
      class: ["CKRecord", "NSObject"],
      members: [
        ("RecordType", .string("T")), ("RecordID", .recordID(RecordID(recordName: "r"))),
        (
          "ValueStore",
          .object(class: ["CKRecordValueStore", "NSObject"], members: [("RecordValues", values)])
        ),
      ])
    return #"{"type":"ckRecord","backingValue":"\#(CanopyDialectTests.archive(record))"}"#
  }

  @Test func `an archive that refers to one long text many times does not fill memory`() throws {
    let fine = try read(Data(Self.record(2).utf8), .canopy)
    #expect(fine.unread.isEmpty && fine.records.count == 1)
    let large = Self.record(300)
    #expect(large.utf8.count < 200 << 10)
    let contents = try read(Data(large.utf8), .canopy)
    #expect(contents.records.isEmpty)
    #expect(contents.unread.first?.expected == "at most 16777216")
    let many = Array(repeating: Self.record(200), count: 21).joined(separator: ",")
    let error = #expect(throws: RecordCodingError.self) {
      try read(Data("[\(many)]".utf8), .canopy)
    }
    #expect(error?.found == "archives with more than 256 MiB of values")
  }

  @Test func `a list of deletions that share one long name does not fill memory`() throws {
    let id = RecordID(recordName: String(repeating: "x", count: 64 << 10))
    let ids = KeyedArchiveContent.array(Array(repeating: .recordID(id), count: 200))
    let result = #"{"deletedRecordIDs":"\#(CanopyDialectTests.archive(ids))"}"#
    #expect(try read(Data(result.utf8), .canopy).tombstones.count == 200)
    let many = Array(repeating: result, count: 21).joined(separator: ",")
    let error = #expect(throws: RecordCodingError.self) {
      try read(Data("[\(many)]".utf8), .canopy)
    }
    #expect(error?.found == "archives with more than 256 MiB of values")
  }

  @Test("a file of another kind does not fill memory with errors")
  func unreadParts() throws {
    let numbers = Array(repeating: "7", count: 100_001).joined(separator: ",")
    for (text, dialect) in [
      ("[\(numbers)]", ResponseDialect.canopy), (#"{"records":[\#(numbers)]}"#, .cktool),
    ] {
      let error = #expect(throws: RecordCodingError.self) { try read(Data(text.utf8), dialect) }
      #expect(error?.found == "more than 100000 parts that cannot be read")
    }
  }

  @Test func `an empty name in an archive is no record`() throws {
    for id in [
      RecordID(recordName: ""), RecordID(recordName: "r", zoneID: ZoneID(zoneName: "")),
    ] {
      let archive = CanopyDialectTests.archive(.recordID(id))
      let contents = try read(
        Data(#"{"recordType":"T","recordID":"\#(archive)","valuesStore":[]}"#.utf8), .canopy)
      #expect(contents.records.isEmpty && contents.unread.first?.found == "an empty name")
    }
  }
}

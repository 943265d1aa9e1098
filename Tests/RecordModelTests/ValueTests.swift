import Foundation
import RecordModel
import Testing

@Suite struct ValueTests {
  @Test("an empty array is an empty list of its elements' type")
  func emptyArrays() {
    #expect([String]().recordValue == .stringList([]))
    #expect([Int64]().recordValue == .int64List([]))
    #expect([Int]().recordValue == .int64List([]))
    #expect([Bool]().recordValue == .int64List([]))
    #expect([Double]().recordValue == .doubleList([]))
    #expect([Float]().recordValue == .doubleList([]))
    #expect([Date]().recordValue == .timestampList([]))
    #expect([Data]().recordValue == .bytesList([]))
    #expect([Location]().recordValue == .locationList([]))
    #expect([Reference]().recordValue == .referenceList([]))
    #expect([Asset]().recordValue == .assetList([]))
    #expect([RecordValue]().recordValue == .emptyList)
  }

  @Test("equality compares values, doubles and dates bit for bit, texts scalar by scalar")
  func equality() {
    #expect(RecordValue.double(0) != .double(-0.0))
    #expect(RecordValue.string("\u{e9}") != .string("e\u{301}"))
    #expect(RecordValue.stringList([]) != .emptyList)
    #expect(RecordValue.int64(1) != .double(1))
    #expect(
      RecordValue.location(Location(latitude: 0, longitude: 1))
        != .location(Location(latitude: -0.0, longitude: 1)))
    #expect(RecordValue.doubleList([1, 0]) != .doubleList([1, -0.0]))
    let first = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "a"), recordType: "T"),
      fields: [Field(name: "b", value: .int64(1)), Field(name: "a", value: .int64(2))])
    let second = ResultRecord(
      systemFields: first.systemFields,
      fields: [Field(name: "a", value: .int64(2)), Field(name: "b", value: .int64(1))])
    #expect(first == second && first.hashValue == second.hashValue)
    #expect(first.allKeys() == ["a", "b"])
    let third = ResultRecord(
      systemFields: first.systemFields,
      fields: [
        Field(name: "a", value: .int64(2)), Field(name: "b", value: .int64(1), isEncrypted: true),
      ])
    #expect(first != third)
  }

  @Test("of two fields with one name the later counts")
  func duplicates() {
    let record = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "a"), recordType: "T"),
      fields: [
        Field(name: "x", value: .int64(1)), Field(name: "y", value: .int64(2)),
        Field(name: "x", value: .int64(3)),
      ])
    #expect(record.allKeys() == ["x", "y"])
    #expect(record["x"] as? Int == 3)
  }

  @Test(
    "record names are kept as they are, packed or not",
    arguments: [
      "fb304340-09f0-5c03-22bc-c6b4b06910d1", "FB304340-09F0-5C03-22BC-C6B4B06910D1",
      "00000000-0000-0000-0000-000000000000", "fB304340-09f0-5c03-22bc-c6b4b06910d1",
      "fb304340-09f0-5c03-22bc-c6b4b06910dg", "fb304340009f0-5c03-22bc-c6b4b06910d1", "", "x",
      "fb304340-09f0-5c03-22bc-c6b4b06910d1 ", "é304340-09f0-5c03-22bc-c6b4b06910d1",
    ])
  func names(name: String) {
    let recordID = RecordID(recordName: name)
    #expect(recordID.recordName == name)
    #expect(recordID == RecordID(recordName: name))
    #expect(recordID != RecordID(recordName: name + "y"))
    #expect(recordID != RecordID(recordName: name, zoneID: ZoneID(zoneName: "Z")))
  }

  @Test("every value type has a list type but the lists")
  func types() {
    for type in ValueType.allCases {
      if let list = type.listType {
        #expect(list.elementType == type && list.isList && !type.isList)
      } else {
        #expect(type.isList)
      }
    }
    let values: [RecordValue] = [
      .string(""), .int64(1), .double(1), .timestamp(Date(timeIntervalSinceReferenceDate: 0)),
      .bytes(Data()), .location(Location(latitude: 0, longitude: 0)),
      .reference(Reference(recordID: RecordID(recordName: "r"))), .asset(Asset()),
    ]
    for value in values {
      let type = value.type
      #expect(
        type.flatMap { RecordValue(list: [value, value], of: $0) }?.elements == [value, value])
      #expect(type.flatMap { RecordValue(list: [], of: $0) }?.type == type?.listType)
    }
    #expect(RecordValue(list: [.int64(1), .string("")], of: .int64) == nil)
  }

  @Test("no description shows an encrypted value")
  func descriptions() {
    let record = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "a"), recordType: "T"),
      fields: [Field(name: "s", value: .string("hidden"), isEncrypted: true)])
    #expect(!"\(record)".contains("hidden"))
    #expect(!"\(record.fields.first.map { "\($0)" } ?? "")".contains("hidden"))
  }

  @Test("no description reorders the text around it")
  func directions() {
    let field = Field(name: "a\u{202E}", value: .stringList(["x\u{2066}y\"", "é\n"]))
    #expect("\(field)" == #"a\u202e: ["x\u2066y\"", "é\n"]"#)
    #expect("\(RecordValue.unknown(type: "\u{200F}", json: .null))".contains(#""\u200f""#))
  }

  @Test("stamps and deletions compare their dates bit for bit, as values do")
  func exactDates() {
    let dates = [0.0, -0.0].map { Date(timeIntervalSinceReferenceDate: $0) }
    #expect(RecordStamp(date: dates[0]) != RecordStamp(date: dates[1]))
    #expect(RecordStamp(date: dates[1]) == RecordStamp(date: dates[1]))
    let deleted = dates.map {
      DeletedRecord(recordID: RecordID(recordName: "a"), deletionDate: $0)
    }
    #expect(deleted[0] != deleted[1])
    let fields = dates.map {
      SystemFields(
        recordID: RecordID(recordName: "a"), recordType: "T", created: RecordStamp(date: $0))
    }
    #expect(fields[0] != fields[1])
  }

  @Test("databases and zones sort as they do in a bundle")
  func order() {
    #expect(DatabaseScope.allCases.sorted() == [.public, .private, .shared])
    let zones = [
      ZoneID(zoneName: "b"), ZoneID(zoneName: "a", ownerName: "z"), ZoneID(zoneName: "B"),
      ZoneID(zoneName: "c", ownerName: "_x"),
    ]
    // What belongs to one account lies together: owners come first.
    #expect(zones.sorted().map(\.zoneName) == ["B", "b", "c", "a"])
  }

  @Test("every error of CloudKit has a name and a number")
  func codes() {
    #expect(CloudError.Code(rawValue: 14) == .serverRecordChanged)
    #expect(CloudError.Code.zoneNotFound.name == "zoneNotFound")
    #expect(
      "\(CloudError(.unknownItem, "Record not found"))" == "unknownItem (11): Record not found")
  }
}

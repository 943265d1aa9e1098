// Imports what an app's tests import: Foundation and XCTest declare other overloads.
#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import Foundation
import MockCloud
import Testing
import XCTest

/// The forms in which apps read and write the fields of a record: each compiles without ambiguity.
@Suite struct FieldFormTests {
  private struct Note {
    var title: String
    var count: Int?
  }

  @Test func literalsAndVariablesAreStored() {
    let record = CKRecord(recordType: "Note")
    let (text, number, flag, data) = ("b", 7, true, Data([1]))
    let date = Date(timeIntervalSince1970: 5)
    record["literal"] = "a"
    record["text"] = text
    record["number"] = number
    record["negative"] = -3
    record["ratio"] = 0.5
    record["flag"] = flag
    record["data"] = data
    record["date"] = date
    record["list"] = ["a", "b"]
    record["numbers"] = [1, 2]
    record["cast"] = "c" as CKRecordValue
    record["castNumber"] = 3 as CKRecordValue
    record["castList"] = ["x"] as CKRecordValue
    record["castDate"] = date as CKRecordValue
    record["object"] = NSString(string: "d")
    record["objectNumber"] = 5 as NSNumber
    record["objectList"] = ["y"] as NSArray
    record["place"] = CLLocation(latitude: 1, longitude: 2)
    record["asset"] = CKAsset(fileURL: URL(fileURLWithPath: "/photo"))
    record["link"] = CKRecord.Reference(recordID: record.recordID, action: .none)
    record.setObject("e" as NSString, forKey: "set")
    record.setObject(4 as CKRecordValue, forKey: "setNumber")
    record.setValue("f", forKey: "coded")
    record.setValue(6, forKey: "codedNumber")
    #expect(record["literal"] as? String == "a")
    #expect(record["text"] == text)
    #expect(record["number"] as? Int == 7)
    #expect(record["negative"] as? Int64 == -3)
    #expect(record["ratio"] as? Double == 0.5)
    #expect(record["flag"] as? Bool == true)
    #expect(record["data"] as? Data == data)
    #expect(record["date"] as? Date == date)
    #expect(record["list"] as? [String] == ["a", "b"])
    #expect(record["numbers"] as? [Int] == [1, 2])
    #expect(record["cast"] as? String == "c")
    #expect(record["castNumber"] as? Int == 3)
    #expect(record["castList"] as? [String] == ["x"])
    #expect(record["castDate"] as? Date == date)
    #expect(record["object"] as? NSString == "d")
    #expect(record["objectNumber"] as? NSNumber == 5)
    #expect((record["place"] as? CLLocation)?.coordinate.latitude == 1)
    #expect((record["asset"] as? CKAsset)?.fileURL?.path == "/photo")
    #expect((record["link"] as? CKRecord.Reference)?.recordID == record.recordID)
    #expect(record.object(forKey: "set") as? String == "e")
    #expect(record.value(forKey: "coded") as? String == "f")
    #expect(record.value(forKey: "codedNumber") as? Int == 6)
    #expect(record.value(forKey: "recordID") as? CKRecord.ID == record.recordID)
  }

  @Test func optionalsAndNilAreStored() {
    let record = CKRecord(recordType: "Note")
    let note = Note(title: "a", count: nil)
    record["title"] = note.title
    record["count"] = note.count
    record["title"] = nil
    record["other"] = Optional("x")
    #expect(record["title"] == nil)
    #expect(record["count"] as? Int == nil)
    #expect(record["other"] != nil)
    let title: String? = record["title"]
    let other: String? = record["other"]
    let text = record["other"] as? String ?? ""
    let count = record["count"] as? Int ?? 4
    #expect(title == nil && other == "x" && text == "x" && count == 4)
    if let other = record["other"] as? String { #expect(other == "x") }
    guard let value: String = record["other"] else { return #expect(Bool(false)) }
    XCTAssertEqual(record["other"] as? String, value)
    XCTAssertEqual(record["other"], value)
    XCTAssertNil(record["title"])
    #expect(record.changedKeys() == ["count", "other", "title"])
  }

  @Test func encryptedValuesHaveTheSameForms() {
    let record = CKRecord(recordType: "Note")
    record.encryptedValues["a"] = "x"
    record.encryptedValues["b"] = 2
    record.encryptedValues["c"] = "y" as CKRecordValue
    #expect(record.encryptedValues["a"] as? String == "x")
    #expect(record.encryptedValues["b"] == 2)
    #expect(record.encryptedValues["c"] as? String == "y")
    #expect(record.encryptedValues["d"] == nil)
  }

  @Test func valuesOfAnyTypeAreCast() throws {
    let values: [Any] = [
      "a", 1, Int64(2), 0.5, true, Date(), Data([1]), ["a"], [1, 2], "b" as NSString,
      CLLocation(latitude: 1, longitude: 2),
    ]
    let record = CKRecord(recordType: "Note")
    for (index, value) in values.enumerated() {
      record["f\(index)"] = try #require(value as? CKRecordValue)
    }
    #expect(record.allKeys().count == values.count)
    #expect((URL(string: "a:b") as Any) as? CKRecordValue == nil)
    #expect(record["f0"] is NSString && record["f1"] is NSNumber && record["f7"] is NSArray)
  }

  @Test func aDictionaryFillsARecord() {
    let values: [String: any CKRecordValueProtocol] = ["a": "x", "b": 1]
    let record = CKRecord(recordType: "Note")
    for (key, value) in values { record[key] = value }
    let objects: [String: any CKRecordValue] = ["c": "y" as CKRecordValue]
    for (key, value) in objects { record[key] = value }
    #expect(record.allKeys() == ["a", "b", "c"])
  }

  /// Apple's framework raises an exception for them.
  @Test func aValueOfAnotherTypeIsAFailureAndNotStored() {
    let failures = CallLog()
    let scope = TestScope(container: { try MockContainer.inMemory() }) { failures.add($0) }
    TestScope.$current.withValue(scope) {
      let record = CKRecord(recordType: "Note")
      record["kept"] = "a"
      record.setValue(URL(fileURLWithPath: "/a"), forKey: "kept")
      record.setValue(NSNull(), forKey: "kept")
      record.setValue(["a", NSNull()] as [Any], forKey: "list")
      #expect(record["kept"] == "a" && record.allKeys() == ["kept"])
    }
    #expect(failures.calls.count == 3)
  }
}

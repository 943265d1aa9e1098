#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("A draft of a record, as one of CloudKit")
  struct DraftAttackTests {
    private let id = RecordID(recordName: "n", zoneID: ZoneID(zoneName: "Notes"))

    @Test("has all fields if the record was never saved")
    func withoutTag() throws {
      let known = ResultRecord(
        systemFields: SystemFields(recordID: id, recordType: "Note"),
        fields: [
          Field(name: "a", value: .string("1")),
          Field(name: "b", value: .string("2"), isEncrypted: true),
        ])
      var draft = DraftRecord(known)
      draft["c"] = "3"
      let record = try draft.ckRecord()
      #expect(record.allKeys().sorted() == ["a", "c"])
      #expect(record.encryptedValues.allKeys() == ["b"])
    }

    @Test("removes an encrypted field of which only the name is known")
    func removedEncrypted() throws {
      var draft = DraftRecord(
        systemFields: SystemFields(recordID: id, recordType: "Note", recordChangeTag: "1"))
      draft.encryptedValues["secret"] = nil as String?
      #expect(try draft.ckRecord().encryptedValues.changedKeys() == ["secret"])
    }

    @Test("refuses a removed field whose name CloudKit does not take")
    func removedName() throws {
      var draft = DraftRecord(
        systemFields: SystemFields(recordID: id, recordType: "Note", recordChangeTag: "1"))
      draft["a b"] = nil as String?
      let removed = draft
      #expect(throws: CloudError.self) { try removed.ckRecord() }
    }

    @Test("refuses an asset whose URL is not of a file")
    func webAsset() throws {
      var draft = DraftRecord(recordType: "Note", recordID: id)
      draft["photo"] = Asset(fileURL: try #require(URL(string: "https://example.com/a")))
      let web = draft
      let error = #expect(throws: CloudKitConversionError.self) { try web.ckRecord() }
      #expect(error?.fieldName == "photo")
    }

    @Test("does not take a number that is not a signed 64-bit integer for another one")
    func largeNumber() throws {
      let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(id))
      record.setObject(NSNumber(value: UInt64.max), forKey: "n")
      #expect(throws: CloudKitConversionError.self) { try ResultRecord(record) }
      record.setObject(NSArray(array: [NSNumber(value: UInt64.max)]), forKey: "n")
      #expect(throws: CloudKitConversionError.self) { try ResultRecord(record) }
      record.setObject(NSNumber(value: UInt64(Int64.max)), forKey: "n")
      #expect(try ResultRecord(record)["n"] == Int64.max)
      record.setObject(NSNumber(value: true), forKey: "n")
      #expect(try ResultRecord(record)["n"] == true)
    }
  }
#endif

#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordCoding
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("A draft of a record, as one of CloudKit")
  struct DraftConversionTests {
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

    /// A record that CloudKit makes of system fields takes their parent for the server's.
    @Test("tells CloudKit its parent if only the system fields are known")
    func parentOfSystemFields() throws {
      let parent = Reference(recordID: RecordID(recordName: "p", zoneID: id.zoneID))
      var draft = DraftRecord(
        systemFields: SystemFields(recordID: id, recordType: "Note", recordChangeTag: "1"))
      draft.parent = parent
      #expect(try draft.ckRecord().hasChangedParent)
      let known = ResultRecord(
        systemFields: SystemFields(
          recordID: id, recordType: "Note", recordChangeTag: "1", parent: parent), fields: [])
      let record = try DraftRecord(known).ckRecord()
      #expect(!record.hasChangedParent)
      #expect(record.parent?.recordID.recordName == "p")
    }

    @Test("has the change tag of its system fields, not that of their archive")
    func newerTag() throws {
      let record = try DraftRecord(
        systemFields: SystemFields(recordID: id, recordType: "Note", recordChangeTag: "1")
      ).ckRecord()
      var fields = SystemFields(record)
      fields.recordChangeTag = "2"
      #expect(try DraftRecord(systemFields: fields).ckRecord().recordChangeTag == "2")
      fields.recordChangeTag = nil
      #expect(try DraftRecord(systemFields: fields).ckRecord().recordChangeTag == nil)
    }

    @Test("is made from the archive of a whole record, without its values")
    func archivedRecord() throws {
      let stored = try DraftRecord(
        systemFields: SystemFields(recordID: id, recordType: "Note", recordChangeTag: "1")
      ).ckRecord()
      stored.setObject(NSString(string: "not saved"), forKey: "title")
      let archive = try NSKeyedArchiver.archivedData(
        withRootObject: stored, requiringSecureCoding: true)
      var draft = DraftRecord(systemFields: try SystemFields(decoding: archive))
      draft["count"] = 1
      let record = try draft.ckRecord()
      #expect(record.recordChangeTag == "1")
      #expect(record.allKeys() == ["count"])
    }

    @Test("is a whole record once it is saved, even if CloudKit returns what was sent")
    func saved() throws {
      let fields = ["a", "b", "c"].map { Field(name: $0, value: .string("old")) }
      let base = ResultRecord(
        systemFields: SystemFields(recordID: id, recordType: "Note", recordChangeTag: "1"),
        fields: fields)
      var draft = DraftRecord(base)
      draft["a"] = "new"
      draft["c"] = nil as String?
      let record = try draft.ckRecord()
      let part = try ResultRecord(record).completed(by: draft)
      #expect(part.allKeys() == ["a", "b"])
      #expect(part["a"] == "new" && part["b"] == "old")
      #expect(part.recordChangeTag == "1" && part.systemFields.archive != nil)
      // One that has other fields is whole: another client may have removed those that it lacks.
      record.setObject(NSString(string: "theirs"), forKey: "d")
      let whole = try ResultRecord(record).completed(by: draft)
      #expect(whole.allKeys() == ["a", "d"])
    }

    @Test("refuses an asset whose URL is not of a file")
    func webAsset() throws {
      var draft = DraftRecord(recordType: "Note", recordID: id)
      draft["photo"] = Asset(fileURL: try #require(URL(string: "https://example.com/a")))
      let web = draft
      let error = #expect(throws: CloudError.self) { try web.ckRecord() }
      #expect(error?.message.contains("field 'photo'") == true)
    }

    @Test("does not take a number that is not a signed 64-bit integer for another one")
    func largeNumber() throws {
      let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(id))
      record.setObject(NSNumber(value: UInt64.max), forKey: "n")
      #expect(throws: CloudError.self) { try ResultRecord(record) }
      record.setObject(NSArray(array: [NSNumber(value: UInt64.max)]), forKey: "n")
      #expect(throws: CloudError.self) { try ResultRecord(record) }
      record.setObject(NSNumber(value: UInt64(Int64.max)), forKey: "n")
      #expect(try ResultRecord(record)["n"] == Int64.max)
      record.setObject(NSNumber(value: true), forKey: "n")
      #expect(try ResultRecord(record)["n"] == true)
    }
  }
#endif

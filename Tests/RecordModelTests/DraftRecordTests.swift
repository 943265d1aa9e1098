import Foundation
import RecordModel
import Testing

@Suite struct DraftRecordTests {
  private let zone = ZoneID(zoneName: "Chats")

  private func saved() -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: "m", zoneID: zone), recordType: "Message",
        recordChangeTag: "a"),
      fields: [
        Field(name: "text", value: .string("Hello")), Field(name: "count", value: .int64(3)),
        Field(name: "secret", value: .string("s"), isEncrypted: true),
      ])
  }

  @Test("a new draft has a fresh name, no tag, and no changes")
  func new() {
    let draft = DraftRecord(recordType: "Message", zoneID: zone)
    #expect(draft.recordID != DraftRecord(recordType: "Message", zoneID: zone).recordID)
    #expect(UUID(uuidString: draft.recordID.recordName) != nil)
    #expect(draft.recordChangeTag == nil && draft.base == nil)
    #expect(draft.changedKeys().isEmpty && draft.allKeys().isEmpty)
  }

  @Test("fields are set and read as Swift values, through CloudKit's kinds of subscripts")
  func subscripts() {
    var draft = DraftRecord(recordType: "Message", zoneID: zone)
    draft["text"] = "Hello"
    draft["count"] = 42
    draft["ratio"] = 0.5
    draft["flag"] = true
    draft["tags"] = ["a", "b"]
    draft["numbers"] = [1, 2, 3]
    draft["date"] = Date(timeIntervalSinceReferenceDate: 1)
    draft["data"] = Data([1, 2])
    draft["chat"] = Reference(recordID: RecordID(recordName: "c", zoneID: zone))
    draft.encryptedValues["secret"] = "s"
    #expect(draft["text"] as? String == "Hello")
    #expect(draft["count"] as? Int == 42)
    let flag: Bool? = draft["flag"]
    #expect(flag == true)
    let small: UInt8? = draft["count"]
    #expect(small == 42)
    #expect(draft["tags"] as? [String] == ["a", "b"])
    #expect(draft.field(named: "numbers")?.value == .int64List([1, 2, 3]))
    #expect(draft["secret"] == nil)
    #expect(draft.encryptedValues["secret"] as? String == "s")
    #expect(draft.field(named: "secret")?.isEncrypted == true)
    let tooSmall: Int8? = draft["date"]
    #expect(tooSmall == nil)
  }

  @Test("a draft knows what changed and what was removed since the record it grew from")
  func changes() {
    let record = saved()
    var draft = DraftRecord(record)
    #expect(draft.changedKeys().isEmpty)
    draft["text"] = "Bye"
    draft["count"] = nil
    draft["missing"] = nil
    draft.encryptedValues["secret"] = nil
    draft["added"] = 1
    #expect(draft.changedKeys() == ["added", "count", "secret", "text"])
    #expect(draft.removedKeys() == ["count", "secret"])
    #expect(draft.baseField(named: "text")?.value == .string("Hello"))
    #expect(draft.recordChangeTag == "a")
    #expect(draft.allKeys() == ["added", "text"])
    #expect(record["text"] as? String == "Hello")
  }

  @Test("a draft from system fields counts a removal of a field it never saw")
  func fromSystemFields() {
    var draft = DraftRecord(systemFields: saved().systemFields)
    draft["text"] = nil
    #expect(draft.removedKeys() == ["text"])
    #expect(draft.recordChangeTag == "a" && draft.base == nil)
  }

  @Test("a copy is a snapshot")
  func copies() {
    var draft = DraftRecord(saved())
    let copy = draft
    draft["text"] = "Bye"
    #expect(copy["text"] as? String == "Hello")
    #expect(copy != draft)
  }
}

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import RecordModel
import Testing

@Suite struct RecordTests {
  @Test func valuesOfAllTypesReachTheMockAndComeBack() async throws {
    let fixture = try await Fixture.withZone()
    let target = CKRecord.ID(recordName: "other", zoneID: fixture.zone)
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let record = fixture.record("a")
    record["text"] = "Hello"
    record["flag"] = true
    record["count"] = 3
    record["big"] = Int64.max
    record["ratio"] = 0.5
    record["when"] = date
    record["bytes"] = Data([1, 2])
    record["place"] = CLLocation(latitude: 1, longitude: 2)
    record["link"] = CKRecord.Reference(recordID: target, action: .deleteSelf)
    record["tags"] = ["a", "b"]
    record["numbers"] = [1, 2]
    record["ratios"] = [0.5, 1]
    record["links"] = [CKRecord.Reference(recordID: target, action: .none)]
    let other = fixture.record("other")
    let answer = try await fixture.database.modifyRecords(saving: [record, other], deleting: [])
    let saved = try #require(try answer.saveResults[record.recordID]?.get())

    let id = RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes"))
    let stored = try await fixture.mock.privateCloudDatabase.record(for: id)
    #expect(stored.field(named: "text")?.value == .string("Hello"))
    #expect(stored.field(named: "flag")?.value == .int64(1))
    #expect(stored.field(named: "count")?.value == .int64(3))
    #expect(stored.field(named: "big")?.value == .int64(.max))
    #expect(stored.field(named: "ratio")?.value == .double(0.5))
    #expect(stored.field(named: "when")?.value == .timestamp(date))
    #expect(stored.field(named: "bytes")?.value == .bytes(Data([1, 2])))
    #expect(stored.field(named: "tags")?.value == .stringList(["a", "b"]))
    #expect(stored.field(named: "numbers")?.value == .int64List([1, 2]))
    #expect(stored.field(named: "ratios")?.value == .doubleList([0.5, 1]))
    let targetID = RecordID(recordName: "other", zoneID: ZoneID(zoneName: "Notes"))
    #expect(
      stored.field(named: "link")?.value
        == .reference(Reference(recordID: targetID, action: .deleteSelf)))

    #expect(saved["text"] == "Hello")
    #expect(saved["flag"] == true)
    #expect(saved["count"] == 3)
    #expect(saved["ratio"] == 0.5)
    #expect(saved["when"] == date)
    #expect(saved["bytes"] == Data([1, 2]))
    #expect(saved["tags"] == ["a", "b"])
    #expect(saved["numbers"] == [1, 2])
    let link: CKRecord.Reference? = saved["link"]
    #expect(link == CKRecord.Reference(recordID: target, action: .deleteSelf))
    let place: CLLocation? = saved["place"]
    #expect(place?.coordinate.longitude == 2)
    #expect(saved.changedKeys().isEmpty)
  }

  @Test func theRawSubscriptReturnsObjects() throws {
    let record = CKRecord(recordType: "Note")
    record["text"] = NSString(string: "Hello")
    record.setObject(NSNumber(value: 3), forKey: "count")
    let text = record["text"]
    #expect(text is NSString)
    #expect((record.object(forKey: "count") as? NSNumber)?.intValue == 3)
    record["text"] = nil as String?
    #expect(record.allKeys() == ["count"])
    #expect(record.changedKeys() == ["count", "text"])
  }

  @Test func plainAndEncryptedValuesAreKeptApart() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["title"] = "plain"
    record.encryptedValues["secret"] = "hidden"
    #expect(record.allKeys() == ["title"])
    #expect(record.encryptedValues.allKeys() == ["secret"])
    #expect(record["secret"] as String? == nil)
    let saved = try await fixture.database.save(record)
    #expect(saved.encryptedValues["secret"] == "hidden")
    #expect(saved.encryptedValues["title"] as String? == nil)
    let id = RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes"))
    let stored = try await fixture.mock.privateCloudDatabase.record(for: id)
    #expect(stored.field(named: "secret")?.isEncrypted == true)
    #expect(stored.field(named: "title")?.isEncrypted == false)
  }

  @Test func theServerSetsTheSystemFields() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    #expect(record.recordChangeTag == nil)
    #expect(record.creationDate == nil)
    let saved = try await fixture.database.save(record)
    let user = try await fixture.container.userRecordID()
    #expect(saved.recordChangeTag != nil)
    #expect(saved.creationDate != nil)
    #expect(saved.modificationDate != nil)
    #expect(saved.creatorUserRecordID == user)
    #expect(saved.lastModifiedUserRecordID == user)
    #expect(saved.recordType == "Note")
    #expect(saved.recordID == record.recordID)
  }

  @Test func aRemovedValueIsRemovedOnTheServer() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["title"] = "x"
    record["body"] = "y"
    let saved = try await fixture.database.save(record)
    saved["title"] = nil as String?
    let again = try await fixture.database.save(saved)
    #expect(again.allKeys() == ["body"])
  }

  @Test func aChildHasItsParent() async throws {
    let fixture = try await Fixture.withZone()
    let parent = fixture.record("parent")
    let child = fixture.record("child")
    child.setParent(parent)
    let answer = try await fixture.database.modifyRecords(saving: [child, parent], deleting: [])
    let saved = try answer.saveResults[child.recordID]?.get()
    #expect(saved?.parent?.recordID == parent.recordID)
    #expect(saved?.parent?.action == CKRecord.ReferenceAction.none)
  }

  @Test func aCopyIsIndependent() throws {
    let record = CKRecord(recordType: "Note")
    record["title"] = "x"
    let copy = try #require(record.copy() as? CKRecord)
    copy["title"] = "y"
    #expect(record["title"] == "x")
    #expect(copy["title"] == "y")
  }

  @Test func aRecordIsASequenceOfItsPlainValues() throws {
    let record = CKRecord(recordType: "Note")
    record["title"] = "x"
    record["count"] = 1
    record.encryptedValues["secret"] = "z"
    #expect(record.map(\.0) == ["count", "title"])
  }

  @Test func identifiersAreComparedByTheirNames() {
    let zone = CKRecordZone.ID(zoneName: "A", ownerName: "_x")
    #expect(zone == CKRecordZone.ID(zoneName: "A", ownerName: "_x"))
    #expect(zone != CKRecordZone.ID(zoneName: "A"))
    let id = CKRecord.ID(recordName: "r", zoneID: zone)
    #expect(Set([id, CKRecord.ID(recordName: "r", zoneID: zone)]).count == 1)
    #expect(CKRecord.ID(recordName: "r") != id)
    #expect(CKRecordZone.ID.default.zoneName == CKRecordZone.ID.defaultZoneName)
  }
}

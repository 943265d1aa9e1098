#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import RecordCoding
import RecordModel
import Testing

@Suite struct ArchiveTests {
  private func systemFields(of record: CKRecord) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    record.encodeSystemFields(with: archiver)
    archiver.finishEncoding()
    return archiver.encodedData
  }

  private func record(from data: Data) throws -> CKRecord? {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    defer { unarchiver.finishDecoding() }
    return CKRecord(coder: unarchiver)
  }

  private func archivedCopy(of record: CKRecord) throws -> CKRecord {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: record, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data))
  }

  @Test func integersOfAnArchiveThatNoDoubleHasAreExact() throws {
    let record = CKRecord(recordType: "Note")
    record["near"] = 9_007_199_254_740_992.0
    record["number"] = Int64(9_007_199_254_740_993)
    record["numbers"] = [Int64.max, 1, Int64.min]
    record.encryptedValues["near"] = 9_007_199_254_740_992.0
    record.encryptedValues["number"] = Int64(9_007_199_254_740_993)
    let copy = try archivedCopy(of: record)
    #expect(copy["near"] == 9_007_199_254_740_992.0)
    #expect(copy["number"] == Int64(9_007_199_254_740_993))
    #expect(copy["numbers"] == [Int64.max, 1, Int64.min])
    #expect(copy.encryptedValues["number"] == Int64(9_007_199_254_740_993))
  }

  @Test func listsAndNumbersOfAnArchiveHaveTheirTypes() throws {
    let record = CKRecord(recordType: "Note")
    record["texts"] = ["a", "b"]
    record["numbers"] = [1, 2]
    record["ratios"] = [1.0, 2.0]
    record["dates"] = [Date(timeIntervalSince1970: 1)]
    record["links"] = [CKRecord.Reference(recordID: record.recordID, action: .none)]
    record["none"] = [String]()
    record["text"] = "c"
    record["number"] = 2
    record["ratio"] = 2.0
    record.encryptedValues["number"] = 2
    record.encryptedValues["ratio"] = 2.0
    let copy = try archivedCopy(of: record)
    #expect(copy.map { $0.0 } == record.allKeys())
    #expect(copy["texts"] == ["a", "b"])
    #expect(copy["numbers"] as [Int]? == [1, 2])
    for (key, value) in record {
      let archived: (any CKRecordValueProtocol)? = copy[key]
      #expect(archived as? NSObject == value as? NSObject)
    }
    for (values, isDouble) in [("number", false), ("ratio", true), ("ratios", true)] {
      let object = copy.object(forKey: values)
      let number = (object as? NSArray)?.firstObject as? NSNumber ?? object as? NSNumber
      #expect(try (#require(number).objCType.pointee == CChar(UInt8(ascii: "d"))) == isDouble)
    }
    let secret = copy.encryptedValues.object(forKey: "number") as? NSNumber
    #expect(secret?.objCType.pointee != CChar(UInt8(ascii: "d")))
  }

  /// Source: Apple's documentation of `RecordSavePolicy.allKeys`.
  @Test func allKeysOfAnArchivedRecordAreSaved() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["title"] = "x"
    record["body"] = "y"
    let archived = try archivedCopy(of: try await fixture.database.save(record))
    let other = try await fixture.database.record(for: record.recordID)
    other["body"] = nil as String?
    _ = try await fixture.database.save(other)
    archived["title"] = "z"
    let answer = try await fixture.database.modifyRecords(
      saving: [archived], deleting: [], savePolicy: .allKeys)
    let saved = try #require(try answer.saveResults[record.recordID]?.get())
    #expect(saved["title"] == "z" && saved["body"] == "y")
  }

  @Test func recordPackReadsTheSystemFieldsOfTheMock() async throws {
    let fixture = try await Fixture.withZone()
    let parent = fixture.record("parent")
    let child = fixture.record("child")
    child["title"] = "not in the archive"
    child.setParent(parent)
    let answer = try await fixture.database.modifyRecords(saving: [parent, child], deleting: [])
    let saved = try #require(try answer.saveResults[child.recordID]?.get())
    let fields = try SystemFields(decoding: systemFields(of: saved))
    #expect(fields.recordID.recordName == "child")
    #expect(fields.recordID.zoneID.zoneName == "Notes")
    #expect(fields.recordType == "Note")
    #expect(fields.recordChangeTag == saved.recordChangeTag)
    #expect(fields.creationDate == saved.creationDate)
    #expect(fields.modificationDate == saved.modificationDate)
    #expect(
      fields.creatorUserRecordID?.recordName == saved.creatorUserRecordID?.recordName)
    #expect(fields.parent?.recordID.recordName == "parent")
    let archived = try ArchivedRecord(keyedArchive: systemFields(of: saved))
    #expect(archived.fields.isEmpty)
  }

  @Test func theMockReadsTheSystemFieldsOfRecordPack() async throws {
    let fixture = try await Fixture.withZone()
    let saved = try await fixture.database.save(fixture.record("a"))
    let id = RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes"))
    let stored = try await fixture.mock.privateCloudDatabase.record(for: id)
    let copy = try #require(try record(from: stored.systemFields.encodeSystemFields()))
    #expect(copy.recordID == saved.recordID)
    #expect(copy.recordChangeTag == saved.recordChangeTag)
    #expect(copy.creationDate == saved.creationDate)
    #expect(copy.modificationDate == saved.modificationDate)
    #expect(copy.creatorUserRecordID == saved.creatorUserRecordID)
    #expect(copy.allKeys().isEmpty)
    copy["title"] = "later"
    let again = try await fixture.database.save(copy)
    #expect(again["title"] == "later")
    #expect(again.recordChangeTag != saved.recordChangeTag)
  }

  @Test func aNewRecordsSystemFieldsGoThereAndBack() throws {
    let new = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n"))
    let copy = try #require(try record(from: systemFields(of: new)))
    #expect(copy.recordID == new.recordID)
    #expect(copy.recordChangeTag == nil)
    #expect(copy.creationDate == nil)
  }

  @Test func aWholeRecordGoesThereAndBack() async throws {
    let new = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n"))
    let photo = FileManager.default.temporaryDirectory.appending(path: "photo")
    new["title"] = "x"
    new["count"] = 3
    new["ratio"] = 0.5
    new["when"] = Date(timeIntervalSince1970: 1_700_000_000)
    new["bytes"] = Data([1])
    new["place"] = CLLocation(latitude: 1, longitude: 2)
    new["link"] = CKRecord.Reference(recordID: new.recordID, action: .none)
    new["tags"] = ["a", "b"]
    new["photo"] = CKAsset(fileURL: photo)
    new.encryptedValues["secret"] = "z"
    let data = try NSKeyedArchiver.archivedData(withRootObject: new, requiringSecureCoding: true)
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data))
    #expect(copy.allKeys() == new.allKeys())
    #expect(copy.changedKeys() == new.changedKeys())
    #expect(copy["title"] == "x")
    #expect(copy["count"] == 3)
    #expect(copy["ratio"] == 0.5)
    #expect(copy["when"] == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(copy["bytes"] == Data([1]))
    #expect(copy["tags"] == ["a", "b"])
    #expect((copy["place"] as CLLocation?)?.coordinate.latitude == 1)
    #expect((copy["link"] as CKRecord.Reference?)?.recordID == new.recordID)
    #expect((copy["photo"] as CKAsset?)?.fileURL == photo)
    #expect(copy.encryptedValues["secret"] == "z")
  }

  @Test func recordPackReadsAWholeRecordOfTheMock() throws {
    let new = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n"))
    new["title"] = "x"
    new["count"] = 3
    new["place"] = CLLocation(latitude: 1, longitude: 2)
    new.encryptedValues["secret"] = "z"
    let data = try NSKeyedArchiver.archivedData(withRootObject: new, requiringSecureCoding: true)
    let archived = try ArchivedRecord(keyedArchive: data)
    #expect(archived.fields.map(\.name) == ["count", "place", "secret", "title"])
    #expect(archived.fields.map(\.isEncrypted) == [false, false, true, false])
    #expect(archived.fields.first?.value == .int64(3))
    #expect(archived.unsupportedFieldNames.isEmpty)
  }

  @Test func anArchiveHasTheNamesOfApplesClasses() throws {
    let zone = CKRecordZone(zoneName: "Notes")
    let root = CKRecord(recordType: "Note", recordID: CKRecord.ID(zoneID: zone.zoneID))
    root["place"] = CLLocation(latitude: 1, longitude: 2)
    root["link"] = CKRecord.Reference(recordID: root.recordID, action: .none)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: [zone, root, CKShare(rootRecord: root)] as NSArray,
      requiringSecureCoding: true)
    let plist = try PropertyListSerialization.propertyList(from: data, format: nil)
    let objects = try #require((plist as? [String: Any])?["$objects"] as? [Any])
    let classes = objects.compactMap { ($0 as? [String: Any])?["$classes"] as? [String] }
    for chain in [
      ["CKRecord", "NSObject"], ["CKShare", "CKRecord", "NSObject"], ["CKRecordID", "NSObject"],
      ["CKRecordZone", "NSObject"], ["CKRecordZoneID", "NSObject"], ["CKReference", "NSObject"],
      ["CKRecordValueStore", "NSObject"], ["CLLocation", "NSObject"],
      ["CKEncryptedRecordValueStore", "CKRecordValueStore", "NSObject"],
    ] {
      #expect(classes.contains(chain))
    }
    #expect(!classes.joined().contains { $0.contains(".") })
  }

  @Test func somethingElseIsNotARecord() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode("x" as NSString, forKey: "Other")
    archiver.finishEncoding()
    let decoded = try record(from: archiver.encodedData)
    #expect(decoded == nil)
  }
}

/// Each class whose objects can be values, or parts of values, is archived with secure coding.
@Suite struct SecureCodingTests {
  private func copy<T: NSObject & NSSecureCoding>(of object: T) throws -> T {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data))
  }

  @Test func assetsLocationsAndIdentifiers() throws {
    let asset = CKAsset(fileURL: URL(fileURLWithPath: "/photo"))
    #expect(try copy(of: asset).fileURL == asset.fileURL)
    #expect(try copy(of: CLLocation(latitude: 1, longitude: 2)).coordinate.longitude == 2)
    let id = CKRecord.ID(recordName: "a")
    #expect(try copy(of: id) == id)
    let reference = CKRecord.Reference(recordID: id, action: .deleteSelf)
    #expect(try copy(of: reference) == reference)
    #expect(try copy(of: CKRecordZone(zoneName: "Z")).zoneID.zoneName == "Z")
  }

  @Test func subscriptionsAreEqualAfterwards() throws {
    let info = CKSubscription.NotificationInfo(
      alertBody: "Hello", desiredKeys: ["a"], shouldSendContentAvailable: true)
    let id = CKRecord.ID(recordName: "list")
    let query = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(format: "list = %@ AND n > %d", id, 3),
      subscriptionID: "q", options: [.firesOnRecordCreation])
    query.zoneID = CKRecordZone.ID(zoneName: "Z")
    let zone = CKRecordZoneSubscription(
      zoneID: CKRecordZone.ID(zoneName: "Z"), subscriptionID: "z")
    let database = CKDatabaseSubscription(subscriptionID: "d")
    database.recordType = "Note"
    for subscription in [query, zone, database] as [CKSubscription] {
      subscription.notificationInfo = info
      let copy = try copy(of: subscription)
      #expect(copy == subscription && type(of: copy) == type(of: subscription))
      #expect(copy.notificationInfo?.alertBody == "Hello")
      #expect(subscription.copy() as? CKSubscription == subscription)
    }
    #expect(query != zone && zone != database)
  }

  @Test func queriesKeepTheirOrder() throws {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "n > %d", 3))
    query.sortDescriptors = [
      NSSortDescriptor(key: "n", ascending: false),
      CKLocationSortDescriptor(
        key: "place", relativeLocation: CLLocation(latitude: 1, longitude: 2)),
    ]
    let copy = try copy(of: query)
    #expect(copy.recordType == "Note" && copy.predicate.description == "n > 3")
    #expect(copy.sortDescriptors?.map(\.key) == ["n", "place"])
    #expect(copy.sortDescriptors?.first?.ascending == false)
    let place = copy.sortDescriptors?.last as? CKLocationSortDescriptor
    #expect(place?.relativeLocation.coordinate.latitude == 1)
  }

  @Test func metadataAndParticipants() async throws {
    let fixture = try await Fixture.withZone()
    let root = fixture.record("root")
    let share = CKShare(rootRecord: root)
    share.publicPermission = .readOnly
    let saved = try await fixture.database.modifyRecords(saving: [root, share], deleting: [])
    let url = try #require((try saved.saveResults[share.recordID]?.get() as? CKShare)?.url)
    let metadata = try await fixture.container.shareMetadata(for: url)
    let copy = try copy(of: metadata)
    #expect(copy.share.recordID == metadata.share.recordID)
    #expect(copy.containerIdentifier == metadata.containerIdentifier)
    #expect(copy.hierarchicalRootRecordID == root.recordID && copy.rootRecordID == root.recordID)
    #expect(copy.participantPermission == metadata.participantPermission)
    #expect(copy.participantStatus == metadata.participantStatus)
    let owner = metadata.share.owner
    #expect(try self.copy(of: owner) == owner && owner.copy() as? CKShare.Participant == owner)
  }
}

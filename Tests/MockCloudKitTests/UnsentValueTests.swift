import Foundation
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// What a record sends of what the server has and the app does not know.
@Suite struct UnsentValueTests {
  private func systemFields(of record: CKRecord) throws -> CKRecord {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    record.encodeSystemFields(with: archiver)
    archiver.finishEncoding()
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    unarchiver.requiresSecureCoding = true
    return try #require(CKRecord(coder: unarchiver))
  }

  private func save(
    _ record: CKRecord, _ policy: CKModifyRecordsOperation.RecordSavePolicy, in fixture: Fixture
  ) async throws -> CKRecord {
    let answer = try await fixture.database.modifyRecords(
      saving: [record], deleting: [], savePolicy: policy)
    return try #require(try answer.saveResults[record.recordID]?.get())
  }

  @Test func aRemovedFieldThatWasNotFetchedIsRemovedOnTheServer() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["title"] = "x"
    record["body"] = "y"
    record.encryptedValues["secret"] = "z"
    _ = try await fixture.database.save(record)
    let found = try await fixture.database.records(
      for: [record.recordID], desiredKeys: ["title"])
    let part = try #require(try found[record.recordID]?.get())
    part["body"] = nil as String?
    part.encryptedValues["secret"] = nil as String?
    let saved = try await fixture.database.save(part)
    #expect(saved.allKeys() == ["title"])
    #expect(saved.encryptedValues.allKeys().isEmpty)
  }

  @Test(arguments: [CKModifyRecordsOperation.RecordSavePolicy.changedKeys, .allKeys])
  func aFieldThatAnotherDeviceAddedIsRemoved(
    policy: CKModifyRecordsOperation.RecordSavePolicy
  ) async throws {
    let fixture = try await Fixture.withZone()
    let mine = try await fixture.database.save(fixture.record("a"))
    let theirs = try await fixture.database.record(for: mine.recordID)
    theirs["title"] = "theirs"
    _ = try await fixture.database.save(theirs)
    mine["title"] = nil as String?
    #expect(try await save(mine, policy, in: fixture).allKeys().isEmpty)
    let new = fixture.record("a")
    theirs["title"] = "again"
    _ = try await save(theirs, .changedKeys, in: fixture)
    new["title"] = "mine"
    new["title"] = nil as String?
    #expect(try await save(new, policy, in: fixture).allKeys().isEmpty)
  }

  @Test func aSaveWithAllKeysSendsTheContentOfAFetchedAsset() async throws {
    let fixture = try await Fixture.withZone()
    func asset(_ text: String) throws -> CKAsset {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try Data(text.utf8).write(to: file)
      return CKAsset(fileURL: file)
    }
    let record = fixture.record("a")
    record["file"] = try asset("first")
    _ = try await fixture.database.save(record)
    let fetched = try await fixture.database.record(for: record.recordID)
    let other = try await fixture.database.record(for: record.recordID)
    other["file"] = try asset("second")
    _ = try await fixture.database.save(other)
    let saved = try await save(fetched, .allKeys, in: fixture)
    let url = try #require((saved["file"] as CKAsset?)?.fileURL)
    #expect(try Data(contentsOf: url) == Data("first".utf8))
  }

  @Test func theParentOfSystemFieldsIsSentOnlyIfItWasSet() async throws {
    let fixture = try await Fixture.withZone()
    let child = fixture.record("child")
    child.setParent(fixture.record("a"))
    let answer = try await fixture.database.modifyRecords(
      saving: [fixture.record("a"), fixture.record("b"), child], deleting: [])
    let stale = try systemFields(of: try #require(try answer.saveResults[child.recordID]?.get()))
    let moved = try await fixture.database.record(for: child.recordID)
    moved.setParent(fixture.record("b"))
    _ = try await fixture.database.save(moved)
    stale["title"] = "x"
    let kept = try await save(stale, .changedKeys, in: fixture)
    #expect(kept.parent?.recordID.recordName == "b")

    kept.setParent(fixture.record("a"))
    let restored = try systemFields(of: kept)
    let saved = try await fixture.database.save(restored)
    #expect(saved.parent?.recordID.recordName == "a")
  }

  @Test func aRecordStoresACopyOfAMutableObject() throws {
    let record = CKRecord(recordType: "Note")
    let (text, bytes, list) = (
      NSMutableString(string: "a"), NSMutableData(data: Data([1])), NSMutableArray(array: ["a"])
    )
    record.setObject(text, forKey: "text")
    record.setObject(bytes, forKey: "bytes")
    record.encryptedValues.setObject(list, forKey: "list")
    text.append("b")
    bytes.append(Data([2]))
    list.add("b")
    #expect(record["text"] == "a")
    #expect(record["bytes"] == Data([1]))
    #expect(record.encryptedValues["list"] == ["a"])
  }

  @Test func aValueThatCloudKitDoesNotStoreFailsItsRecordOnly() async throws {
    let fixture = try await Fixture.withZone()
    let bad = fixture.record("bad")
    bad.setObject(NSArray(array: ["a", 1]), forKey: "list")
    let other = CKRecord(recordType: "Note")
    for (atomically, expected) in [(true, "batchRequestFailed"), (false, "none")] {
      let good = fixture.record("good \(atomically)")
      let gone = fixture.record("gone").recordID
      let answer = try await fixture.database.modifyRecords(
        saving: [bad, good, other], deleting: [gone], savePolicy: .changedKeys,
        atomically: atomically)
      #expect(name(answer.saveResults[bad.recordID]?.failure) == "invalidArguments")
      #expect(name(answer.saveResults[good.recordID]?.failure) == expected)
      #expect(name(answer.deleteResults[gone]?.failure) == expected)
      #expect(try answer.saveResults[other.recordID]?.get().recordChangeTag != nil)
    }
  }

  @Test func anOperationGroupIsArchived() throws {
    let group = CKOperationGroup()
    group.name = "Launch"
    group.quantity = 3
    group.expectedSendSize = .megabytes
    group.expectedReceiveSize = .kilobytes
    group.defaultConfiguration.qualityOfService = .userInitiated
    group.defaultConfiguration.timeoutIntervalForResource = 5
    group.defaultConfiguration.allowsCellularAccess = false
    let data = try NSKeyedArchiver.archivedData(withRootObject: group, requiringSecureCoding: true)
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CKOperationGroup.self, from: data))
    #expect(copy.operationGroupID == group.operationGroupID)
    #expect(copy.name == "Launch" && copy.quantity == 3)
    #expect(copy.expectedSendSize == .megabytes && copy.expectedReceiveSize == .kilobytes)
    let configuration = try #require(copy.defaultConfiguration)
    #expect(configuration.qualityOfService == .userInitiated)
    #expect(configuration.timeoutIntervalForResource == 5)
    #expect(!configuration.allowsCellularAccess && !configuration.isLongLived)
  }
}

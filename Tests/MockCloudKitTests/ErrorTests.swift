#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import MockCloud
import RecordModel
import Testing

@Suite struct ErrorTests {
  @Test func aConflictHasTheRecords() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["title"] = "first"
    let old = try await fixture.database.save(record)
    let new = try await fixture.database.record(for: record.recordID)
    new["title"] = "second"
    let saved = try await fixture.database.save(new)
    old["title"] = "third"
    let error = try #require(await ckError { try await fixture.database.save(old) })
    #expect(error.code == .serverRecordChanged)
    #expect(error.errorCode == 14)
    #expect(error.serverRecord?.recordChangeTag == saved.recordChangeTag)
    #expect(error.serverRecord?["title"] == "second")
    #expect(error.clientRecord === old)
    #expect(error.userInfo[CKRecordChangedErrorServerRecordKey] is CKRecord)
    #expect(!error.localizedDescription.isEmpty)
  }

  @Test func codesArePatterns() async throws {
    let fixture = try Fixture()
    do {
      _ = try await fixture.database.save(fixture.record("a"))
      Issue.record("the zone does not exist")
    } catch CKError.zoneNotFound {
    }
  }

  // Source: https://developer.apple.com/documentation/cloudkit/encrypting-user-data
  @Test func aResetOfEncryptedDataIsInTheErrorOfTheZone() async throws {
    let fixture = try await Fixture.withZone()
    try await fixture.mock.purgeRecordZone(
      withID: ZoneID(zoneName: fixture.zone.zoneName), for: .encryptedDataReset)
    let error = try #require(
      await ckError { try await fixture.database.save(fixture.record("a")) })
    #expect(error.code == .zoneNotFound)
    #expect(error.userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true)
    _ = try await fixture.database.save(CKRecordZone(zoneID: fixture.zone))
    _ = try await fixture.database.save(fixture.record("a"))
    let other = CKRecord(
      recordType: "Note", recordID: CKRecord.ID(zoneID: CKRecordZone.ID(zoneName: "Other")))
    let missing = try #require(await ckError { try await fixture.database.save(other) })
    #expect(missing.code == .zoneNotFound)
    #expect(missing.userInfo[CKErrorUserDidResetEncryptedDataKey] == nil)
  }

  @Test func errorsOfSingleItemsAreResults() async throws {
    let fixture = try await Fixture.withZone()
    let missing = fixture.record("missing").recordID
    let results = try await fixture.database.records(for: [missing])
    let error = await ckError { try results[missing]?.get() }
    #expect(error?.code == .unknownItem)
  }

  @Test func oneErrorFailsTheBatch() async throws {
    let fixture = try await Fixture.withZone()
    let good = fixture.record("good")
    let orphan = fixture.record("orphan")
    orphan.setParent(CKRecord.ID(recordName: "nobody", zoneID: fixture.zone))
    let answer = try await fixture.database.modifyRecords(saving: [good, orphan], deleting: [])
    let orphanError = await ckError { try answer.saveResults[orphan.recordID]?.get() }
    let goodError = await ckError { try answer.saveResults[good.recordID]?.get() }
    #expect(orphanError?.code == .referenceViolation)
    #expect(goodError?.code == .batchRequestFailed)
    let apart = try await fixture.database.modifyRecords(
      saving: [good, orphan], deleting: [], atomically: false)
    #expect(try apart.saveResults[good.recordID]?.get().recordID == good.recordID)
  }

  @Test func tooManyItemsAreRefused() async throws {
    let fixture = try await Fixture.withZone()
    let records = (0...400).map { fixture.record("r\($0)") }
    let error = await ckError {
      try await fixture.database.modifyRecords(saving: records, deleting: [])
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test func partialErrorsAndDelaysAreInTheUserInfo() async throws {
    let id = RecordID(recordName: "a")
    let model = CloudError(
      .partialFailure, partialErrors: [id: CloudError(.zoneBusy, retryAfter: 3)], retryAfter: 2.5)
    let failing = try FailingContainer(error: model)
    let container = CKContainer(mock: failing)
    let error = try #require(await ckError { try await container.accountStatus() })
    #expect(error.code == .partialFailure)
    #expect(error.retryAfterSeconds == 2.5)
    let partial = error.partialErrorsByItemID?[CKRecord.ID(recordName: "a")] as? CKError
    #expect(partial?.code == .zoneBusy)
    #expect(partial?.retryAfterSeconds == 3)
  }

  @Test func anAppCanMakeAnError() {
    let error = CKError(.zoneBusy, userInfo: [CKErrorRetryAfterKey: 7.0])
    #expect(error.retryAfterSeconds == 7)
    #expect((error as NSError).domain == CKErrorDomain)
    #expect(error.code == CKError.Code.zoneBusy)
  }

  /// A dictionary of userInfo has an NSNumber on Apple's platforms, whatever number the code wrote.
  @Test func aDelayIsReadFromEachTypeOfNumber() {
    for seconds: Any in [5, 5.0, Float(5), NSNumber(value: 5)] {
      let error = CKError(.requestRateLimited, userInfo: [CKErrorRetryAfterKey: seconds])
      #expect(error.retryAfterSeconds == 5)
      #expect((error as NSError as? CKError)?.retryAfterSeconds == 5)
    }
  }
}

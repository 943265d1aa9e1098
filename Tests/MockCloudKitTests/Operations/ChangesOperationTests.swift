import MockCloud
import RecordModel
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

@Suite(.timeLimit(.minutes(20))) struct ChangesOperationTests {
  private func fetch(
    _ fixture: Fixture, _ configuration: CKFetchRecordZoneChangesOperation.ZoneConfiguration,
    all: Bool, _ log: CallLog
  ) async -> CKServerChangeToken? {
    let token = Box<CKServerChangeToken>()
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [fixture.zone], configurationsByRecordZoneID: [fixture.zone: configuration])
    operation.fetchAllChanges = all
    operation.database = fixture.database
    operation.recordWasChangedBlock = { log.add("\($0.recordName) \(name($1.failure))") }
    operation.recordWithIDWasDeletedBlock = { log.add("deleted \($0.recordName) \($1)") }
    operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in
      log.add("token \(token != nil)")
    }
    operation.recordZoneFetchResultBlock = { _, result in
      if case .success(let answer) = result {
        token.value = answer.serverChangeToken
        log.add("zone more: \(answer.moreComing)")
      } else {
        log.add("zone \(name(result.failure))")
      }
    }
    operation.fetchRecordZoneChangesResultBlock = { log.add("end \(name($0.failure))") }
    await run(operation)
    return token.value
  }

  @Test func allPagesOrOneAreFetched() async throws {
    let fixture = try await Fixture.withZone()
    for index in 0..<3 { _ = try await fixture.database.save(fixture.record("r\(index)")) }
    let log = CallLog()
    let token = await fetch(fixture, .init(resultsLimit: 2), all: true, log)
    #expect(
      log.calls == ["r0 none", "r1 none", "token true", "r2 none", "zone more: false", "end none"])
    let one = CallLog()
    _ = await fetch(fixture, .init(resultsLimit: 2), all: false, one)
    #expect(one.calls == ["r0 none", "r1 none", "zone more: true", "end none"])
    _ = try await fixture.database.deleteRecord(withID: fixture.record("r0").recordID)
    let rest = CallLog()
    _ = await fetch(fixture, .init(previousServerChangeToken: token), all: true, rest)
    #expect(rest.calls == ["deleted r0 Note", "zone more: false", "end none"])
  }

  @Test func anErrorOfAZoneDoesNotStopTheOthers() async throws {
    let fixture = try await Fixture.withZone()
    _ = try await fixture.database.save(fixture.record("a"))
    let (missing, log) = (CKRecordZone.ID(zoneName: "Missing"), CallLog())
    let operation = CKFetchRecordZoneChangesOperation()
    operation.recordZoneIDs = [missing, fixture.zone]
    operation.database = fixture.database
    operation.old.recordChangedBlock = { log.add($0.recordID.recordName) }
    operation.old.recordZoneFetchCompletionBlock = { id, token, _, more, error in
      log.add("\(id.zoneName) \(token != nil) \(more) \(name(error))")
    }
    operation.old.fetchRecordZoneChangesCompletionBlock = { error in
      log.add("old \(name(error)) \(name((error as? CKError)?.partialErrorsByItemID?[missing]))")
    }
    operation.fetchRecordZoneChangesResultBlock = { log.add("new \(name($0.failure))") }
    await run(operation)
    #expect(
      log.calls == [
        "Missing false false zoneNotFound", "a", "Notes true false none",
        "old partialFailure zoneNotFound", "new none",
      ])
  }

  @Test func anErrorOfTheRequestEndsTheFetch() async throws {
    let fixture = try await Fixture.withZone()
    fixture.mock.setAccountStatus(.noAccount)
    let log = CallLog()
    _ = await fetch(fixture, .init(), all: true, log)
    #expect(log.calls == ["end notAuthenticated"])
  }

  @Test func zonesOfADatabaseAreReportedWithTheReason() async throws {
    let fixture = try Fixture()
    for zone in ["A", "B", "C", "D"] {
      _ = try await fixture.database.save(CKRecordZone(zoneName: zone))
    }
    let token = try await fixture.database.databaseChanges(since: nil).changeToken
    _ = try await fixture.database.save(CKRecordZone(zoneName: "E"))
    _ = try await fixture.database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "B"))
    try await fixture.mock.purgeRecordZone(withID: ZoneID(zoneName: "C"))
    try await fixture.mock.purgeRecordZone(withID: ZoneID(zoneName: "D"), for: .encryptedDataReset)
    let log = CallLog()
    for isSplit in [true, false] {
      let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
      operation.database = fixture.database
      operation.recordZoneWithIDChangedBlock = { log.add("changed \($0.zoneName)") }
      operation.recordZoneWithIDWasDeletedBlock = { log.add("deleted \($0.zoneName)") }
      if isSplit {
        operation.recordZoneWithIDWasPurgedBlock = { log.add("purged \($0.zoneName)") }
        operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = {
          log.add("reset \($0.zoneName)")
        }
      }
      operation.fetchDatabaseChangesResultBlock = { result in
        log.add("end \((try? result.get())?.moreComing ?? true)")
      }
      await run(operation)
    }
    #expect(
      Set(log.calls.prefix(5)) == ["changed E", "deleted B", "purged C", "reset D", "end false"])
    #expect(
      Set(log.calls.suffix(5)) == ["changed E", "deleted B", "deleted C", "deleted D", "end false"])
  }

  @Test func aDatabaseIsFetchedInPages() async throws {
    let fixture = try Fixture()
    for zone in ["A", "B", "C"] {
      _ = try await fixture.database.save(CKRecordZone(zoneName: zone))
    }
    let log = CallLog()
    let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
    operation.resultsLimit = 2
    operation.database = fixture.database
    operation.recordZoneWithIDChangedBlock = { log.add($0.zoneName) }
    operation.changeTokenUpdatedBlock = { _ in log.add("token") }
    operation.old.fetchDatabaseChangesCompletionBlock = { token, more, error in
      log.add("end \(token != nil) \(more) \(name(error))")
    }
    await run(operation)
    #expect(log.calls == ["A", "B", "token", "C", "end true false none"])
  }
}

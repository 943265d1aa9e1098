import MockCloud
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

@Suite(.timeLimit(.minutes(20))) struct OperationTests {
  @Test func dependenciesAndASerialQueueAreRespected() async throws {
    let fixture = try Fixture()
    let log = CallLog()
    let zones = CKModifyRecordZonesOperation(recordZonesToSave: [CKRecordZone(zoneID: fixture.zone)]
    )
    zones.modifyRecordZonesResultBlock = { log.add("zone \(name($0.failure))") }
    let records = CKModifyRecordsOperation(recordsToSave: [fixture.record("a")])
    records.modifyRecordsResultBlock = { log.add("record \(name($0.failure))") }
    records.addDependency(zones)
    let fetch = CKFetchRecordsOperation(recordIDs: [fixture.record("a").recordID])
    fetch.perRecordResultBlock = { log.add("fetched \($0.recordName) \(name($1.failure))") }
    fetch.addDependency(records)
    for operation in [zones, records, fetch] { operation.database = fixture.database }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    await run(records, zones, fetch, on: queue)
    #expect(log.calls == ["zone none", "record none", "fetched a none"])
  }

  /// An app waits in one operation's block for another operation, and for a queue.
  @Test func blocksHaveRunWhenTheQueueHasFinished() async throws {
    let fixture = try Fixture()
    let log = CallLog()
    let operation = CKModifyRecordZonesOperation(
      recordZonesToSave: [CKRecordZone(zoneID: fixture.zone)])
    operation.database = fixture.database
    operation.old.modifyRecordZonesCompletionBlock = {
      [database = fixture.database] zones, _, error in
      let done = DispatchSemaphore(value: 0)
      database.fetchAllRecordZones { zones, _ in
        log.add("\(zones?.count ?? 0) zones")
        done.signal()
      }
      done.wait()
      log.add("saved \(zones?.count ?? 0) \(name(error))")
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let queue = OperationQueue()
        queue.addOperation(operation)
        queue.waitUntilAllOperationsAreFinished()
        log.add("finished")
        continuation.resume()
      }
    }
    #expect(log.calls == ["2 zones", "saved 1 none", "finished"])
  }

  @Test func aDatabaseAndAContainerRunOperationsToo() async throws {
    let fixture = try await Fixture.withZone()
    let log = CallLog()
    let save = CKModifyRecordsOperation(recordsToSave: [fixture.record("a")])
    save.modifyRecordsResultBlock = { log.add("saved \(name($0.failure))") }
    await withCheckedContinuation { continuation in
      save.completionBlock = { continuation.resume() }
      fixture.database.add(save)
    }
    #expect(save.database === fixture.database || save.database?.databaseScope == .private)
    let fetch = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
    fetch.old.fetchRecordZonesCompletionBlock = { log.add("\($0?.count ?? 0) zones \(name($1))") }
    await withCheckedContinuation { continuation in
      fetch.completionBlock = { continuation.resume() }
      fixture.container.add(fetch)
    }
    #expect(log.calls == ["saved none", "2 zones none"])
  }

  @Test func aCancelledOperationEndsWithItsError() async throws {
    let fixture = try await Fixture.withZone()
    let faulty = FaultInjectingContainer(fixture.mock)
    let gate = faulty.faults.hold(.modifyRecords)
    let container = CKContainer(mock: faulty)
    let log = CallLog()
    let held = CKModifyRecordsOperation(recordsToSave: [fixture.record("a")])
    held.database = container.privateCloudDatabase
    held.modifyRecordsResultBlock = { log.add("held \(name($0.failure))") }
    async let end: Void = run(held)
    try await gate.waitForCall()
    held.cancel()
    await end
    let never = CKModifyRecordsOperation(recordsToSave: [fixture.record("b")])
    never.database = fixture.database
    never.old.modifyRecordsCompletionBlock = { log.add("never \(name($2))") }
    never.cancel()
    await run(never)
    #expect(log.calls == ["held operationCancelled", "never operationCancelled"])
    #expect(try await fixture.mock.privateCloudDatabase.records(ofType: "Note").isEmpty)
  }

  @Test func aLongLivedOperationIsFoundWhileItRuns() async throws {
    let fixture = try await Fixture.withZone()
    let log = CallLog()
    let operation = CKModifyRecordsOperation(recordsToSave: [fixture.record("a")])
    operation.configuration.isLongLived = true
    operation.database = fixture.database
    operation.longLivedOperationWasPersistedBlock = { log.add("persisted") }
    let (id, container) = (operation.operationID, fixture.container)
    operation.perRecordSaveBlock = { _, _ in
      let done = DispatchSemaphore(value: 0)
      container.fetchAllLongLivedOperationIDs { ids, _ in
        log.add("\(ids?.contains(id) ?? false)")
        done.signal()
      }
      done.wait()
    }
    await run(operation)
    #expect(log.calls == ["persisted", "true"])
    #expect(try await container.longLivedOperation(for: id) == nil)
  }

  @Test func aConfigurationIsCopiedAndHasTheDocumentedDefaults() {
    let operation = CKFetchRecordsOperation()
    #expect(operation.configuration.timeoutIntervalForRequest == 60)
    #expect(operation.configuration.timeoutIntervalForResource == 604_800)
    #expect(operation.configuration.allowsCellularAccess && !operation.configuration.isLongLived)
    let configuration = CKOperation.Configuration()
    configuration.qualityOfService = .userInitiated
    operation.configuration = configuration
    configuration.isLongLived = true
    #expect(!operation.configuration.isLongLived)
    #expect(operation.configuration.timeoutIntervalForResource == -1)
    operation.configuration = nil
    #expect(operation.configuration.qualityOfService == .default)
    let group = CKOperationGroup()
    group.defaultConfiguration.allowsCellularAccess = false
    operation.group = group
    #expect(operation.group?.defaultConfiguration.allowsCellularAccess == false)
    #expect(operation.operationID != CKFetchRecordsOperation().operationID)
  }
}

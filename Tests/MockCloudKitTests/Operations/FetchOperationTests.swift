import MockCloud
import RecordModel
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

@Suite(.timeLimit(.minutes(20))) struct FetchOperationTests {
  @Test func aMissingRecordIsAnErrorOfTheRecord() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["title"] = "Title"
    record["body"] = "Body"
    _ = try await fixture.database.save(record)
    let missing = fixture.record("missing").recordID
    let log = CallLog()
    let operation = CKFetchRecordsOperation(recordIDs: [missing, record.recordID])
    operation.database = fixture.database
    operation.desiredKeys = ["title"]
    operation.perRecordResultBlock = { log.add("\($0.recordName) \(name($1.failure))") }
    operation.old.fetchRecordsCompletionBlock = { records, error in
      let keys = records?[record.recordID]?.allKeys() ?? []
      log.add("\(records?.count ?? -1) \(keys) \(name(error))")
      log.add(name((error as? CKError)?.partialErrorsByItemID?[missing]))
    }
    operation.fetchRecordsResultBlock = { log.add(name($0.failure)) }
    await run(operation)
    #expect(
      log.calls == [
        "missing unknownItem", "a none", "1 [\"title\"] partialFailure", "unknownItem", "none",
      ])
  }

  @Test func theRecordOfTheUserIsFetched() async throws {
    let fixture = try Fixture()
    let user = try await fixture.container.userRecordID()
    let record = CKRecord(recordType: CKRecord.SystemType.userRecord, recordID: user)
    _ = try await fixture.container.publicCloudDatabase.save(record)
    let log = CallLog()
    let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
    operation.database = fixture.container.publicCloudDatabase
    operation.perRecordResultBlock = { id, result in
      log.add("\(id == user) \((try? result.get())?.recordType ?? name(result.failure))")
    }
    await run(operation)
    #expect(log.calls == ["true Users"])
  }

  @Test func aQueryContinuesWithItsCursor() async throws {
    let fixture = try await Fixture.withZone()
    let records = (0..<5).map { fixture.record("r\($0)") }
    for (index, record) in records.enumerated() { record["index"] = index }
    _ = try await fixture.database.modifyRecords(saving: records, deleting: [])
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    query.sortDescriptors = [NSSortDescriptor(key: "index", ascending: true)]
    let log = CallLog()
    let cursor = Box<CKQueryOperation.Cursor>()
    var operation = CKQueryOperation(query: query)
    for page in 0..<3 {
      operation.zoneID = fixture.zone
      operation.resultsLimit = 2
      operation.desiredKeys = ["index"]
      operation.database = fixture.database
      operation.recordMatchedBlock = { id, result in
        log.add("\(id.recordName) \((try? result.get())?["index"] as? Int ?? -1)")
      }
      operation.queryResultBlock = { cursor.value = try? $0.get() }
      await run(operation)
      guard let next = cursor.value else {
        #expect(page == 2)
        break
      }
      operation = CKQueryOperation(cursor: next)
    }
    #expect(log.calls == ["r0 0", "r1 1", "r2 2", "r3 3", "r4 4"])
    let old = CKQueryOperation(query: query)
    old.database = fixture.database
    old.old.recordFetchedBlock = { log.add($0.recordID.recordName) }
    old.old.queryCompletionBlock = { log.add("\($0 == nil) \(name($1))") }
    await run(old)
    #expect(log.calls.suffix(2) == ["r4", "true none"])
    let empty = CKQueryOperation()
    empty.database = fixture.database
    empty.queryResultBlock = { log.add(name($0.failure)) }
    await run(empty)
    #expect(log.calls.last == "invalidArguments")
  }

  @Test func zonesAreSavedFetchedAndDeleted() async throws {
    let fixture = try Fixture()
    let (missing, log) = (CKRecordZone.ID(zoneName: "Missing"), CallLog())
    let save = CKModifyRecordZonesOperation(
      recordZonesToSave: [CKRecordZone(zoneID: fixture.zone)], recordZoneIDsToDelete: [missing])
    save.perRecordZoneSaveBlock = { log.add("save \($0.zoneName) \(name($1.failure))") }
    save.perRecordZoneDeleteBlock = { log.add("delete \($0.zoneName) \(name($1.failure))") }
    save.modifyRecordZonesResultBlock = { log.add("end \(name($0.failure))") }
    let fetch = CKFetchRecordZonesOperation(recordZoneIDs: [fixture.zone, missing])
    fetch.perRecordZoneResultBlock = { log.add("fetch \($0.zoneName) \(name($1.failure))") }
    fetch.fetchRecordZonesResultBlock = { log.add("end \(name($0.failure))") }
    fetch.old.fetchRecordZonesCompletionBlock = { log.add("old \($0?.count ?? -1) \(name($1))") }
    fetch.addDependency(save)
    for operation in [save, fetch] as [CKDatabaseOperation] {
      operation.database = fixture.database
    }
    await run(save, fetch)
    #expect(
      log.calls == [
        "save Notes none", "delete Missing none", "end none", "fetch Notes none",
        "fetch Missing zoneNotFound", "old 1 partialFailure", "end none",
      ])
  }

  @Test func subscriptionsAreSavedFetchedAndDeleted() async throws {
    let fixture = try await Fixture.withZone()
    let log = CallLog()
    let subscription = CKRecordZoneSubscription(zoneID: fixture.zone, subscriptionID: "zone")
    let info = CKSubscription.NotificationInfo()
    info.shouldSendContentAvailable = true
    subscription.notificationInfo = info
    let save = CKModifySubscriptionsOperation(
      subscriptionsToSave: [subscription], subscriptionIDsToDelete: nil)
    save.perSubscriptionSaveBlock = { log.add("save \($0) \(name($1.failure))") }
    save.old.modifySubscriptionsCompletionBlock = {
      log.add("old \($0?.count ?? -1) \($1?.count ?? -1) \(name($2))")
    }
    let fetch = CKFetchSubscriptionsOperation(subscriptionIDs: ["zone", "missing"])
    fetch.perSubscriptionResultBlock = { log.add("fetch \($0) \(name($1.failure))") }
    fetch.old.fetchSubscriptionCompletionBlock = { log.add("old \($0?.count ?? -1) \(name($1))") }
    fetch.fetchSubscriptionsResultBlock = { log.add("end \(name($0.failure))") }
    fetch.addDependency(save)
    let all = CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
    all.old.fetchSubscriptionCompletionBlock = {
      log.add("all \($0?.keys.sorted() ?? []) \(name($1))")
    }
    all.addDependency(fetch)
    let delete = CKModifySubscriptionsOperation(subscriptionIDsToDelete: ["zone"])
    delete.perSubscriptionDeleteBlock = { log.add("delete \($0) \(name($1.failure))") }
    delete.addDependency(all)
    for operation in [save, fetch, all, delete] as [CKDatabaseOperation] {
      operation.database = fixture.database
    }
    await run(save, fetch, all, delete)
    #expect(
      log.calls == [
        "save zone none", "old 1 0 none", "fetch zone none", "fetch missing unknownItem",
        "old 1 partialFailure", "end none", "all [\"zone\"] none", "delete zone none",
      ])
    #expect(try await fixture.database.allSubscriptions().isEmpty)
  }
}

/// A value that a block sets.
final class Box<Value>: @unchecked Sendable {
  var value: Value?
}

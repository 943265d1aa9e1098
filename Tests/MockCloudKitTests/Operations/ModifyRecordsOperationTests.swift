import MockCloud
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

@Suite(.timeLimit(.minutes(20))) struct ModifyRecordsOperationTests {
  @Test func recordsAreSavedAndDeletedOnAnyQueue() async throws {
    let fixture = try await Fixture.withZone()
    let old = try await fixture.database.save(fixture.record("old"))
    let log = CallLog()
    let operation = CKModifyRecordsOperation(
      recordsToSave: [fixture.record("b"), fixture.record("a")],
      recordIDsToDelete: [old.recordID])
    operation.database = fixture.database
    operation.perRecordProgressBlock = { log.add("progress \($0.recordID.recordName) \($1)") }
    operation.perRecordSaveBlock = { id, result in
      log.add("save \(id.recordName) \((try? result.get())?.recordChangeTag != nil)")
    }
    operation.perRecordDeleteBlock = { id, result in
      log.add("delete \(id.recordName) \(name(result.failure))")
    }
    operation.modifyRecordsResultBlock = { log.add("end \(name($0.failure))") }
    await run(operation)
    #expect(
      log.calls == [
        "progress b 1.0", "save b true", "progress a 1.0", "save a true", "delete old none",
        "end none",
      ])
    #expect(operation.isFinished && !operation.isExecuting && !operation.isCancelled)
  }

  /// Source: Apple Developer Forums 708758, and a comment of CloudSyncSession.
  @Test func errorsOfRecordsReachOnlyTheirBlocksAndTheOldEnd() async throws {
    let fixture = try await Fixture.withZone()
    let first = fixture.record("conflict")
    _ = try await fixture.database.save(first)
    let log = CallLog()
    let operation = CKModifyRecordsOperation(
      recordsToSave: [fixture.record("conflict"), fixture.record("new")])
    operation.database = fixture.database
    operation.perRecordSaveBlock = { log.add("\($0.recordName) \(name($1.failure))") }
    operation.modifyRecordsResultBlock = { log.add("result \(name($0.failure))") }
    operation.old.modifyRecordsCompletionBlock = { saved, deleted, error in
      log.add("old \(saved?.count ?? -1) \(deleted?.count ?? -1) \(name(error))")
      let errors = (error as? CKError)?.partialErrorsByItemID
      for id in ["conflict", "new"] {
        log.add(name(errors?[fixture.record(id).recordID]))
      }
    }
    await run(operation)
    #expect(
      log.calls == [
        "conflict serverRecordChanged", "new batchRequestFailed", "old 0 0 partialFailure",
        "serverRecordChanged", "batchRequestFailed", "result none",
      ])
  }

  @Test func recordsSucceedByThemselvesIfTheOperationIsNotAtomic() async throws {
    let fixture = try await Fixture.withZone()
    _ = try await fixture.database.save(fixture.record("conflict"))
    let log = CallLog()
    let operation = CKModifyRecordsOperation(
      recordsToSave: [fixture.record("conflict"), fixture.record("new")])
    operation.isAtomic = false
    operation.database = fixture.database
    operation.old.modifyRecordsCompletionBlock = { saved, _, error in
      log.add("\(saved?.map(\.recordID.recordName) ?? []) \(name(error))")
    }
    await run(operation)
    #expect(log.calls == ["[\"new\"] partialFailure"])
    let forced = CKModifyRecordsOperation(recordsToSave: [fixture.record("conflict")])
    forced.savePolicy = .allKeys
    forced.modifyRecordsResultBlock = { log.add(name($0.failure)) }
    forced.database = fixture.database
    forced.perRecordSaveBlock = { log.add(name($1.failure)) }
    await run(forced)
    #expect(log.calls.suffix(2) == ["none", "none"])
  }

  @Test func anErrorOfTheRequestReachesBothEnds() async throws {
    let fixture = try Fixture()
    fixture.mock.setAccountStatus(.noAccount)
    let log = CallLog()
    let operation = CKModifyRecordsOperation(recordsToSave: [fixture.record("a")])
    operation.database = fixture.database
    operation.perRecordSaveBlock = { id, _ in log.add("save \(id.recordName)") }
    operation.old.modifyRecordsCompletionBlock = { saved, deleted, error in
      log.add("old \(saved == nil) \(deleted == nil) \(name(error))")
    }
    operation.modifyRecordsResultBlock = { log.add("new \(name($0.failure))") }
    await run(operation)
    #expect(log.calls == ["old true true notAuthenticated", "new notAuthenticated"])
  }

  /// Source: the headers: the old block of a record is ignored if the new one is set.
  @Test func theOldBlockOfARecordIsCalledWithoutTheNewOne() async throws {
    let fixture = try await Fixture.withZone()
    let log = CallLog()
    for isNew in [false, true] {
      let operation = CKModifyRecordsOperation(recordsToSave: [fixture.record("r\(isNew)")])
      operation.database = fixture.database
      operation.old.perRecordCompletionBlock = {
        log.add("old \($0.recordID.recordName) \(name($1))")
      }
      if isNew { operation.perRecordSaveBlock = { id, _ in log.add("new \(id.recordName)") } }
      await run(operation)
    }
    #expect(log.calls == ["old rfalse none", "new rtrue"])
  }

  @Test func anOperationWithoutADatabaseUsesThePrivateOneOfItsContainer() async throws {
    let fixture = try await Fixture.withZone()
    let operation = CKModifyRecordsOperation(recordsToSave: [fixture.record("a")])
    operation.configuration.container = fixture.container
    await run(operation)
    #expect(
      try await fixture.database.record(for: fixture.record("a").recordID).recordType == "Note")
    let other = CKModifyRecordsOperation()
    other.database = fixture.container.publicCloudDatabase
    #expect(other.configuration.container === fixture.container)
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

import CloudInterface
import RecordModel
import Synchronization

extension MockSyncEngine {
  /// Sends pending changes: zones before records, in batches of the delegate.
  ///
  /// - Throws: `CloudError`, also of a scheduled send.
  func send(_ context: SendChangesContext) async throws {
    schedule.enter(.sending)
    let operation = SendOperation(self, context)
    do {
      try await operation.run()
    } catch {
      schedule.leave()
      throw error
    }
  }
}

/// One send.
private struct SendOperation {
  /// The reason for the end of a send.
  private enum End {
    /// Nothing is pending.
    case finished
    /// The delegate has no more batches.
    case noBatch
    /// A batch had failures.
    ///
    /// - error: the error of the whole request, if it has failed as a whole.
    /// - leftover: whether changes were pending before the delegate heard of the failures.
    case failed(error: CloudError?, leftover: Bool)
  }

  private let engine: MockSyncEngine
  private let context: SendChangesContext
  private let cancelCount: Int
  private let recordErrors = RecordErrors()

  private var scope: SendChangesOptions.Scope { context.options.scope }
  private var state: EngineState { engine.engineState }

  init(_ engine: MockSyncEngine, _ context: SendChangesContext) {
    self.engine = engine
    self.context = context
    cancelCount = engine.cancelCount
  }

  func run() async throws {
    try await engine.deliver(.willSendChanges(.init(context: context)))
    let end = try await sendAll()
    // Changes that are added from here on start another sync.
    engine.schedule.leave()
    schedule(after: end)
    try await engine.deliver(.didSendChanges(.init(context: context)))
    try await engine.deliverState()
    if case .failed(let error?, _) = end { throw error }
    if context.reason == .manual, engine.rules.errorsOfRecords == .thrown {
      try recordErrors.throwAny()
    }
  }

  private func sendAll() async throws -> End {
    var isFirst = true
    while true {
      if let error = try await sendZones() { return .failed(error: error, leftover: false) }
      guard isFirst || hasPending else { return .finished }
      isFirst = false
      guard let batch = try await nextBatch() else { return .noBatch }
      if let end = try await send(batch) { return end }
    }
  }

  private var hasPending: Bool {
    state.with { content in
      content.hasPendingUntrackedChanges
        || (scope == .all
          ? !content.records.isEmpty : content.records.pending.contains { scope.contains($0) })
    }
  }

  /// Whether there are zones that were added after the send of zones: that send leaves none.
  private var hasPendingZones: Bool {
    state.with { content in content.zones.pending.contains { scope.contains($0) } }
  }

  /// Whether changes were added during a send that does not reach them: scheduled sends have all
  /// changes.
  private var hasAdditionsOutside: Bool {
    guard scope != .all, engine.schedule.hasAdditions else { return false }
    return state.with { content in
      content.hasPendingUntrackedChanges
        || content.records.pending.contains { !scope.contains($0) }
        || content.zones.pending.contains { !scope.contains($0) }
    }
  }

  /// Schedules what is still to be done.
  private func schedule(after end: End) {
    switch end {
    // Another task may have added changes while the delegate made no batch of them, or after it.
    case .noBatch:
      if hasPendingZones || hasAdditionsOutside || engine.schedule.hasUnseenAdditions && hasPending
      {
        engine.schedule.syncSoon(sends: true)
      }
    case .finished:
      if hasPending || hasPendingZones || hasAdditionsOutside {
        engine.schedule.syncSoon(sends: true)
      }
    case .failed(let error, let leftover):
      if let error, engine.isToBeRepeated(error) { return engine.repeatLater(after: error) }
      if leftover || engine.rules.failedBatch == .continues && (hasPending || hasPendingZones) {
        engine.schedule.syncSoon(fetches: true, sends: true)
      } else {
        engine.schedule.fetchBeforeNextSend()
      }
    }
  }

  private func nextBatch() async throws -> RecordZoneChangeBatch? {
    engine.schedule.showsAdditions()
    let skipped = SkippedChanges()
    let batch = try await SkippedChanges.$current.withValue(skipped) {
      try await engine.callingDelegate { [context] delegate, engine in
        await delegate.nextRecordZoneChangeBatch(context, syncEngine: engine)
      }
    }
    if engine.rules.missingRecords == .dropped {
      state.with { content in
        for recordID in skipped.all { content.records.remove(.saveRecord(recordID)) }
      }
    }
    guard let batch, !batch.isEmpty else { return nil }
    return batch
  }

  // MARK: Records

  /// Sends a batch and reports its results.
  ///
  /// - Returns: the end of the send; nil to go on.
  private func send(_ batch: RecordZoneChangeBatch) async throws -> End? {
    let changes = batch.changes
    state.with { $0.records.beginSending(changes) }
    try await engine.deliverState()
    let results = try await results(of: batch)
    let again = engine.itemsToSendAgain(of: results)
    let leftover = state.with { content in
      let leftover = !content.records.isEmpty || !content.zones.isEmpty
      if engine.rules.removal == .beforeEvent {
        content.records.endSending(changes, sendingAgain: again)
      }
      return leftover
    }
    let event = SyncEngineEvent.SentRecordZoneChanges(batch, results)
    for record in event.savedRecords { _ = engine.versions?.remember(record) }
    try await engine.deliverState()
    try await engine.deliver(.sentRecordZoneChanges(event))
    if engine.rules.removal == .afterEvent {
      state.with { $0.records.endSending(changes, sendingAgain: again) }
    }
    try await engine.deliverState()
    if let failure = results.failure { return .failed(error: failure, leftover: leftover) }
    guard !results.errors.isEmpty else { return nil }
    recordErrors.add(results.errors)
    if let error = slowest(of: results, again) {
      engine.schedule.retry(after: engine.rules.delay(after: error))
    }
    // Records that wait cannot be part of the next batch.
    let ends = engine.rules.failedBatch == .endsSend || !again.isEmpty
    return ends ? .failed(error: nil, leftover: leftover) : nil
  }

  private func results(
    of batch: RecordZoneChangeBatch
  ) async throws -> ModifyResults<RecordID, ResultRecord> {
    let atomically = batch.atomicByZone || engine.rules.atomicity == .always
    let (saves, deletions) = (batch.recordsToSave.map(\.recordID), batch.recordIDsToDelete)
    do {
      let answer = try await engine.request(cancelCount) {
        try await $0.modifyRecords(
          saving: batch.recordsToSave, deleting: batch.recordIDsToDelete,
          savePolicy: .ifServerRecordUnchanged, atomically: atomically)
      }
      return try ModifyResults(
        saving: saves, deleting: deletions, answer.saveResults, answer.deleteResults)
    } catch let error as CloudError {
      return ModifyResults(saving: saves, deleting: deletions, failure: error)
    }
  }

  /// Returns the error that asks for the longest wait, of the items that the engine sends again: they
  /// wait together.
  private func slowest<ID: Comparable, Item>(
    of results: ModifyResults<ID, Item>, _ again: Set<ID>
  ) -> CloudError? {
    results.errors.filter { again.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
      .max { engine.rules.delay(after: $0) < engine.rules.delay(after: $1) }
  }

  // MARK: Zones

  /// Sends the pending changes of zones.
  ///
  /// - Returns: the error of a request that has failed as a whole.
  private func sendZones() async throws -> CloudError? {
    while true {
      let changes = state.with { content in
        // A request has at most 400 items.
        let changes = Array(content.zones.pending.filter { scope.contains($0) }.prefix(400))
        content.zones.beginSending(changes)
        return changes
      }
      guard !changes.isEmpty else { return nil }
      let request = ZoneRequest(changes)
      let results = try await results(of: request)
      let again = engine.itemsToSendAgain(of: results)
      state.with { $0.zones.endSending(changes, sendingAgain: again) }
      try await engine.deliver(.sentDatabaseChanges(.init(request, results)))
      // The records of zones that were not saved fail by themselves.
      if let failure = results.failure, engine.isToBeRepeated(failure) { return failure }
      if let error = slowest(of: results, again) { return error }
    }
  }

  private func results(
    of request: ZoneRequest
  ) async throws -> ModifyResults<ZoneID, RecordZone> {
    let (saves, deletions) = (request.zones.map(\.zoneID), request.zoneIDs)
    do {
      let answer = try await engine.request(cancelCount) {
        try await $0.modifyRecordZones(saving: request.zones, deleting: request.zoneIDs)
      }
      return try ModifyResults(
        saving: saves, deleting: deletions, answer.saveResults, answer.deleteResults)
    } catch let error as CloudError {
      return ModifyResults(saving: saves, deleting: deletions, failure: error)
    }
  }
}

/// The errors of records in the batches of a send.
private final class RecordErrors: Sendable {
  private let errors = Mutex<[RecordID: CloudError]>([:])

  func add(_ errors: [RecordID: CloudError]) {
    self.errors.withLock { $0.merge(errors) { _, later in later } }
  }

  func throwAny() throws {
    let errors = errors.withLock { $0 }
    guard !errors.isEmpty else { return }
    throw CloudError(.partialFailure, partialErrors: errors)
  }
}

extension MockSyncEngine {
  /// Returns the failed items that the engine sends again.
  fileprivate func itemsToSendAgain<ID, Item>(of results: ModifyResults<ID, Item>) -> Set<ID> {
    let again = results.errors.filter { _, error in
      results.failure != nil ? isToBeRepeated(error) : rules.isHandledOfItem(error)
    }
    return Set(again.keys)
  }
}

extension RecordZoneChangeBatch {
  /// The changes that the batch sends.
  fileprivate var changes: [PendingRecordZoneChange] {
    recordsToSave.map { .saveRecord($0.recordID) } + recordIDsToDelete.map { .deleteRecord($0) }
  }
}

#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordModel
  import Synchronization

  /// The delegate of CloudKit's engine, which calls the app's.
  final class CloudKitDelegate: CKSyncEngineDelegate {
    private struct State {
      weak var delegate: (any SyncEngineDelegate)?
      weak var engine: CloudKitSyncEngine?
      var hasEngine = false
      var waiting: [CheckedContinuation<Void, Never>] = []
      /// The drafts of the last batch. Its event comes before the next batch.
      var drafts: [RecordID: DraftRecord] = [:]
    }

    private let state: Mutex<State>
    private let database: CloudKitDatabase
    private let onError: @Sendable (any Error) -> Void

    init(
      _ delegate: any SyncEngineDelegate, _ database: CloudKitDatabase,
      _ onError: @escaping @Sendable (any Error) -> Void
    ) {
      state = Mutex(State(delegate: delegate))
      self.database = database
      self.onError = onError
    }

    /// Sets the engine that the app's delegate is called with.
    func setEngine(_ engine: CloudKitSyncEngine) {
      let waiting = state.withLock { state in
        (state.engine, state.hasEngine) = (engine, true)
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    /// Returns the app's delegate and engine; nil if one of them is gone.
    private func parts() async -> (any SyncEngineDelegate, CloudKitSyncEngine)? {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.hasEngine { state.waiting.append(continuation) }
          return state.hasEngine
        }
        if isReady { continuation.resume() }
      }
      return state.withLock { state in
        guard let delegate = state.delegate, let engine = state.engine else { return nil }
        return (delegate, engine)
      }
    }

    // MARK: CKSyncEngineDelegate

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
      guard let (delegate, engine) = await parts() else { return }
      let drafts = state.withLock { $0.drafts }
      let converter = EventConverter(
        files: database.container.assetFiles, drafts: drafts, onError: onError)
      guard let converted = converter.event(event) else {
        return onError(
          CloudError(
            .incompatibleVersion, "an event of CKSyncEngine that this version does not know"))
      }
      await delegate.handleEvent(converted, syncEngine: engine)
    }

    func nextRecordZoneChangeBatch(
      _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
      guard let (delegate, engine) = await parts() else { return nil }
      let context = SendChangesContext(context)
      while let batch = await delegate.nextRecordZoneChangeBatch(context, syncEngine: engine),
        !batch.isEmpty
      {
        if let converted = await convert(batch, delegate, engine) { return converted }
      }
      return nil
    }

    func nextFetchChangesOptions(
      _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions {
      guard let (delegate, engine) = await parts() else { return context.options }
      let converted = FetchChangesContext(context)
      let options = await delegate.nextFetchChangesOptions(converted, syncEngine: engine)
      return CKSyncEngine.FetchChangesOptions(options, keeping: context.options.operationGroup)
    }

    /// Converts a batch. Drafts that CloudKit cannot save are reported as failures of the save, and
    /// are no longer pending.
    ///
    /// - Returns: nil if nothing is left.
    private func convert(
      _ batch: RecordZoneChangeBatch, _ delegate: any SyncEngineDelegate,
      _ engine: CloudKitSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
      var failures: [SyncEngineEvent.SentRecordZoneChanges.FailedRecordSave] = []
      var failedDeletes: [RecordID: CloudError] = [:]
      var recordIDs: [CKRecord.ID] = []
      for recordID in batch.recordIDsToDelete {
        do {
          recordIDs.append(try CKRecord.ID(checking: recordID))
        } catch {
          failedDeletes[recordID] = Self.cloudError(error)
        }
      }
      var records: [CKRecord] = []
      do {
        records = try await database.ckRecords(of: batch.recordsToSave)
      } catch {
        // One by one, to find those that cannot be saved.
        for draft in batch.recordsToSave {
          do {
            records += try await database.ckRecords(of: [draft])
          } catch {
            failures.append(.init(record: draft, error: Self.cloudError(error)))
          }
        }
      }
      if !failures.isEmpty || !failedDeletes.isEmpty {
        engine.state.remove(
          pendingRecordZoneChanges: failures.map { .saveRecord($0.record.recordID) }
            + failedDeletes.keys.map { .deleteRecord($0) })
        let event = SyncEngineEvent.SentRecordZoneChanges(
          failedRecordSaves: failures, failedRecordDeletes: failedDeletes)
        await delegate.handleEvent(.sentRecordZoneChanges(event), syncEngine: engine)
      }
      guard !records.isEmpty || !recordIDs.isEmpty else { return nil }
      state.withLock { state in
        state.drafts = Dictionary(
          batch.recordsToSave.map { ($0.recordID, $0) }, uniquingKeysWith: { first, _ in first })
      }
      return CKSyncEngine.RecordZoneChangeBatch(
        recordsToSave: records, recordIDsToDelete: recordIDs, atomicByZone: batch.atomicByZone)
    }

    private static func cloudError(_ error: any Error) -> CloudError {
      error as? CloudError ?? CloudError(.invalidArguments, "\(error)")
    }
  }
#endif

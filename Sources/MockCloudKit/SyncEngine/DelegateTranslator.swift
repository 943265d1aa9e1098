import CloudInterface
import Foundation
import RecordModel

/// The delegate of the mock's engine, which calls one of the framework.
final class DelegateTranslator: SyncEngineDelegate {
  private struct State {
    weak var engine: CKSyncEngine?
    weak var delegate: (any CKSyncEngineDelegate)?
    var clients: [RecordID: SentRecord] = [:]
    /// The states that the delegate may have stored: the last that it was given, and the one before
    /// while it handles the last.
    var delivered: [SyncEngineStateSerialization?]
  }

  private let reader: RecordReader
  private let state: Locked<State>

  /// - Parameter serialization: The state that the engine begins with.
  init(
    _ delegate: any CKSyncEngineDelegate, _ reader: RecordReader,
    startingWith serialization: SyncEngineStateSerialization?
  ) {
    state = Locked(State(delegate: delegate, delivered: [serialization]))
    self.reader = reader
  }

  /// The engine that events name: the newest with the delegate.
  func setEngine(_ engine: CKSyncEngine) { state.with { $0.engine = engine } }

  var delegate: (any CKSyncEngineDelegate)? { state.with { $0.delegate } }

  /// Whether a delegate that has stored a state knows the same as the engine's.
  func hasDelivered(_ serialization: SyncEngineStateSerialization?) -> Bool {
    let data = serialization.flatMap { try? $0.data }
    return state.with { $0.delivered }.contains { $0.flatMap { try? $0.data } == data }
  }

  private var target: (delegate: any CKSyncEngineDelegate, engine: CKSyncEngine)? {
    state.with { state in
      guard let delegate = state.delegate, let engine = state.engine else { return nil }
      return (delegate, engine)
    }
  }

  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {
    guard let target else { return }
    if case .stateUpdate(let update) = event {
      state.with { $0.delivered.append(update.stateSerialization) }
    }
    await target.delegate.handleEvent(await translate(event), syncEngine: target.engine)
    if case .stateUpdate = event {
      state.with { $0.delivered.removeFirst($0.delivered.count - 1) }
    }
  }

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    guard let target,
      let batch = await target.delegate.nextRecordZoneChangeBatch(
        .init(context), syncEngine: target.engine)
    else { return nil }
    state.with { $0.clients = Dictionary(batch.recordsToSave) }
    return RecordZoneChangeBatch(
      recordsToSave: batch.recordsToSave.compactMap(draft),
      recordIDsToDelete: batch.recordIDsToDelete.map { RecordID($0) },
      atomicByZone: batch.atomicByZone)
  }

  /// A record with a value that CloudKit does not store would raise an exception on Apple's platforms.
  private func draft(of record: CKRecord) -> DraftRecord? {
    do {
      return try DraftRecord(record)
    } catch {
      ClientException.raise("\(record.recordID.recordName) cannot be sent: \(error)")
      return nil
    }
  }

  func nextFetchChangesOptions(
    _ context: FetchChangesContext, syncEngine: any SyncEngine
  ) async -> FetchChangesOptions {
    guard let target else { return context.options }
    return await target.delegate.nextFetchChangesOptions(
      .init(context), syncEngine: target.engine
    ).model
  }

  // MARK: Translating

  private func translate(_ event: SyncEngineEvent) async -> CKSyncEngine.Event {
    switch event {
    case .stateUpdate(let update):
      .stateUpdate(.init(stateSerialization: .init(update.stateSerialization)))
    case .accountChange(let change): .accountChange(.init(changeType: type(of: change)))
    case .fetchedDatabaseChanges(let changes):
      .fetchedDatabaseChanges(
        .init(
          modifications: changes.modifications.map { .init($0) },
          deletions: changes.deletions.map { .init($0) }))
    case .fetchedRecordZoneChanges(let changes):
      .fetchedRecordZoneChanges(
        .init(
          modifications: await records(changes.modifications.map(\.record)).map { .init($0) },
          deletions: changes.deletions.map { .init($0) }))
    case .sentDatabaseChanges(let sent): .sentDatabaseChanges(await translate(sent))
    case .sentRecordZoneChanges(let sent): .sentRecordZoneChanges(await translate(sent))
    case .willFetchChanges(let event): .willFetchChanges(.init(context: .init(event.context)))
    case .willFetchRecordZoneChanges(let event):
      .willFetchRecordZoneChanges(.init(zoneID: CKRecordZone.ID(event.zoneID)))
    case .didFetchRecordZoneChanges(let event):
      .didFetchRecordZoneChanges(
        .init(zoneID: CKRecordZone.ID(event.zoneID), error: await error(event.error)))
    case .didFetchChanges(let event): .didFetchChanges(.init(context: .init(event.context)))
    case .willSendChanges(let event): .willSendChanges(.init(context: .init(event.context)))
    case .didSendChanges(let event): .didSendChanges(.init(context: .init(event.context)))
    }
  }

  private func type(
    of change: SyncEngineEvent.AccountChange
  ) -> CKSyncEngine.Event.AccountChange.ChangeType {
    switch change.changeType {
    case .signIn(let user): .signIn(currentUser: CKRecord.ID(user))
    case .signOut(let user): .signOut(previousUser: CKRecord.ID(user))
    case .switchAccounts(let previous, let current):
      .switchAccounts(previousUser: CKRecord.ID(previous), currentUser: CKRecord.ID(current))
    }
  }

  private func translate(
    _ sent: SyncEngineEvent.SentDatabaseChanges
  ) async -> CKSyncEngine.Event.SentDatabaseChanges {
    var failures: [CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave] = []
    for failure in sent.failedZoneSaves {
      guard let error = await error(failure.error) else { continue }
      failures.append(.init(zone: CKRecordZone(failure.zone), error: error))
    }
    var deletes: [CKRecordZone.ID: CKError] = [:]
    for (zoneID, failure) in sent.failedZoneDeletes {
      deletes[CKRecordZone.ID(zoneID)] = await error(failure)
    }
    return .init(
      savedZones: sent.savedZones.map { CKRecordZone($0) }, failedZoneSaves: failures,
      deletedZoneIDs: sent.deletedZoneIDs.map { CKRecordZone.ID($0) }, failedZoneDeletes: deletes)
  }

  private func translate(
    _ sent: SyncEngineEvent.SentRecordZoneChanges
  ) async -> CKSyncEngine.Event.SentRecordZoneChanges {
    let clients = state.current.clients
    var failures: [CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave] = []
    for failure in sent.failedRecordSaves {
      guard let client = clients[failure.record.recordID]?.record,
        let error = await error(failure.error, saving: client)
      else { continue }
      failures.append(.init(record: client, error: error))
    }
    var deletes: [CKRecord.ID: CKError] = [:]
    for (recordID, failure) in sent.failedRecordDeletes {
      deletes[CKRecord.ID(recordID)] = await error(failure)
    }
    return .init(
      savedRecords: await records(sent.savedRecords, saving: clients), failedRecordSaves: failures,
      deletedRecordIDs: sent.deletedRecordIDs.map { CKRecord.ID($0) },
      failedRecordDeletes: deletes)
  }

  private func records(
    _ records: [ResultRecord], saving clients: [RecordID: SentRecord] = [:]
  ) async -> [CKRecord] {
    var result: [CKRecord] = []
    for record in records {
      let saved = await reader.result(.success(record), saving: clients[record.recordID])
      if let record = saved.successValue { result.append(record) }
    }
    return result
  }

  private func error(_ error: CloudError?, saving client: CKRecord? = nil) async -> CKError? {
    guard let error else { return nil }
    return await reader.error(error, saving: client) as? CKError
  }
}

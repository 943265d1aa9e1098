import CloudInterface
import NotesModel
import RecordCoding
import RecordModel

extension NoteLibrary: SyncEngineDelegate {
  /// The number of pending changes that an engine gets at a time: it stores its list whole at each
  /// change.
  private static let maxPending = 1_000

  // MARK: Sending

  /// Adds edits that an engine does not know.
  func addPendingChanges(to engine: any SyncEngine) {
    let scope = engine.database.databaseScope
    guard !fullDatabases.contains(scope) else { return }
    let known = Set(engine.state.pendingRecordZoneChanges)
    let sent = sentDrafts[scope] ?? [:]
    let new = content.pendingChanges(in: scope).filter { change in
      // The list has a change that is being sent until the server's answer; an edit since then has
      // to be added again.
      guard case .saveRecord(let recordID) = change, let draft = sent[recordID] else {
        return !known.contains(change)
      }
      return content.drafts[recordID] != draft
    }
    let count = max(0, Self.maxPending - known.count)
    if count > 0, !new.isEmpty {
      engine.state.add(pendingRecordZoneChanges: Array(new.prefix(count)))
    }
  }

  /// Returns the next edits of a database.
  public func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    let pending = syncEngine.state.pendingRecordZoneChanges.filter {
      context.options.scope.contains($0)
    }
    // Without an edit there is nothing to save: the record was deleted, or sent before.
    let obsolete = pending.filter { change in
      if case .saveRecord(let recordID) = change { content.drafts[recordID] == nil } else { false }
    }
    syncEngine.state.remove(pendingRecordZoneChanges: obsolete)
    let scope = syncEngine.database.databaseScope
    sentDrafts[scope] = [:]
    return await RecordZoneChangeBatch(pendingChanges: pending) { recordID in
      await self.draftToSend(recordID, in: scope)
    }
  }

  private func draftToSend(_ recordID: RecordID, in scope: DatabaseScope) -> DraftRecord? {
    let draft = content.drafts[recordID]
    sentDrafts[scope]?[recordID] = draft
    return draft
  }

  // MARK: Events

  /// Handles an event of an engine.
  public func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {
    let scope = syncEngine.database.databaseScope
    do {
      switch event {
      case .stateUpdate(let update):
        if !hasLostChanges { try store([.engineState(scope, update.stateSerialization)]) }
      case .accountChange(let change): try handle(change, syncEngine)
      case .fetchedDatabaseChanges(let changes):
        // Deleted, purged or reset: the user does not want the data any more, on any device.
        try storeFetched(changes.deletions.map { .zoneRemoved($0.zoneID) })
      case .fetchedRecordZoneChanges(let changes):
        try storeFetched(
          changes.modifications.flatMap { content.entries(for: $0.record) }
            + changes.deletions.map { .removed($0.recordID) })
      case .sentRecordZoneChanges(let changes): try handle(changes, syncEngine)
      // Changes that are added after a failed batch, and before the send has ended, would wait.
      case .didSendChanges: addPendingChanges(to: syncEngine)
      default: break
      }
    } catch {
      // The device is full. The edits stay, and the engine's stored state is older than them.
    }
  }

  private func handle(
    _ change: SyncEngineEvent.AccountChange, _ engine: any SyncEngine
  ) throws {
    switch change.changeType {
    case .signOut:
      if content.user != nil { try store([.signedOut]) }
    case .signIn(let user), .switchAccounts(_, let user):
      // Both engines report the change.
      if let last = content.user, last != user { try store([.signedOut]) }
      if content.user == nil { try store([.user(user)]) }
      if engine.database.databaseScope == .private {
        engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: .notes))])
      }
      // The engine has cleared its list, also of edits that were made just now.
      addPendingChanges(to: engine)
    }
  }

  /// Stores fetched changes, which do not come again.
  private func storeFetched(_ entries: [Journal.Entry]) throws {
    do {
      try store(entries)
    } catch {
      hasLostChanges = true
      throw error
    }
  }

  private func handle(
    _ changes: SyncEngineEvent.SentRecordZoneChanges, _ engine: any SyncEngine
  ) throws {
    let scope = engine.database.databaseScope
    let sent = sentDrafts.removeValue(forKey: scope) ?? [:]
    var entries: [Journal.Entry] = []
    for record in changes.savedRecords {
      entries += content.entries(forSaved: record, sentAs: sent[record.recordID])
    }
    for failure in changes.failedRecordSaves {
      entries += handle(failure.error, of: failure.record.recordID, engine)
    }
    entries += changes.deletedRecordIDs.map { .removed($0) }
    for (recordID, error) in changes.failedRecordDeletes
    where [.unknownItem, .zoneNotFound, .userDeletedZone].contains(error.code) {
      entries.append(.removed(recordID))
    }
    try store(entries)
  }

  /// Handles the error of a record. An edit that stays is added again when the send has ended.
  private func handle(
    _ error: CloudError, of recordID: RecordID, _ engine: any SyncEngine
  ) -> [Journal.Entry] {
    guard let draft = content.drafts[recordID] else { return [] }
    switch error.code {
    case .serverRecordChanged:
      return error.serverRecord.map { content.entries(for: $0) } ?? []
    case .zoneNotFound where recordID.databaseScope == .private,
      .userDeletedZone where recordID.databaseScope == .private:
      engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: .notes))])
      return [.removed(recordID), .draft(draft.asNewRecord)]
    case .unknownItem, .zoneNotFound, .userDeletedZone:
      // Another device has deleted it, or the owner has ended the share.
      return [.removed(recordID)]
    case .referenceViolation:
      // Another device has deleted the folder.
      var detached = draft
      Note.detach(&detached)
      return [.draft(detached)]
    case .quotaExceeded:
      fullDatabases.insert(recordID.databaseScope)
      return []
    default:
      return []
    }
  }
}

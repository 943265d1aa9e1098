import Foundation
import RecordPackTesting
import Synchronization

/// The store of a simulated app: notes that are sets of words. Words of two devices are joined, and a
/// deletion wins.
///
/// The disk outlives the app. A store reads it when the app starts.
final class WordStore: SyncEngineDelegate {
  struct Note: Sendable {
    var words: Set<String> = []
    var base: ResultRecord?
  }

  /// The data that the app writes to the disk together.
  struct Disk: Sendable {
    /// The user whose notes these are.
    var user: String
    /// The notes of the users who were signed in before.
    var others: [String: Disk] = [:]
    var all: [RecordID: Note] = [:]
    var dirty: Set<RecordID> = []
    var deletions: Set<RecordID> = []
    /// Zones that the server has not acknowledged.
    var newZones: Set<ZoneID> = []
    var deletedZones: Set<ZoneID> = []
    /// Zones and records that were deleted; no name is used twice.
    var gone: Set<RecordID> = []
    var goneZones: Set<ZoneID> = []
    var states: [SyncEngineStateSerialization] = []
  }

  private struct State {
    var disk: Disk
    /// Changes to add again when the send has ended.
    var again: [PendingRecordZoneChange] = []
    var zonesAgain: [PendingDatabaseChange] = []
    /// The number of events until the app is killed.
    var life: Int
    /// An action of the person or the system, and the number of events until then.
    var action: (events: Int, run: @Sendable () -> Void)?
  }

  private let state: Mutex<State>
  private let isKilled: @Sendable () -> Bool
  private let kill: @Sendable (any SyncEngine) -> Void

  /// Starts the app.
  init(
    _ disk: Disk, life: Int, isKilled: @escaping @Sendable () -> Bool,
    kill: @escaping @Sendable (any SyncEngine) -> Void
  ) {
    state = Mutex(State(disk: disk, life: life))
    self.isKilled = isKilled
    self.kill = kill
  }

  var disk: Disk { state.withLock { $0.disk } }

  /// Tells a new engine the unsent changes of the disk.
  func start(_ engine: any SyncEngine) {
    // An older state may save a zone again that the user has deleted since.
    let newZones = disk.newZones
    let known = engine.state.pendingDatabaseChanges.filter { change in
      if case .saveZone(let zone) = change { !newZones.contains(zone.zoneID) } else { false }
    }
    engine.state.remove(pendingDatabaseChanges: known)
    addAll(engine)
  }

  private func addAll(_ engine: any SyncEngine) {
    let disk = disk
    engine.state.add(
      pendingDatabaseChanges: disk.newZones.sorted().map { .saveZone(RecordZone(zoneID: $0)) }
        + disk.deletedZones.sorted().map { .deleteZone($0) })
    engine.state.add(
      pendingRecordZoneChanges: disk.dirty.sorted().map { .saveRecord($0) }
        + disk.deletions.sorted().map { .deleteRecord($0) })
  }

  /// Lets something happen after the next events, before the app has handled the last of them.
  func after(_ events: Int, _ run: @escaping @Sendable () -> Void) {
    state.withLock { $0.action = (events, run) }
  }

  // MARK: Editing

  func add(_ word: String, to id: RecordID, _ engine: any SyncEngine) {
    state.withLock { state in
      state.disk.all[id, default: Note()].words.insert(word)
      state.disk.dirty.insert(id)
    }
    engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
  }

  func delete(_ id: RecordID, _ engine: any SyncEngine) {
    state.withLock { state in
      state.disk.all[id] = nil
      state.disk.dirty.remove(id)
      state.disk.deletions.insert(id)
      state.disk.gone.insert(id)
    }
    engine.state.add(pendingRecordZoneChanges: [.deleteRecord(id)])
  }

  func create(_ zoneID: ZoneID, _ engine: any SyncEngine) {
    state.withLock { _ = $0.disk.newZones.insert(zoneID) }
    engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: zoneID))])
  }

  func delete(_ zoneID: ZoneID, _ engine: any SyncEngine) {
    state.withLock { state in
      state.disk.forget(zoneID)
      state.disk.deletedZones.insert(zoneID)
    }
    engine.state.add(pendingDatabaseChanges: [.deleteZone(zoneID)])
  }

  // MARK: Events

  func handleEvent(_ event: SyncEngine.Event, syncEngine: any SyncEngine) async {
    // The app may be killed before it handles an event …
    let (life, action) = state.withLock { state in
      state.life -= 1
      state.action?.events -= 1
      guard state.action?.events == 0 else { return (state.life, nil as (@Sendable () -> Void)?) }
      defer { state.action = nil }
      return (state.life, state.action?.run)
    }
    if isKilled() || life == 0 { return kill(syncEngine) }
    action?()
    handle(event, syncEngine)
    // … or after.
    if life == 1 { kill(syncEngine) }
  }

  private func handle(_ event: SyncEngine.Event, _ engine: any SyncEngine) {
    switch event {
    case .stateUpdate(let update):
      state.withLock { $0.disk.states.append(update.stateSerialization) }
    case .accountChange(let change):
      state.withLock { state in
        // Older states know a user whose notes are no longer here.
        state.disk.states = []
        (state.again, state.zonesAgain) = ([], [])
      }
      switch change.changeType {
      case .signOut: break
      case .signIn(let user), .switchAccounts(_, let user):
        state.withLock { $0.disk.signIn(user.recordName) }
        addAll(engine)
      }
    case .fetchedDatabaseChanges(let changes):
      state.withLock { state in
        for deletion in changes.deletions { state.disk.forget(deletion.zoneID) }
      }
    case .fetchedRecordZoneChanges(let changes):
      let returned = state.withLock { state in
        for change in changes.modifications { state.disk.merge(change.record) }
        for deletion in changes.deletions { state.disk.forget(deletion.recordID) }
        // A device that has never heard of its save saves a note again, and makes it anew if it was
        // deleted meanwhile. The app deletes it again.
        let returned = changes.modifications.map(\.record.recordID).filter {
          state.disk.gone.contains($0) && !state.disk.goneZones.contains($0.zoneID)
        }
        state.disk.deletions.formUnion(returned)
        return returned
      }
      engine.state.add(pendingRecordZoneChanges: returned.map { .deleteRecord($0) })
    case .sentDatabaseChanges(let sent): handle(sent)
    case .sentRecordZoneChanges(let sent): handle(sent)
    case .didSendChanges:
      let (records, zones) = state.withLock { state in
        defer { (state.again, state.zonesAgain) = ([], []) }
        return (state.again, state.zonesAgain)
      }
      engine.state.add(pendingDatabaseChanges: zones)
      engine.state.add(pendingRecordZoneChanges: records)
    default: break
    }
  }

  private func handle(_ sent: SyncEngineEvent.SentDatabaseChanges) {
    state.withLock { state in
      for zone in sent.savedZones { state.disk.newZones.remove(zone.zoneID) }
      for zoneID in sent.deletedZoneIDs { state.disk.deletedZones.remove(zoneID) }
      for failure in sent.failedZoneSaves where !failure.error.isRetriedByEngine {
        state.zonesAgain.append(.saveZone(failure.zone))
      }
      for (zoneID, error) in sent.failedZoneDeletes where !error.isRetriedByEngine {
        if [.zoneNotFound, .userDeletedZone].contains(error.code) {
          state.disk.deletedZones.remove(zoneID)
        } else {
          state.zonesAgain.append(.deleteZone(zoneID))
        }
      }
    }
  }

  private func handle(_ sent: SyncEngineEvent.SentRecordZoneChanges) {
    state.withLock { state in
      for record in sent.savedRecords { state.disk.merge(record) }
      for id in sent.deletedRecordIDs { state.disk.deletions.remove(id) }
      for failure in sent.failedRecordSaves where !failure.error.isRetriedByEngine {
        let id = failure.record.recordID
        switch failure.error.code {
        case .serverRecordChanged:
          if let server = failure.error.serverRecord { state.disk.merge(server) }
        case .unknownItem: state.disk.forget(id)
        case .zoneNotFound, .userDeletedZone:
          if state.disk.newZones.contains(id.zoneID) {
            state.zonesAgain.append(.saveZone(RecordZone(zoneID: id.zoneID)))
          } else {
            state.disk.forget(id.zoneID)
          }
        default: break
        }
        if state.disk.dirty.contains(id) { state.again.append(.saveRecord(id)) }
      }
      for (id, error) in sent.failedRecordDeletes where !error.isRetriedByEngine {
        switch error.code {
        case .unknownItem, .zoneNotFound, .userDeletedZone: state.disk.deletions.remove(id)
        default: state.again.append(.deleteRecord(id))
        }
      }
      // Words that were added while the note was sent.
      for record in sent.savedRecords where state.disk.dirty.contains(record.recordID) {
        state.again.append(.saveRecord(record.recordID))
      }
    }
  }

  func nextRecordZoneChangeBatch(
    _ context: SyncEngine.SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    let changes = syncEngine.state.pendingRecordZoneChanges.filter {
      context.options.scope.contains($0)
    }
    return await RecordZoneChangeBatch(pendingChanges: changes) { id in
      let (note, isDirty) = self.state.withLock {
        ($0.disk.all[id], $0.disk.dirty.contains(id))
      }
      guard let note, isDirty else {
        syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(id)])
        return nil
      }
      var draft =
        note.base.map { DraftRecord($0) } ?? DraftRecord(recordType: "Note", recordID: id)
      draft["words"] = note.words.sorted()
      return draft
    }
  }
}

extension WordStore.Disk {
  /// Joins a version of the server with what the device has.
  fileprivate mutating func merge(_ record: ResultRecord) {
    let id = record.recordID
    guard record.recordType == "Note", !gone.contains(id), !goneZones.contains(id.zoneID) else {
      return
    }
    let words = Set(record["words"] as [String]? ?? [])
    var note = all[id] ?? WordStore.Note()
    if note.base.map({ record.isNewer(than: $0) }) ?? true { note.base = record }
    // The device sends the words that the newest version lacks.
    note.words.formUnion(words)
    all[id] = note
    let known = Set(note.base?["words"] as [String]? ?? [])
    if note.words == known { dirty.remove(id) } else { dirty.insert(id) }
  }

  /// Takes the notes of a user in the place of those of another one.
  fileprivate mutating func signIn(_ name: String) {
    if name != user {
      var (next, last) = (others[name] ?? WordStore.Disk(user: name), self)
      last.others = [:]
      next.others = others
      next.others[name] = nil
      next.others[user] = last
      self = next
    }
    // All that exists comes again, and no deletion of a zone: only the unsent changes stay.
    all = all.filter { dirty.contains($0.key) }
  }

  fileprivate mutating func forget(_ id: RecordID) {
    all[id] = nil
    dirty.remove(id)
    deletions.remove(id)
    gone.insert(id)
  }

  fileprivate mutating func forget(_ zoneID: ZoneID) {
    for id in Set(all.keys).union(deletions) where id.zoneID == zoneID { forget(id) }
    newZones.remove(zoneID)
    goneZones.insert(zoneID)
  }
}

extension CloudError {
  /// The codes after which an engine tries again by itself (Apple's `CKSyncEngine.h`).
  fileprivate var isRetriedByEngine: Bool {
    ErrorTests.handled.contains(code) || code == .operationCancelled
  }
}

extension ResultRecord {
  /// Whether the version is newer: change tags of a container grow.
  fileprivate func isNewer(than other: ResultRecord) -> Bool {
    let (mine, theirs) = (recordChangeTag ?? "", other.recordChangeTag ?? "")
    if mine.utf8.count != theirs.utf8.count { return mine.utf8.count > theirs.utf8.count }
    return mine > theirs
  }
}

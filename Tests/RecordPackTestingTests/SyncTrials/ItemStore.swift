import CloudInterface
import Foundation
import RecordCoding
import RecordModel
import RecordPackTesting

/// A mistake of an app, which one of the trials finds.
enum Mistake: String, CaseIterable, Sendable {
  /// Sends from its delegate.
  case sendsFromDelegate
  /// Sends from a task that its delegate creates.
  case sendsFromTaskOfDelegate
  /// Adds failed changes again before the send has ended.
  case addsDuringEvent
  /// Gives up records that failed with others.
  case givesUpNeighbours
  /// Gives up records that exceed the quota.
  case givesUpOverQuota
  /// Adds records that exceed the quota again at once, in a task of its own.
  case addsOverQuotaInTask
  /// Shows each fetched record, however old.
  case showsOlderVersions
  /// Drops records whose parent it does not have.
  case dropsOrphans
  /// Stores the engine's state after a write has failed.
  case ignoresFailedWrites
  /// Has no list of unsent edits.
  case hasNoListOfEdits
  /// Does not add its edits again when the user signs in.
  case ignoresSignIn
  /// Leaves changes pending whose record it does not have.
  case leavesMissingPending
  /// Shows a saved record, though the user has edited it since.
  case overwritesNewerEdits
  /// Gives up when its zone does not exist.
  case givesUpWithoutZone
  /// Keeps the items of a deleted zone.
  case keepsDeletedZones
  /// Sends the items of a purged zone again.
  case sendsPurgedZones
  /// Keeps the items of the last user.
  case mixesAccounts
  /// Sends everything in one request.
  case sendsAllAtOnce
  /// Gives all edits to the engine at once.
  case addsAllAtOnce
  /// Saves without the system fields of the server's record.
  case forgetsSystemFields
  /// Forgets that an item was deleted when a fetch brings it.
  case showsDeletedItems
}

/// The store of a small app, with or without one mistake.
actor ItemStore: SyncEngineDelegate {
  private static let zoneID = ZoneID(zoneName: "Items")
  /// The number of pending changes that the engine gets at a time: its state is stored whole.
  private static let maxPending = 1_000

  private let device: SyncTrialDevice
  private let mistake: Mistake?
  private var journal: Journal
  private var engine: (any SyncEngine)?
  private var user: RecordID?
  /// The records as the server had them.
  private var records: [String: ResultRecord] = [:]
  /// The unsent edits.
  private var drafts: [String: DraftRecord] = [:]
  private var deletions: Set<String> = []
  /// The drafts of the running request.
  private var inFlight: [String: DraftRecord] = [:]
  /// Whether the storage is full: the edits wait for the next start, or the next edit.
  private var isFull = false
  /// Whether fetched records were lost, so that later states of the engine must not be stored.
  private var hasLostChanges = false

  init(_ device: SyncTrialDevice, mistake: Mistake? = nil) async throws {
    self.device = device
    self.mistake = mistake
    journal = Journal(url: device.folder.appendingPathComponent("journal"))
    var state: SyncEngineStateSerialization?
    for entry in try journal.read() {
      switch entry {
      case .engine(let newer): state = newer
      default: take(entry)
      }
    }
    if mistake == .hasNoListOfEdits { (drafts, deletions) = ([:], []) }
    engine = device.engine(
      SyncEngineConfiguration(
        database: device.container.privateCloudDatabase, stateSerialization: state, delegate: self))
    addPending()
  }

  nonisolated var trialStore: SyncTrialStore {
    SyncTrialStore(
      set: { try await self.set($0) }, delete: { try await self.edit([.deletion($0)]) },
      items: { await self.items() })
  }

  // MARK: Edits

  private func items() -> [String: String] {
    var items: [String: String] = [:]
    for name in Set(records.keys).union(drafts.keys).subtracting(deletions) {
      items[name] = (drafts[name] ?? records[name].map { DraftRecord($0) })?["text"] ?? ""
    }
    return items
  }

  private func set(_ items: [SyncTrialItem]) throws {
    var entries: [Journal.Entry] = []
    for item in items {
      // The server may still have the record of a deleted item.
      var draft =
        (item.isNew ? nil : drafts[item.name]) ?? records[item.name].map { DraftRecord($0) }
        ?? DraftRecord(recordType: "Item", recordID: id(item.name))
      draft["text"] = item.text
      if item.isNew {
        entries.append(.restore(item.name))
        draft.parent = item.parent.map { Reference(recordID: id($0)) }
      }
      entries.append(.draft(item.name, draft))
    }
    try edit(entries)
  }

  private func edit(_ entries: [Journal.Entry]) throws {
    try store(entries)
    isFull = false
    addPending()
  }

  // MARK: The engine

  /// Adds the unsent edits that the engine does not know, some at a time.
  private func addPending() {
    guard let state = engine?.state, !isFull else { return }
    let known = Set(state.pendingRecordZoneChanges)
    let room = (mistake == .addsAllAtOnce ? .max : Self.maxPending) - known.count
    guard room > 0 else { return }
    var changes: [PendingRecordZoneChange] = drafts.keys.sorted().map { .saveRecord(id($0)) }
    changes += deletions.sorted().map { .deleteRecord(id($0)) }
    let new = changes.filter { !known.contains($0) || inFlight[$0.recordName] != nil }
    if !new.isEmpty { state.add(pendingRecordZoneChanges: Array(new.prefix(room))) }
  }

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    let pending = syncEngine.state.pendingRecordZoneChanges.filter {
      context.options.scope.contains($0)
    }
    inFlight = [:]
    if mistake == .sendsAllAtOnce {
      guard !pending.isEmpty else { return nil }
      var batch = RecordZoneChangeBatch()
      for change in pending {
        switch change {
        case .saveRecord(let recordID):
          if let draft = take(recordID) { batch.recordsToSave.append(draft) }
        case .deleteRecord(let recordID): batch.recordIDsToDelete.append(recordID)
        }
      }
      return batch
    }
    let batch = await RecordZoneChangeBatch(pendingChanges: pending) { await self.take($0) }
    if mistake != .leavesMissingPending {
      let missing = pending.filter { change in
        if case .saveRecord(let recordID) = change {
          drafts[recordID.recordName] == nil
        } else {
          false
        }
      }
      syncEngine.state.remove(pendingRecordZoneChanges: missing)
    }
    return batch
  }

  /// Returns the record to send.
  private func take(_ recordID: RecordID) -> DraftRecord? {
    guard var draft = drafts[recordID.recordName], !deletions.contains(recordID.recordName) else {
      return nil
    }
    inFlight[recordID.recordName] = draft
    if mistake == .forgetsSystemFields { draft = copy(of: draft) }
    return draft
  }

  /// Returns a draft of a new record with the same fields.
  private func copy(of draft: DraftRecord) -> DraftRecord {
    var new = DraftRecord(recordType: draft.recordType, recordID: draft.recordID)
    for field in draft.fields {
      new.setField(field.name, to: field.value, isEncrypted: field.isEncrypted)
    }
    new.parent = draft.parent
    return new
  }

  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {
    do {
      switch event {
      case .stateUpdate(let update):
        if !hasLostChanges { try store([.engine(update.stateSerialization)]) }
      case .accountChange(let change): try handle(change)
      case .fetchedDatabaseChanges(let changes): try handle(changes)
      case .fetchedRecordZoneChanges(let changes):
        do {
          try handle(changes)
        } catch {
          hasLostChanges = mistake != .ignoresFailedWrites
        }
      case .sentRecordZoneChanges(let changes):
        try handle(changes, syncEngine.state)
        if !changes.failedRecordSaves.isEmpty || mistake == .addsDuringEvent {
          switch mistake {
          case .sendsFromDelegate: try await syncEngine.sendChanges()
          case .sendsFromTaskOfDelegate: Task { try await syncEngine.sendChanges() }
          case .addsDuringEvent: addPending()
          case .addsOverQuotaInTask:
            Task {
              isFull = false
              addPending()
            }
          default: break
          }
        }
      case .didSendChanges:
        if mistake != .addsDuringEvent { addPending() }
      default: break
      }
    } catch {
      // The app is being killed, or the disk is full: the edits stay in the list.
    }
  }

  private func handle(_ change: SyncEngineEvent.AccountChange) throws {
    switch change.changeType {
    case .signIn(let current):
      if let user, user != current, mistake != .mixesAccounts { try store([.removeAll]) }
      try store([.user(current)])
    case .switchAccounts(_, let current):
      if mistake != .mixesAccounts { try store([.removeAll]) }
      try store([.user(current)])
    case .signOut:
      if mistake != .mixesAccounts { try store([.removeAll]) }
      return
    }
    guard mistake != .ignoresSignIn else { return }
    engine?.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: Self.zoneID))])
    addPending()
  }

  private func handle(_ changes: SyncEngineEvent.FetchedDatabaseChanges) throws {
    for deletion in changes.deletions where deletion.zoneID == Self.zoneID {
      if mistake == .keepsDeletedZones { continue }
      if mistake == .sendsPurgedZones, deletion.reason == .purged {
        let drafts = records.values.map { copy(of: DraftRecord($0)) }
        try store([.removeItems] + drafts.map { .draft($0.recordID.recordName, $0) })
        engine?.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: Self.zoneID))])
        addPending()
        continue
      }
      try store([.removeItems])
    }
  }

  private func handle(_ changes: SyncEngineEvent.FetchedRecordZoneChanges) throws {
    var entries: [Journal.Entry] = []
    for record in changes.modifications.map(\.record) {
      let name = record.recordID.recordName
      if let known = records[name], mistake != .showsOlderVersions,
        isOlder(record, than: known)
      {
        continue
      }
      if mistake == .dropsOrphans, let parent = record.parent?.recordID.recordName,
        records[parent] == nil
      {
        continue
      }
      if mistake == .showsDeletedItems, deletions.contains(name) {
        entries.append(.restore(name))
        engine?.state.remove(pendingRecordZoneChanges: [.deleteRecord(id(name))])
      }
      entries += merged(record)
    }
    entries += changes.deletions.map { .remove($0.recordID.recordName) }
    try store(entries)
  }

  private func isOlder(_ record: ResultRecord, than known: ResultRecord) -> Bool {
    guard let date = record.modificationDate, let knownDate = known.modificationDate else {
      return false
    }
    return date < knownDate
  }

  /// The server's record, and the draft on top of it.
  private func merged(_ record: ResultRecord) -> [Journal.Entry] {
    let name = record.recordID.recordName
    guard let draft = drafts[name] else { return [.record(record)] }
    let merged = draft.merging(record)
    return [.record(record), merged == DraftRecord(record) ? .sent(name) : .draft(name, merged)]
  }

  private func handle(
    _ changes: SyncEngineEvent.SentRecordZoneChanges, _ state: any SyncEngineState
  ) throws {
    var entries: [Journal.Entry] = []
    for record in changes.savedRecords {
      let name = record.recordID.recordName
      let (sent, draft) = (inFlight[name], drafts[name])
      entries.append(.record(record))
      if let draft, let sent, draft != sent, mistake != .overwritesNewerEdits {
        var newer = DraftRecord(record)
        newer["text"] = draft["text"] as String?
        entries.append(.draft(name, newer))
      } else {
        entries.append(.sent(name))
      }
    }
    for failure in changes.failedRecordSaves {
      let name = failure.record.recordID.recordName
      switch failure.error.code {
      case .serverRecordChanged:
        if let record = failure.error.serverRecord {
          entries += merged(record)
        }
      case .zoneNotFound, .userDeletedZone:
        if mistake == .givesUpWithoutZone {
          entries.append(.sent(name))
        } else if let draft = drafts[name] {
          entries += [.forget(name), .draft(name, copy(of: draft))]
          state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: Self.zoneID))])
        }
      case .unknownItem: entries.append(.remove(name))
      case .referenceViolation:
        // Another device has deleted the parent.
        if var draft = drafts[name] {
          draft.parent = nil
          entries.append(.draft(name, draft))
        }
      case .limitExceeded: isFull = true
      case .quotaExceeded:
        isFull = true
        if mistake == .givesUpOverQuota { entries.append(.sent(name)) }
      case .batchRequestFailed:
        if mistake == .givesUpNeighbours { entries.append(.sent(name)) }
      default: break
      }
    }
    entries += changes.deletedRecordIDs.map { .remove($0.recordName) }
    for (recordID, error) in changes.failedRecordDeletes
    where [.unknownItem, .zoneNotFound, .userDeletedZone].contains(error.code) {
      entries.append(.remove(recordID.recordName))
    }
    inFlight = [:]
    try store(entries)
  }

  // MARK: Storage

  /// Writes entries, and only then works with them.
  private func store(_ entries: [Journal.Entry]) throws {
    guard !entries.isEmpty else { return }
    try device.checkWrite()
    try journal.append(entries)
    for entry in entries { take(entry) }
  }

  private func take(_ entry: Journal.Entry) {
    switch entry {
    case .engine: break
    case .user(let recordID): user = recordID
    case .record(let record): records[record.recordID.recordName] = record
    case .draft(let name, let draft): drafts[name] = draft
    case .sent(let name): drafts[name] = nil
    case .deletion(let name):
      drafts[name] = nil
      deletions.insert(name)
    case .restore(let name): deletions.remove(name)
    case .forget(let name): records[name] = nil
    case .remove(let name):
      (records[name], drafts[name]) = (nil, nil)
      deletions.remove(name)
    case .removeItems: (records, drafts, deletions) = ([:], [:], [])
    case .removeAll: (records, drafts, deletions, user) = ([:], [:], [], nil)
    }
  }

  private func id(_ name: String) -> RecordID {
    RecordID(recordName: name, zoneID: Self.zoneID)
  }
}

extension PendingRecordZoneChange {
  fileprivate var recordName: String {
    switch self {
    case .saveRecord(let recordID), .deleteRecord(let recordID): recordID.recordName
    }
  }
}

/// A file of entries, each a line, which grows.
struct Journal {
  enum Entry: Codable {
    case engine(SyncEngineStateSerialization)
    case user(RecordID)
    case record(ResultRecord)
    case draft(String, DraftRecord)
    case sent(String)
    case deletion(String)
    case restore(String)
    case forget(String)
    case remove(String)
    case removeItems
    case removeAll
  }

  let url: URL

  /// Reads the entries. The last line is incomplete if the app was killed while it was written.
  func read() throws -> [Entry] {
    guard let data = try? Data(contentsOf: url) else { return [] }
    return data.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(Entry.self, from: $0)
    }
  }

  func append(_ entries: [Entry]) throws {
    let encoder = JSONEncoder()
    var data = Data()
    for entry in entries {
      data += try encoder.encode(entry)
      data.append(UInt8(ascii: "\n"))
    }
    if let file = FileHandle(forWritingAtPath: url.path) {
      defer { try? file.close() }
      try file.seekToEnd()
      try file.write(contentsOf: data)
    } else {
      try data.write(to: url)
    }
  }
}

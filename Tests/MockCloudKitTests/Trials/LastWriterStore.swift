import Foundation

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// A mistake in an app that knows nothing of the trials.
enum StoreMistake: String, CaseIterable, Sendable {
  /// Takes an item for deleted, though the server has rejected the deletion.
  case ignoresFailedDeletions
  /// Gives up an item whose parent is gone.
  case givesUpChildren
  /// Sends hand-made batches without a look at their size.
  case sendsLargeBatches
  /// Deletes what a fetch of everything did not bring, though the fetch has failed.
  case sweepsAfterFailedFetches
  /// Makes its zone once, and not again after another device has deleted it.
  case makesZoneOnce
  /// Sends the edits of the last user as the next one.
  case keepsEditsOfLastUser
  /// Does not keep its engine.
  case losesEngine
  /// Adds a default item before the first fetch, with a name of its own.
  case addsDefaultItem
  /// Adds a default item before the first fetch, which replaces the user's.
  case replacesDefaultItem
  /// Does not notice that a deleted item is added again.
  case staysDeleted
  /// Sends what it has fetched.
  case sendsFetchedItems
  /// Waits in its delegate for a task that calls the engine.
  case waitsForEngine
  /// Gives up items that fail for any reason.
  case givesUpFailedItems
  /// Gives up an item after a conflict without the server's record.
  case givesUpWithoutRecord
  /// Saves a parent that belongs to itself, for which CloudKit raises an exception.
  case raisesException
}

/// An app's store without a journal: each item has a flag for unsent edits, and the later of two edits
/// wins, by the devices' dates. The app imports CloudKit and knows nothing of the trials.
actor LastWriterStore: CKSyncEngineDelegate {
  struct Item: Codable, Equatable {
    var text: String
    var edited: Date
    var parent: String?
    var isUnsent = true
    var isDeleted = false
    /// The system fields of the server's record.
    var record: Data?
  }

  private struct Contents: Codable {
    var items: [String: Item] = [:]
    var user: String?
  }

  private static let zoneID = CKRecordZone.ID(zoneName: "Items")
  private let mistake: StoreMistake?
  private let folder: URL
  private var contents = Contents()
  private var engine: CKSyncEngine?
  /// Items that wait for the next launch, edit or activation, because the storage is full.
  private var isFull = false
  private var hasMadeZone = false
  private var fetched: Set<String>?

  init(folder: URL, mistake: StoreMistake? = nil) async {
    self.folder = folder
    self.mistake = mistake
    if let data = try? Data(contentsOf: folder.appendingPathComponent("items")) {
      contents = (try? JSONDecoder().decode(Contents.self, from: data)) ?? Contents()
    } else {
      addDefaultItem()
    }
    let state = (try? Data(contentsOf: folder.appendingPathComponent("state")))
      .flatMap { try? JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: $0) }
    let engine = CKSyncEngine(
      CKSyncEngine.Configuration(
        database: CKContainer.default().privateCloudDatabase, stateSerialization: state,
        delegate: self))
    if mistake != .losesEngine { self.engine = engine }
    addPending()
  }

  private func addDefaultItem() {
    switch mistake {
    case .addsDefaultItem: contents.items[UUID().uuidString] = Item(text: "Inbox", edited: now())
    case .replacesDefaultItem: contents.items["Inbox"] = Item(text: "Inbox", edited: now())
    default: break
    }
  }

  // MARK: Edits

  var items: [String: Item] { contents.items.filter { !$0.value.isDeleted } }

  func add(_ name: String, _ text: String, parent: String?) {
    if mistake == .staysDeleted, contents.items[name]?.isDeleted == true { return }
    contents.items[name] = Item(
      text: text, edited: now(), parent: parent, record: contents.items[name]?.record)
  }

  func change(_ name: String, _ text: String) {
    guard let item = contents.items[name], !item.isDeleted else { return }
    contents.items[name] = Item(
      text: text, edited: now(), parent: item.parent, record: item.record)
  }

  func delete(_ name: String) throws {
    contents.items[name]?.isDeleted = true
    contents.items[name]?.isUnsent = true
    try finishEdits()
  }

  func finishEdits() throws {
    try save()
    activate()
  }

  func activate() {
    isFull = false
    addPending()
  }

  /// A date that CloudKit stores as it is.
  private func now() -> Date {
    Date(timeIntervalSince1970: (Date().timeIntervalSince1970 * 1000).rounded() / 1000)
  }

  private func save() throws {
    try JSONEncoder().encode(contents).replaceFile(
      at: folder.appendingPathComponent("items"))
  }

  // MARK: The engine

  private func addPending() {
    guard let state = engine?.state, !isFull else { return }
    let known = Set(state.pendingRecordZoneChanges)
    let unsent = contents.items.filter { $0.value.isUnsent }.sorted { $0.key < $1.key }
    let changes = unsent.map { name, item -> CKSyncEngine.PendingRecordZoneChange in
      item.isDeleted ? .deleteRecord(id(name)) : .saveRecord(id(name))
    }
    let new = changes.filter { !known.contains($0) }.prefix(max(0, 1_000 - known.count))
    if !new.isEmpty { state.add(pendingRecordZoneChanges: Array(new)) }
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    let pending = syncEngine.state.pendingRecordZoneChanges.filter {
      context.options.scope.contains($0)
    }
    if mistake == .sendsLargeBatches, !pending.isEmpty {
      var batch = CKSyncEngine.RecordZoneChangeBatch()
      for change in pending.prefix(200) {
        switch change {
        case .saveRecord(let id): if let record = record(id) { batch.recordsToSave.append(record) }
        case .deleteRecord(let id): batch.recordIDsToDelete.append(id)
        }
      }
      return batch
    }
    return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: pending) { id in
      let record = await self.record(id)
      if record == nil { syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(id)]) }
      return record
    }
  }

  private func record(_ id: CKRecord.ID) -> CKRecord? {
    guard let item = contents.items[id.recordName], !item.isDeleted else { return nil }
    let record =
      item.record.flatMap { CKRecord(archived: $0) } ?? CKRecord(recordType: "Item", recordID: id)
    record["text"] = item.text
    record["edited"] = item.edited
    record["parentName"] = item.parent
    if let parent = item.parent {
      let action: CKRecord.ReferenceAction = mistake == .raisesException ? .deleteSelf : .none
      record.parent = CKRecord.Reference(recordID: self.id(parent), action: action)
    } else if record.parent != nil {
      record.parent = nil
    }
    return record
  }

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    do {
      switch event {
      case .stateUpdate(let update):
        try JSONEncoder().encode(update.stateSerialization).replaceFile(
          at: folder.appendingPathComponent("state"))
      case .accountChange(let change): try handle(change)
      case .fetchedDatabaseChanges(let changes):
        if changes.deletions.contains(where: { $0.zoneID == Self.zoneID }) {
          contents.items = [:]
          try save()
        }
      case .fetchedRecordZoneChanges(let changes): try handle(changes)
      case .sentRecordZoneChanges(let sent): try handle(sent, syncEngine.state)
      case .didFetchChanges: try sweep()
      case .didSendChanges:
        if mistake == .waitsForEngine, contents.items.values.contains(where: \.isUnsent) {
          await Task.detached { try? await syncEngine.sendChanges() }.value
        }
        addPending()
      default: break
      }
    } catch {
      // The flags of unsent edits stay.
    }
  }

  private func handle(_ change: CKSyncEngine.Event.AccountChange) throws {
    switch change.changeType {
    case .signIn(let user):
      if let known = contents.user, known != user.recordName { contents.items = [:] }
      // The engine fetches everything.
      fetched = []
      contents.user = user.recordName
    case .switchAccounts(_, let user):
      let unsent = contents.items.filter(\.value.isUnsent)
      contents = Contents(
        items: mistake == .keepsEditsOfLastUser ? unsent : [:], user: user.recordName)
    case .signOut: contents = Contents()
    }
    try save()
    addPending()
  }

  private func handle(_ changes: CKSyncEngine.Event.FetchedRecordZoneChanges) throws {
    for record in changes.modifications.map(\.record) {
      fetched?.insert(record.recordID.recordName)
      take(record)
    }
    for deletion in changes.deletions { contents.items[deletion.recordID.recordName] = nil }
    try save()
    if mistake == .sendsFetchedItems { addPending() }
  }

  /// Takes a record of the server, unless the device has a later version or edit.
  private func take(_ record: CKRecord) {
    let name = record.recordID.recordName
    let edited = record["edited"] as? Date ?? .distantPast
    if let item = contents.items[name], !item.isDeleted {
      let known = item.record.flatMap { CKRecord(archived: $0)?.modificationDate } ?? .distantPast
      guard (record.modificationDate ?? .distantPast) >= known else { return }
      contents.items[name]?.record = record.archived
      guard !item.isUnsent || edited > item.edited else { return }
    } else if contents.items[name]?.isDeleted == true {
      contents.items[name]?.record = record.archived
      return
    }
    contents.items[name] = Item(
      text: record["text"] as? String ?? "", edited: edited,
      parent: record["parentName"] as? String, isUnsent: mistake == .sendsFetchedItems,
      record: record.archived)
  }

  private func sweep() throws {
    defer { fetched = nil }
    guard let fetched, mistake == .sweepsAfterFailedFetches else { return }
    contents.items = contents.items.filter { fetched.contains($0.key) || $0.value.isUnsent }
    try save()
  }

  private func handle(
    _ sent: CKSyncEngine.Event.SentRecordZoneChanges, _ state: CKSyncEngine.State
  ) throws {
    for record in sent.savedRecords {
      let name = record.recordID.recordName
      contents.items[name]?.record = record.archived
      if let item = contents.items[name], !item.isDeleted, item.edited == record["edited"] as? Date
      {
        contents.items[name]?.isUnsent = false
      }
    }
    for failure in sent.failedRecordSaves { handle(failure, state) }
    for id in sent.deletedRecordIDs where contents.items[id.recordName]?.isDeleted == true {
      contents.items[id.recordName] = nil
    }
    for (id, error) in sent.failedRecordDeletes {
      let isGone = [.unknownItem, .zoneNotFound, .userDeletedZone].contains(error.code)
      if isGone || mistake == .ignoresFailedDeletions { contents.items[id.recordName] = nil }
      if error.code == .quotaExceeded { isFull = true }
    }
    try save()
  }

  private func handle(
    _ failure: CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave,
    _ state: CKSyncEngine.State
  ) {
    let name = failure.record.recordID.recordName
    if mistake == .givesUpFailedItems { contents.items[name]?.isUnsent = false }
    switch failure.error.code {
    case .serverRecordChanged:
      if let record = failure.error.serverRecord {
        take(record)
      } else if mistake == .givesUpWithoutRecord {
        contents.items[name]?.isUnsent = false
      }
    case .zoneNotFound, .userDeletedZone:
      contents.items[name]?.record = nil
      if mistake == .makesZoneOnce, hasMadeZone { break }
      hasMadeZone = true
      state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zoneID))])
    case .unknownItem: contents.items[name] = nil
    case .referenceViolation:
      if mistake == .givesUpChildren {
        contents.items[name]?.isUnsent = false
      } else {
        contents.items[name]?.parent = nil
      }
    case .quotaExceeded: isFull = true
    case .limitExceeded: if mistake == .sendsLargeBatches { isFull = true }
    default: break
    }
  }

  private func id(_ name: String) -> CKRecord.ID {
    CKRecord.ID(recordName: name, zoneID: Self.zoneID)
  }
}

extension CKRecord {
  /// The record's system fields.
  var archived: Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    encodeSystemFields(with: archiver)
    archiver.finishEncoding()
    return archiver.encodedData
  }

  /// Creates a record from its system fields.
  convenience init?(archived data: Data) {
    guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
    self.init(coder: unarchiver)
  }
}

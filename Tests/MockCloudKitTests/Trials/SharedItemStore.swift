import Foundation
import RecordPackTesting

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// A mistake in a store with items of the user and items that others share.
enum SharingMistake: String, CaseIterable, Sendable {
  /// Sends all changes with the engine of the private database.
  case sendsAllWithOneEngine
  /// Finds the zone of an item by its name, without the owner.
  case forgetsOwners
  /// Saves a new child of a shared item in the user's own zone.
  case addsChildrenToOwnZone
  /// Takes fetched deletions only of the user's own zone.
  case ignoresSharedDeletions
  /// Keeps the items of a zone that is no longer shared.
  case keepsItemsOfEndedShares
  /// Deletes all items when a zone is gone from a database.
  case deletesAllItems
  /// Copies the items of a zone that is no longer shared to a zone of the user.
  case copiesItemsOfEndedShares
  /// Keeps an edit that the server does not permit.
  case keepsForbiddenEdits
  /// Sends an edit again that the server does not permit.
  case sendsForbiddenEditsAgain
  /// Does not restore an item whose deletion the server does not permit.
  case keepsForbiddenDeletions
  /// Stores the states of both engines in one file.
  case storesOneState

  /// The trial that finds the mistake.
  var trial: SyncTrial {
    switch self {
    case .sendsAllWithOneEngine, .forgetsOwners, .addsChildrenToOwnZone, .ignoresSharedDeletions,
      .storesOneState:
      .sharedItems
    case .keepsItemsOfEndedShares, .deletesAllItems, .copiesItemsOfEndedShares: .stoppedSharing
    case .keepsForbiddenEdits, .sendsForbiddenEditsAgain, .keepsForbiddenDeletions:
      .readOnlySharing
    }
  }
}

/// An app's store with an engine for each of two databases. Each item knows its zone, with the owner.
/// The app imports CloudKit and knows nothing of the trials.
actor SharedItemStore: CKSyncEngineDelegate {
  struct Item: Codable {
    var text: String
    /// The owner of the item's zone.
    var owner = CKCurrentUserDefaultName
    var isDeleted = false
    /// The number of edits that the device has made, and of those that it has sent.
    var edits = 1
    var sentEdits = 0
    /// The system fields and the text of the server's record.
    var record: Data?
    var base: String?

    var isUnsent: Bool { edits > sentEdits }
    var isOwn: Bool { owner == CKCurrentUserDefaultName }
  }

  private struct Contents: Codable {
    var items: [String: Item] = [:]
    var user: String?
  }

  private static let scopes: [CKDatabase.Scope] = [.private, .shared]
  private let folder: URL
  private let container = CKContainer.default()
  private let mistake: SharingMistake?
  private var contents = Contents()
  private var engines: [CKDatabase.Scope: CKSyncEngine] = [:]
  /// The numbers of edits in the running request.
  private var inFlight: [String: Int] = [:]
  /// Whether the user's storage is full.
  private var isFull = false

  init(folder: URL, mistake: SharingMistake? = nil) async {
    self.folder = folder
    self.mistake = mistake
    if let data = try? Data(contentsOf: folder.appendingPathComponent("items")) {
      contents = (try? JSONDecoder().decode(Contents.self, from: data)) ?? Contents()
    }
    for scope in Self.scopes {
      let state = (try? Data(contentsOf: stateURL(scope)))
        .flatMap { try? JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: $0) }
      engines[scope] = CKSyncEngine(
        .init(
          database: container.database(with: scope), stateSerialization: state, delegate: self))
    }
    addPending()
  }

  private func stateURL(_ scope: CKDatabase.Scope) -> URL {
    folder.appendingPathComponent(
      mistake == .storesOneState ? "state" : "state-\(scope.rawValue)")
  }

  // MARK: Edits

  var texts: [String: String] { contents.items.filter { !$0.value.isDeleted }.mapValues(\.text) }

  func set(_ name: String, _ text: String, parent: String?) {
    let parent = mistake == .addsChildrenToOwnZone ? nil : parent
    let owner = parent.flatMap { contents.items[$0]?.owner } ?? CKCurrentUserDefaultName
    var item = contents.items[name] ?? Item(text: text, owner: owner, edits: 0)
    (item.text, item.isDeleted) = (text, false)
    item.edits += 1
    contents.items[name] = item
  }

  func delete(_ name: String) throws {
    contents.items[name]?.isDeleted = true
    contents.items[name]?.edits += 1
    try finishEdits()
  }

  func finishEdits() throws {
    try save()
    activate()
  }

  /// Does what the app does when a person opens it.
  func activate() {
    isFull = false
    addPending()
  }

  private func save() throws {
    try JSONEncoder().encode(contents).replaceFile(
      at: folder.appendingPathComponent("items"))
  }

  // MARK: Records

  private func id(_ name: String) -> CKRecord.ID {
    let isShared = contents.items[name]?.isOwn == false && mistake != .forgetsOwners
    return CKRecord.ID(
      recordName: name,
      zoneID: CKRecordZone.ID(
        zoneName: "Items",
        ownerName: isShared ? contents.items[name]?.owner ?? "" : CKCurrentUserDefaultName))
  }

  private func record(_ id: CKRecord.ID) -> CKRecord? {
    guard let item = contents.items[id.recordName], item.isUnsent, !item.isDeleted else {
      return nil
    }
    inFlight[id.recordName] = item.edits
    let known = item.record.flatMap { CKRecord(archived: $0) }
    let new = CKRecord(recordType: "Item", recordID: id)
    let record = known?.recordID == id ? known ?? new : new
    record["text"] = item.text
    return record
  }

  /// Takes a record of the server. An edit of the device wins.
  private func take(_ record: CKRecord) {
    guard record.recordType == "Item" else { return }
    let name = record.recordID.recordName
    let text = record["text"] as? String ?? ""
    var item = contents.items[name] ?? Item(text: text, edits: 0)
    item.owner = record.recordID.zoneID.ownerName
    let known = item.record.flatMap { CKRecord(archived: $0)?.modificationDate } ?? .distantPast
    guard (record.modificationDate ?? .distantPast) >= known else { return }
    if !item.isUnsent { (item.text, item.isDeleted) = (text, false) }
    (item.record, item.base) = (record.archived, text)
    contents.items[name] = item
  }

  /// Gives up the edits of an item, which the server does not permit.
  private func restore(_ name: String) {
    guard var item = contents.items[name] else { return }
    item.sentEdits = item.edits
    if let base = item.base { (item.text, item.isDeleted) = (base, false) }
    contents.items[name] = item.base == nil ? nil : item
  }

  private func remove(_ zones: [CKRecordZone.ID]) {
    if mistake == .deletesAllItems, !zones.isEmpty { contents.items = [:] }
    for (name, item) in contents.items where zones.contains(where: { $0.ownerName == item.owner }) {
      if mistake == .keepsItemsOfEndedShares, !item.isOwn { continue }
      contents.items[name] = nil
      if mistake == .copiesItemsOfEndedShares, !item.isOwn {
        contents.items[name] = Item(text: item.text)
      }
    }
  }

  // MARK: The engines

  private func addPending() {
    guard !isFull else { return }
    for scope in Self.scopes {
      guard let state = engines[scope]?.state else { continue }
      let known = Set(state.pendingRecordZoneChanges)
      let unsent = contents.items.filter { $0.value.isUnsent && self.scope(of: $0.value) == scope }
      let changes = unsent.sorted { $0.key < $1.key }.map { name, item in
        item.isDeleted
          ? CKSyncEngine.PendingRecordZoneChange.deleteRecord(id(name)) : .saveRecord(id(name))
      }
      let new = changes.filter { !known.contains($0) }.prefix(max(0, 1_000 - known.count))
      if !new.isEmpty { state.add(pendingRecordZoneChanges: Array(new)) }
    }
  }

  private func scope(of item: Item) -> CKDatabase.Scope {
    item.isOwn || mistake == .sendsAllWithOneEngine || mistake == .forgetsOwners
      ? .private : .shared
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    let pending = syncEngine.state.pendingRecordZoneChanges.filter {
      context.options.scope.contains($0)
    }
    return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: pending) { id in
      let record = await self.record(id)
      if record == nil { syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(id)]) }
      return record
    }
  }

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    do {
      switch event {
      case .stateUpdate(let update):
        try JSONEncoder().encode(update.stateSerialization).replaceFile(
          at: stateURL(syncEngine.database.databaseScope))
      case .accountChange(let change): try handle(change)
      case .fetchedDatabaseChanges(let changes):
        remove(changes.deletions.map(\.zoneID))
        try save()
      case .fetchedRecordZoneChanges(let changes):
        for modification in changes.modifications { take(modification.record) }
        for id in changes.deletions.map(\.recordID)
        where mistake != .ignoresSharedDeletions
          || id.zoneID.ownerName == CKCurrentUserDefaultName
        {
          contents.items[id.recordName] = nil
        }
        try save()
      case .sentRecordZoneChanges(let sent): try handle(sent, syncEngine)
      case .didSendChanges: addPending()
      default: break
      }
    } catch {
      // The numbers of edits stay.
    }
  }

  private func handle(_ change: CKSyncEngine.Event.AccountChange) throws {
    switch change.changeType {
    case .signIn(let user):
      if let known = contents.user, known != user.recordName { contents.items = [:] }
      contents.user = user.recordName
    case .switchAccounts(_, let user):
      // Each of the two engines reports it.
      if contents.user != user.recordName { contents = Contents(user: user.recordName) }
    case .signOut: contents = Contents()
    }
    try save()
    addPending()
  }

  private func handle(
    _ sent: CKSyncEngine.Event.SentRecordZoneChanges, _ engine: CKSyncEngine
  ) throws {
    for record in sent.savedRecords {
      let name = record.recordID.recordName
      contents.items[name]?.record = record.archived
      contents.items[name]?.base = record["text"] as? String
      if let edits = inFlight[name] { contents.items[name]?.sentEdits = edits }
    }
    for failure in sent.failedRecordSaves {
      handle(failure.error, failure.record.recordID, engine)
    }
    for id in sent.deletedRecordIDs where contents.items[id.recordName]?.isDeleted == true {
      contents.items[id.recordName] = nil
    }
    for (id, error) in sent.failedRecordDeletes {
      if [.unknownItem, .zoneNotFound, .userDeletedZone].contains(error.code) {
        contents.items[id.recordName] = nil
      } else {
        handle(error, id, engine)
      }
    }
    try save()
  }

  private func handle(_ error: CKError, _ id: CKRecord.ID, _ engine: CKSyncEngine) {
    let name = id.recordName
    let isShared = engine.database.databaseScope == .shared
    switch error.code {
    case .serverRecordChanged: error.serverRecord.map(take)
    case .zoneNotFound, .userDeletedZone:
      if isShared { return remove([id.zoneID]) }
      contents.items[name]?.record = nil
      contents.items[name]?.base = nil
      engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: id.zoneID))])
    case .unknownItem: contents.items[name] = nil
    case .quotaExceeded: isFull = true
    case .permissionFailure: handleForbidden(name)
    default: break
    }
  }

  private func handleForbidden(_ name: String) {
    guard let item = contents.items[name] else { return }
    switch mistake {
    case .sendsForbiddenEditsAgain: return
    case .keepsForbiddenEdits where !item.isDeleted, .keepsForbiddenDeletions where item.isDeleted:
      contents.items[name]?.sentEdits = item.edits
    default: restore(name)
    }
  }
}

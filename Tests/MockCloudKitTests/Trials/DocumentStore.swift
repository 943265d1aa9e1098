import Foundation

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// An app's store with a zone for each document. It keeps deleted items as tombstones, and merges the
/// lines of two edits. The app imports CloudKit and knows nothing of the trials.
actor DocumentStore: CKSyncEngineDelegate {
  struct Item: Codable {
    var text: String
    var isDeleted = false
    /// The number of edits that the device has made, and of those that it has sent.
    var edits = 1
    var sentEdits = 0
    /// The system fields and the text of the server's record.
    var record: Data?
    var base: String?

    var isUnsent: Bool { edits > sentEdits }
  }

  private let folder: URL
  private let container: CKContainer
  private let mistake: DocumentMistake?
  /// Whether the app syncs when a person opens it, and not by itself.
  private let isManual: Bool
  private var items: [String: Item] = [:]
  private var user: String?
  private var engine: CKSyncEngine?
  /// The numbers of edits in the running request.
  private var inFlight: [String: Int] = [:]
  /// Whether the user's storage was full when the store last sent. It sends again at the next edit or launch.
  private var isFull = false

  private struct Contents: Codable {
    var items: [String: Item]
    var user: String?
  }

  init(
    folder: URL, container: CKContainer, mistake: DocumentMistake? = nil, isManual: Bool = false
  ) {
    self.folder = folder
    self.isManual = isManual
    self.container = container
    self.mistake = mistake
    if let data = try? Data(contentsOf: folder.appendingPathComponent("documents")),
      let contents = try? JSONDecoder().decode(Contents.self, from: data)
    {
      (items, user) = (contents.items, contents.user)
    }
    if mistake == .losesNumbersOfEdits { items = items.mapValues(Self.sent) }
    // As Apple's sample does.
    Task { await start() }
  }

  private static func sent(_ item: Item) -> Item {
    var item = item
    item.sentEdits = item.edits
    return item
  }

  private func start() {
    let state = (try? Data(contentsOf: folder.appendingPathComponent("state")))
      .flatMap { try? JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: $0) }
    var configuration = CKSyncEngine.Configuration(
      database: container.privateCloudDatabase, stateSerialization: state, delegate: self)
    configuration.automaticallySync = !isManual
    engine = CKSyncEngine(configuration)
    addPending()
  }

  /// Does what the app does when a person opens it.
  func wake() async {
    guard isManual else { return }
    try? await engine?.fetchChanges()
    for _ in 0..<2 {
      addPending()
      try? await engine?.sendChanges()
    }
  }

  // MARK: Edits

  var texts: [String: String] { items.filter { !$0.value.isDeleted }.mapValues(\.text) }

  func set(_ texts: [(name: String, text: String)]) throws {
    for (name, text) in texts {
      var item = items[name] ?? Item(text: text, edits: 0)
      item.text = text
      item.isDeleted = false
      item.edits += 1
      items[name] = item
    }
    try finishEdits()
  }

  func delete(_ name: String) throws {
    if mistake == .forgetsTombstones {
      items[name] = nil
    } else {
      items[name]?.isDeleted = true
      items[name]?.edits += 1
    }
    try finishEdits()
  }

  private func finishEdits() throws {
    isFull = false
    if mistake != .savesLate { try save() }
    addPending()
  }

  private func save() throws {
    try JSONEncoder().encode(Contents(items: items, user: user)).replaceFile(
      at: folder.appendingPathComponent("documents"))
  }

  // MARK: Records

  /// The zone of the document to which an item belongs: one for each first digit.
  private func id(_ name: String) -> CKRecord.ID {
    CKRecord.ID(
      recordName: name, zoneID: CKRecordZone.ID(zoneName: "Document-\(name.prefix(1))"))
  }

  private func record(_ id: CKRecord.ID) -> CKRecord? {
    guard let item = items[id.recordName], item.isUnsent else { return nil }
    inFlight[id.recordName] = item.edits
    let record =
      item.record.flatMap { CKRecord(archived: $0) } ?? CKRecord(recordType: "Line", recordID: id)
    record.encryptedValues["text"] = item.text
    record["isDeleted"] = item.isDeleted ? 1 : 0
    return record
  }

  /// Takes a record of the server. Lines that two devices have added are both kept.
  private func take(_ record: CKRecord) {
    let name = record.recordID.recordName
    let text = record.encryptedValues["text"] as? String ?? ""
    let isDeleted = record["isDeleted"] as? Int == 1
    var item = items[name] ?? Item(text: text, edits: 0)
    let known = item.record.flatMap { CKRecord(archived: $0)?.modificationDate } ?? .distantPast
    guard (record.modificationDate ?? .distantPast) >= known || mistake == .ignoresDates else {
      return
    }
    if mistake == .revivesDeletedItems, item.isDeleted { item = Self.sent(item) }
    if !item.isUnsent {
      (item.text, item.isDeleted) = (text, isDeleted)
    } else if text != item.base || isDeleted {
      item.isDeleted = item.isDeleted || isDeleted
      let lines = Set((item.text + "\n" + text).split(separator: "\n"))
      item.text = lines.sorted().joined(separator: "\n")
    }
    (item.record, item.base) = (record.archived, text)
    items[name] = item
  }

  // MARK: The engine

  private func addPending() {
    guard let state = engine?.state, !isFull else { return }
    let known = Set(state.pendingRecordZoneChanges)
    let changes = items.filter { $0.value.isUnsent }.keys.sorted()
      .map { CKSyncEngine.PendingRecordZoneChange.saveRecord(id($0)) }
    let new = changes.filter { !known.contains($0) }.prefix(max(0, 1_000 - known.count))
    if !new.isEmpty { state.add(pendingRecordZoneChanges: Array(new)) }
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    inFlight = [:]
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
          at: folder.appendingPathComponent("state"))
      case .accountChange(let change): try handle(change)
      case .fetchedDatabaseChanges(let changes):
        let zones = Set(mistake == .keepsDeletedZones ? [] : changes.deletions.map(\.zoneID))
        items = items.filter { !zones.contains(id($0.key).zoneID) }
        try save()
      case .fetchedRecordZoneChanges(let changes):
        for modification in changes.modifications { take(modification.record) }
        for deletion in changes.deletions { items[deletion.recordID.recordName] = nil }
        try save()
      case .sentRecordZoneChanges(let sent):
        try handle(sent, syncEngine.state)
        if mistake == .addsDuringEvent { addPending() }
      case .didSendChanges: if mistake != .addsDuringEvent { addPending() }
      default: break
      }
    } catch {
      // The numbers of edits stay.
    }
  }

  private func handle(_ change: CKSyncEngine.Event.AccountChange) throws {
    switch change.changeType {
    case .signIn(let new):
      if let user, user != new.recordName { items = [:] }
      user = new.recordName
    case .switchAccounts(_, let new):
      (items, user) = (mistake == .keepsItemsOfLastUser ? items : [:], new.recordName)
    case .signOut: (items, user) = (mistake == .keepsItemsAtSignOut ? items : [:], nil)
    }
    try save()
    if mistake != .ignoresSignIn { addPending() }
  }

  private func handle(
    _ sent: CKSyncEngine.Event.SentRecordZoneChanges, _ state: CKSyncEngine.State
  ) throws {
    for record in sent.savedRecords {
      let name = record.recordID.recordName
      items[name]?.record = record.archived
      items[name]?.base = record.encryptedValues["text"] as? String
      if mistake == .confirmsNewerEdits {
        items[name] = items[name].map(Self.sent)
      } else if let edits = inFlight[name] {
        items[name]?.sentEdits = edits
      }
    }
    for failure in sent.failedRecordSaves {
      let id = failure.record.recordID
      switch failure.error.code {
      case .serverRecordChanged:
        if let record = failure.error.serverRecord {
          take(record)
        } else if mistake == .givesUpWithoutRecord {
          items[id.recordName] = items[id.recordName].map(Self.sent)
        }
      case .zoneNotFound where mistake == .makesNoZone,
        .userDeletedZone where mistake == .makesNoDeletedZone,
        .quotaExceeded where mistake == .givesUpOverQuota,
        .batchRequestFailed where mistake == .givesUpNeighbours:
        items[id.recordName] = items[id.recordName].map(Self.sent)
      case .zoneNotFound, .userDeletedZone:
        items[id.recordName]?.record = nil
        items[id.recordName]?.base = nil
        state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: id.zoneID))])
      case .unknownItem: items[id.recordName] = nil
      case .quotaExceeded: isFull = mistake != .sendsAgainOverQuota
      default: break
      }
    }
    try save()
  }
}

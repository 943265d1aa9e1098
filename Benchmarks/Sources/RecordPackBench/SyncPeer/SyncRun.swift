import Foundation
import RecordPack

/// Two devices of one container in memory, and the notes that the first one sends.
struct SyncRun {
  private let phone: any CloudContainer
  private let tablet: any CloudContainer
  private let notes: Notes

  init(records: Int) async throws {
    let container = try MockContainer.inMemory()
    (phone, tablet) = (container.device("Phone"), container.device("Tablet"))
    notes = Notes(count: records)
    try await phone.privateCloudDatabase.save(RecordZone(zoneID: Notes.zoneID))
  }

  /// The notes, each made when it is sent.
  struct Notes: Sendable {
    static let zoneID = ZoneID(zoneName: "Notes")
    let count: Int

    func recordID(_ index: Int) -> RecordID {
      RecordID(recordName: "n\(index)", zoneID: Self.zoneID)
    }

    func draft(_ recordID: RecordID) -> DraftRecord {
      var draft = DraftRecord(recordType: "Note", recordID: recordID)
      draft["text"] = "The text of the note \(recordID.recordName)"
      return draft
    }
  }

  // MARK: Measuring

  func sendDirectly() async throws -> Measurement {
    let watch = Stopwatch()
    let database = phone.privateCloudDatabase
    for start in stride(from: 0, to: notes.count, by: 250) {
      let drafts = (start..<min(start + 250, notes.count)).map { notes.draft(notes.recordID($0)) }
      let results = try await database.modifyRecords(saving: drafts, deleting: [])
      for result in results.saveResults.values { _ = try result.get() }
    }
    var token: ServerChangeToken?
    var (fetched, moreComing) = (0, true)
    while moreComing {
      let page = try await tablet.privateCloudDatabase.recordZoneChanges(
        inZoneWith: Notes.zoneID, since: token)
      fetched += page.modificationResultsByID.count
      (token, moreComing) = (page.changeToken, page.moreComing)
    }
    return try measurement("sync, direct calls", watch, fetched)
  }

  func sendByEngines() async throws -> Measurement {
    let (sender, receiver) = (SyncStore(notes), SyncStore(notes))
    let (phone, tablet) = (engine(sender, phone), engine(receiver, tablet))
    // The first sign-in of an engine removes what is pending.
    try await phone.sendChanges()
    let watch = Stopwatch()
    phone.state.add(
      pendingRecordZoneChanges: (0..<notes.count).map { .saveRecord(notes.recordID($0)) })
    try await phone.sendChanges()
    try await tablet.fetchChanges()
    return try measurement("sync, engines", watch, await receiver.fetchedCount)
  }

  /// Adds the notes to an engine and stores its state, as an app does. The peak of the memory counts.
  func addPending() async throws -> Measurement {
    let store = SyncStore(notes)
    let engine = engine(store, phone)
    try await engine.fetchChanges()
    let watch = Stopwatch()
    engine.state.add(
      pendingRecordZoneChanges: (0..<notes.count).map { .saveRecord(notes.recordID($0)) })
    // The delegate has no batches here, so only the state is reported.
    await store.hold()
    try await engine.sendChanges()
    let bytes = try await store.stateSize
    return watch.measurement(
      "sync, pending changes", records: engine.state.pendingRecordZoneChanges.count, bytes: bytes)
  }

  private func engine(_ store: SyncStore, _ device: any CloudContainer) -> MockSyncEngine {
    var configuration = SyncEngineConfiguration(
      database: device.privateCloudDatabase, stateSerialization: nil, delegate: store)
    configuration.automaticallySync = false
    return MockSyncEngine(configuration, account: device)
  }

  private func measurement(
    _ name: String, _ watch: Stopwatch, _ fetched: Int
  ) throws -> Measurement {
    guard fetched == notes.count else { throw CloudError(.internalError, "\(fetched) fetched") }
    return watch.measurement(name, records: notes.count, bytes: 0)
  }
}

/// A store that counts the notes that it is given, and keeps the last state of its engine.
private actor SyncStore: SyncEngineDelegate {
  private let notes: SyncRun.Notes
  private var state: SyncEngineStateSerialization?
  private var isHeld = false
  private(set) var fetchedCount = 0

  init(_ notes: SyncRun.Notes) { self.notes = notes }

  var stateSize: Int {
    get throws { try state.map { try JSONEncoder().encode($0).count } ?? 0 }
  }

  func hold() { isHeld = true }

  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) {
    switch event {
    case .stateUpdate(let update): state = update.stateSerialization
    case .fetchedRecordZoneChanges(let changes): fetchedCount += changes.modifications.count
    default: break
    }
  }

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    guard !isHeld else { return nil }
    return await RecordZoneChangeBatch(
      pendingChanges: syncEngine.state.pendingRecordZoneChanges
    ) { [notes] in notes.draft($0) }
  }
}

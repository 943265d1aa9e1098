import RecordPackTesting
import Testing

// The code of the articles about traps; most of it is compiled only.

private actor Store: SyncEngineDelegate {
  private let zone = RecordZone(zoneID: ZoneID(zoneName: "Items"))
  private var records: [RecordID: ResultRecord] = [:]
  private var drafts: [RecordID: DraftRecord] = [:]
  private var sentDrafts: [RecordID: DraftRecord] = [:]
  private var engine: (any SyncEngine)?
  private var engines: [DatabaseScope: any SyncEngine] = [:]
  private let unsentEdits: [PendingRecordZoneChange] = []
  private let storageIsFull = false
  private var hasLostChanges = false

  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {
    if case .sentRecordZoneChanges = event {
      Task { try await syncEngine.sendChanges() }  // ends the process
    }
  }

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? { nil }

  func detach(_ syncEngine: any SyncEngine) {
    Task.detached { try await syncEngine.sendChanges() }
  }

  func start(
    _ container: any CloudContainer, states: [DatabaseScope: SyncEngineStateSerialization],
    makeEngine: (SyncEngineConfiguration) -> any SyncEngine
  ) {
    for scope in [DatabaseScope.private, .shared] {
      engines[scope] = makeEngine(
        SyncEngineConfiguration(
          database: container.database(with: scope), stateSerialization: states[scope],
          delegate: self))
    }
  }

  func giveUp(_ changes: SyncEngineEvent.SentRecordZoneChanges) {
    for failure in changes.failedRecordSaves where failure.error.code == .permissionFailure {
      drafts[failure.record.recordID] = nil  // `records` has the server's record
    }
  }

  func resolve(_ changes: SyncEngineEvent.SentRecordZoneChanges) {
    for failure in changes.failedRecordSaves where failure.error.code == .serverRecordChanged {
      guard let server = failure.error.serverRecord else { continue }
      // Your changes, on top of the server's record.
      drafts[server.recordID] = drafts[server.recordID]?.merging(server)
    }
  }

  func signIn(_ change: SyncEngineEvent.AccountChange, _ syncEngine: any SyncEngine) {
    if case .signIn = change.changeType {
      syncEngine.state.add(pendingDatabaseChanges: [.saveZone(zone)])
      syncEngine.state.add(pendingRecordZoneChanges: unsentEdits)
    }
  }

  func save(_ changes: SyncEngineEvent.SentRecordZoneChanges) {
    for record in changes.savedRecords {
      records[record.recordID] = record
      if drafts[record.recordID] == sentDrafts[record.recordID] { drafts[record.recordID] = nil }
    }
  }

  func sendAgain(_ event: SyncEngineEvent, _ syncEngine: any SyncEngine) {
    switch event {
    case .sentRecordZoneChanges(let changes): merge(changes)  // only your own data
    case .didSendChanges: syncEngine.state.add(pendingRecordZoneChanges: unsentEdits)
    default: break
    }
    if case .didSendChanges = event, !storageIsFull {
      syncEngine.state.add(pendingRecordZoneChanges: unsentEdits)
    }
  }

  private func merge(_: SyncEngineEvent.SentRecordZoneChanges) {}

  func makeZone(
    _ failure: SyncEngineEvent.SentRecordZoneChanges.FailedRecordSave, _ syncEngine: any SyncEngine
  ) {
    if [.zoneNotFound, .userDeletedZone].contains(failure.error.code) {
      syncEngine.state.add(pendingDatabaseChanges: [.saveZone(zone)])
      drafts[failure.record.recordID] = newRecord(like: failure.record)
    }
  }

  private func newRecord(like draft: DraftRecord) -> DraftRecord {
    DraftRecord(recordType: draft.recordType, recordID: draft.recordID)
  }

  func remove(_ recordID: RecordID, _ syncEngine: any SyncEngine) {
    syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(recordID)])
  }

  func take(_ fetched: [ResultRecord]) {
    for record in fetched {
      if let known = records[record.recordID]?.modificationDate,
        let date = record.modificationDate, date < known
      {
        continue
      }
      records[record.recordID] = record
    }
  }

  func write(_ event: SyncEngineEvent) {
    switch event {
    case .fetchedRecordZoneChanges(let changes):
      do { try store(changes) } catch { hasLostChanges = true }
    case .stateUpdate(let update):
      if !hasLostChanges { try? store(update.stateSerialization) }
    default: break
    }
  }

  private func store(_: some Any) throws {}

  func sweep(_ event: SyncEngineEvent) {
    switch event {
    case .didFetchRecordZoneChanges(let zone):
      if zone.error == nil { removeMissingItems(of: zone.zoneID) }
    default: break
    }
    if case .didFetchChanges = event, records.isEmpty { addDefaultItems() }
  }

  private func removeMissingItems(of zoneID: ZoneID) {}
  private func addDefaultItems() {}

  func start(
    _ container: any CloudContainer, makeEngine: (SyncEngineConfiguration) -> any SyncEngine
  ) {
    engine = makeEngine(
      SyncEngineConfiguration(
        database: container.privateCloudDatabase, stateSerialization: nil, delegate: self))
  }

  func launch(
    _ configuration: SyncEngineConfiguration,
    _ makeEngine: (SyncEngineConfiguration) -> any SyncEngine
  ) {
    let engine = makeEngine(configuration)
    engine.state.add(pendingRecordZoneChanges: unsentEdits)
  }

  func fill(_ syncEngine: any SyncEngine) {
    let room = max(0, 1_000 - syncEngine.state.pendingRecordZoneChanges.count)
    syncEngine.state.add(pendingRecordZoneChanges: Array(unsentEdits.prefix(room)))
  }
}

struct MovingTests {
  @Test("a store that takes a closure runs on two devices")
  func devices() async throws {
    let (phone, tablet) = (QuietStore(), QuietStore())
    let testbed = SyncTestbed()
    let container = try MockContainer.inMemory()
    for (name, store) in [("Phone", phone), ("Tablet", tablet)] {
      let device = container.device(name)
      await store.start(device, makeEngine: { testbed.engine($0, on: device) })
    }
    try await testbed.run()
    #expect(await phone.eventCount > 0)
    #expect(await tablet.eventCount > 0)
  }
}

/// A store that has nothing to send.
private actor QuietStore: SyncEngineDelegate {
  private var engine: (any SyncEngine)?
  private(set) var eventCount = 0

  func start(
    _ container: any CloudContainer, makeEngine: (SyncEngineConfiguration) -> any SyncEngine
  ) {
    engine = makeEngine(
      SyncEngineConfiguration(
        database: container.privateCloudDatabase, stateSerialization: nil, delegate: self))
  }

  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async { eventCount += 1 }

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? { nil }
}

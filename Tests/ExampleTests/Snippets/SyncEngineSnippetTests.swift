import RecordPack
import Testing

/// The code of the pages and doc comments about sync engines that needs no testbed.
struct SyncEngineSnippetTests {
  @Test("an engine on a device")
  func engine() async throws {
    let (container, clock, store) = (try MockContainer.inMemory(), ManualClock(), Store())
    let device = container.device("Phone")
    let engine = MockSyncEngine(
      SyncEngineConfiguration(
        database: device.privateCloudDatabase, stateSerialization: nil, delegate: store),
      account: device, clock: clock)
    try await engine.fetchChanges()
    // At least the sign-in, and the beginning and the end of the fetch.
    #expect(await store.count >= 3)
    #expect(engine.state.pendingRecordZoneChanges.isEmpty)
  }

  private actor Store: SyncEngineDelegate {
    private var engine: (any SyncEngine)?
    /// The number of events.
    private(set) var count = 0

    func start(
      _ container: any CloudContainer, _ stored: SyncEngineStateSerialization?,
      makeEngine: (SyncEngine.Configuration) -> any SyncEngine
    ) {
      engine = makeEngine(
        SyncEngineConfiguration(
          database: container.privateCloudDatabase, stateSerialization: stored, delegate: self))
    }

    func handleEvent(_ event: SyncEngine.Event, syncEngine: any SyncEngine) async { count += 1 }

    func nextRecordZoneChangeBatch(
      _ context: SyncEngine.SendChangesContext, syncEngine: any SyncEngine
    ) async -> SyncEngine.RecordZoneChangeBatch? { nil }
  }
}

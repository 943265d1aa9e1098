#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import Synchronization
  import Testing

  @testable import RecordPackCloudKit

  /// The app's delegate, CloudKit's engine behind the protocol, and a mock of CloudKit that
  /// answers from a mock container: each value is converted in both directions.
  @Suite("CloudKit's sync engine behind the protocol")
  struct BridgedSyncEngineTests {
    private static let notes = ZoneID(zoneName: "Notes")

    private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: Self.notes) }

    private struct World {
      let mock: MockContainer
      let container: CloudKitContainer
      let store = Store()
      let errors = ErrorList()

      init() async throws {
        mock = try MockContainer.inMemory()
        container = CloudKitContainer(CKContainer(mock: mock))
        try await mock.privateCloudDatabase.save(RecordZone(zoneID: notes))
      }

      func engine(_ state: SyncEngineStateSerialization? = nil) -> CloudKitSyncEngine {
        var configuration = SyncEngineConfiguration(
          database: container.privateCloudDatabase, stateSerialization: state, delegate: store)
        configuration.automaticallySync = false
        return CloudKitSyncEngine(configuration, onError: { [errors] in errors.add($0) })
      }
    }

    @Test("sends zones, records and deletions, and reports their results")
    func send() async throws {
      let world = try await World()
      let engine = world.engine()
      // The first event is a signIn, which clears what is pending.
      try await engine.fetchChanges()
      world.store.set(id("n1"), "Milk")
      engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneName: "Other"))])
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(id("n1")), .deleteRecord(id("n2"))])
      #expect(
        engine.state.pendingRecordZoneChanges == [.saveRecord(id("n1")), .deleteRecord(id("n2"))])
      #expect(engine.state.pendingDatabaseChanges.map(\.zoneID.zoneName) == ["Other"])
      try await engine.sendChanges()
      #expect(engine.state.pendingRecordZoneChanges.isEmpty)
      #expect(
        world.store.lines.suffix(4) == [
          "willSendChanges: manual, all zones", "sentDatabaseChanges: saved Other",
          "sentRecordZoneChanges: saved Notes:n1; deleted Notes:n2",
          "didSendChanges: manual, all zones",
        ])
      #expect(try await world.mock.privateCloudDatabase.record(for: id("n1"))["text"] == "Milk")
      #expect(world.errors.all.isEmpty)
    }

    @Test("fetches zones, records and deletions")
    func fetch() async throws {
      let world = try await World()
      let engine = world.engine()
      let database = world.mock.privateCloudDatabase
      for name in ["n1", "n2"] {
        var draft = DraftRecord(recordType: "Note", recordID: id(name))
        draft["text"] = "text of \(name)"
        draft.encryptedValues["secret"] = "42"
        try await database.save(draft)
      }
      try await engine.fetchChanges()
      try await database.deleteRecord(withID: id("n2"))
      try await database.deleteRecordZone(withID: Self.notes)
      try await engine.fetchChanges(.init(scope: .zoneIDs([Self.notes])))
      #expect(
        world.store.lines == [
          "accountChange: signIn of _1wqddmw5dcy4", "willFetchChanges: manual, all zones",
          "fetchedDatabaseChanges: modified Notes", "willFetchRecordZoneChanges: Notes",
          "fetchedRecordZoneChanges: modified Notes:n1, Notes:n2",
          "didFetchRecordZoneChanges: Notes", "didFetchChanges: manual, all zones",
          "willFetchChanges: manual, zones Notes",
          "fetchedDatabaseChanges: deleted Notes (deleted)", "didFetchChanges: manual, zones Notes",
        ])
      #expect(world.store.fetched.first?["text"] == "text of n1")
      #expect(world.store.fetched.first?.encryptedValues["secret"] == "42")
    }

    @Test("reports a conflict with the draft and the server's record")
    func conflict() async throws {
      let world = try await World()
      let engine = world.engine()
      try await engine.fetchChanges()
      var theirs = DraftRecord(recordType: "Note", recordID: id("n1"))
      theirs["text"] = "theirs"
      try await world.mock.privateCloudDatabase.save(theirs)
      world.store.set(id("n1"), "mine")
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(id("n1"))])
      let thrown = await #expect(throws: CloudError.self) { try await engine.sendChanges() }
      #expect(thrown?.code == .partialFailure)
      let failure = try #require(world.store.failures.first)
      #expect(failure.error.code == .serverRecordChanged)
      #expect(failure.error.serverRecord?["text"] == "theirs")
      #expect(failure.record["text"] == "mine")
      #expect(failure.error.clientRecord?["text"] == "mine")
    }

    @Test("keeps its state, also one that an app has stored of CKSyncEngine itself")
    func state() async throws {
      let world = try await World()
      var engine: CloudKitSyncEngine? = world.engine()
      try await engine?.fetchChanges()
      engine?.state.add(pendingRecordZoneChanges: [.saveRecord(id("n1"))])
      engine?.state.hasPendingUntrackedChanges = true
      #expect(engine?.state.hasPendingUntrackedChanges == true)
      engine?.state.hasPendingUntrackedChanges = false
      try await engine?.fetchChanges()
      // The state is delivered a moment after it has changed.
      while world.store.serialization.map({ world.engine($0).state.pendingRecordZoneChanges })
        != [.saveRecord(id("n1"))]
      { try await Task.sleep(for: .milliseconds(10)) }
      let stored = try JSONEncoder().encode(try #require(world.store.serialization))
      engine = nil
      let read = try JSONDecoder().decode(SyncEngineStateSerialization.self, from: stored)
      let count = world.store.lines.count
      let again = world.engine(read)
      #expect(again.state.pendingRecordZoneChanges == [.saveRecord(id("n1"))])
      try await again.fetchChanges()
      #expect(world.store.lines.count == count + 2)
      // CloudKit's own serialization, and back.
      let own = try CKSyncEngine.State.Serialization(read)
      let third = world.engine(SyncEngineStateSerialization(own))
      #expect(third.state.pendingRecordZoneChanges == [.saveRecord(id("n1"))])
      let foreign = SyncEngineStateSerialization { Data("{}".utf8) }
      _ = world.engine(foreign)
      #expect(world.errors.all.count == 1)
    }

    @Test("reports a draft that CloudKit cannot save as a failure, and sends the others")
    func unsendable() async throws {
      let world = try await World()
      let engine = world.engine()
      try await engine.fetchChanges()
      world.store.set(id("n1"), "Milk")
      var bad = DraftRecord(recordType: "Note", recordID: id("bad"))
      bad["child"] = Reference(recordID: id(String(repeating: "x", count: 300)))
      world.store.put(bad)
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(id("n1")), .saveRecord(id("bad"))])
      try await engine.sendChanges()
      #expect(world.store.failures.map(\.record.recordID) == [id("bad")])
      #expect(engine.state.pendingRecordZoneChanges.isEmpty)
      #expect(try await world.mock.privateCloudDatabase.record(for: id("n1"))["text"] == "Milk")
    }

    @Test("reports names that CloudKit rejects, where the framework raises an exception")
    func invalidName() async throws {
      let world = try await World()
      let engine = world.engine()
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(id("ä")), .saveRecord(id("n1"))])
      engine.state.add(pendingDatabaseChanges: [.deleteZone(ZoneID(zoneName: "ä"))])
      #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(id("n1"))])
      #expect(world.errors.all.count == 2)
    }

    @Test("asks the delegate for the options of a fetch, and keeps to them")
    func options() async throws {
      let world = try await World()
      let engine = world.engine()
      world.store.setOptions { context in
        var options = context.options
        options.scope = .allExcluding([ZoneID(zoneName: "Notes")])
        return options
      }
      var options = FetchChangesOptions()
      options.operationGroup.name = "launch"
      try await engine.fetchChanges(options)
      #expect(engine.state.zoneIDsWithUnfetchedServerChanges == [Self.notes])
      #expect(world.store.groupNames.allSatisfy { $0 == "launch" })
      #expect(!world.store.groupNames.isEmpty)
      await engine.cancelOperations()
      #expect(!engine.description.isEmpty)
    }
  }

  /// The errors that an engine has reported.
  private final class ErrorList: Sendable {
    private let errors = Mutex<[String]>([])

    var all: [String] { errors.withLock { $0 } }

    func add(_ error: any Error) { errors.withLock { $0.append("\(error)") } }
  }

  private final class Store: SyncEngineDelegate {
    private struct State {
      var drafts: [RecordID: DraftRecord] = [:]
      var lines: [String] = []
      var fetched: [ResultRecord] = []
      var failures: [SyncEngineEvent.SentRecordZoneChanges.FailedRecordSave] = []
      var serialization: SyncEngineStateSerialization?
      var options: (@Sendable (FetchChangesContext) -> FetchChangesOptions)?
      var groupNames: [String?] = []
    }

    private let state = Mutex(State())

    /// The events except `stateUpdate`, one line each.
    var lines: [String] { state.withLock { $0.lines } }
    var fetched: [ResultRecord] { state.withLock { $0.fetched } }
    var failures: [SyncEngineEvent.SentRecordZoneChanges.FailedRecordSave] {
      state.withLock { $0.failures }
    }
    var serialization: SyncEngineStateSerialization? { state.withLock { $0.serialization } }
    var groupNames: [String?] { state.withLock { $0.groupNames } }

    func set(_ recordID: RecordID, _ text: String) {
      var draft = DraftRecord(recordType: "Note", recordID: recordID)
      draft["text"] = text
      put(draft)
    }

    func put(_ draft: DraftRecord) { state.withLock { $0.drafts[draft.recordID] = draft } }

    func setOptions(_ options: @escaping @Sendable (FetchChangesContext) -> FetchChangesOptions) {
      state.withLock { $0.options = options }
    }

    func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {
      state.withLock { state in
        switch event {
        case .stateUpdate(let update):
          state.serialization = update.stateSerialization
          return
        case .fetchedRecordZoneChanges(let changes):
          state.fetched += changes.modifications.map(\.record)
        case .sentRecordZoneChanges(let sent): state.failures += sent.failedRecordSaves
        case .willFetchChanges(let event):
          state.groupNames.append(event.context.options.operationGroup.name)
        default: break
        }
        state.lines.append("\(event)")
      }
    }

    func nextRecordZoneChangeBatch(
      _ context: SendChangesContext, syncEngine: any SyncEngine
    ) async -> RecordZoneChangeBatch? {
      await RecordZoneChangeBatch(pendingChanges: syncEngine.state.pendingRecordZoneChanges) { id in
        self.state.withLock { $0.drafts[id] }
      }
    }

    func nextFetchChangesOptions(
      _ context: FetchChangesContext, syncEngine: any SyncEngine
    ) async -> FetchChangesOptions {
      state.withLock { $0.options }?(context) ?? context.options
    }
  }
#endif

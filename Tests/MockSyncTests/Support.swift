import Foundation
import RecordPackTesting
import Synchronization
import Testing

let notes = ZoneID(zoneName: "Notes")

func note(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: notes) }

/// A delegate that sends what is pending, with the records that it is given, and calls a test's code
/// in each event.
final class Script: SyncEngineDelegate {
  typealias Handler = @Sendable (SyncEngine.Event, any SyncEngine) async -> Void
  typealias Provider =
    @Sendable (SyncEngine.SendChangesContext, any SyncEngine) async -> RecordZoneChangeBatch?

  private struct State {
    var records: [RecordID: DraftRecord] = [:]
    var handler: Handler = { _, _ in }
    var provider: Provider?
    var options: (@Sendable (SyncEngine.FetchChangesContext) -> FetchChangesOptions)?
    var saved: [SyncEngineStateSerialization] = []
    var fetched: [ResultRecord] = []
    var deleted: [RecordID] = []
    var isUnsent = false
  }

  private let state = Mutex(State())

  /// A mark for a test's own code.
  var isUnsent: Bool {
    get { state.withLock { $0.isUnsent } }
    set { state.withLock { $0.isUnsent = newValue } }
  }

  /// The last state that the engine has reported.
  var serialization: SyncEngineStateSerialization? { state.withLock { $0.saved.last } }
  /// All states that the engine has reported.
  var serializations: [SyncEngineStateSerialization] { state.withLock { $0.saved } }
  /// All records that were fetched, in their order.
  var fetched: [ResultRecord] { state.withLock { $0.fetched } }
  var deleted: [RecordID] { state.withLock { $0.deleted } }

  /// Gives the delegate a record to provide.
  func set(_ name: String, _ text: String, parent: String? = nil) {
    state.withLock { state in
      var draft =
        state.records[note(name)] ?? DraftRecord(recordType: "Note", recordID: note(name))
      draft["text"] = text
      if let parent { draft.parent = Reference(recordID: note(parent)) }
      state.records[note(name)] = draft
    }
  }

  func forget(_ recordID: RecordID) { state.withLock { $0.records[recordID] = nil } }

  func put(_ draft: DraftRecord) { state.withLock { $0.records[draft.recordID] = draft } }

  func onEvent(_ handler: @escaping Handler) { state.withLock { $0.handler = handler } }

  func onBatch(_ provider: @escaping Provider) { state.withLock { $0.provider = provider } }

  func onOptions(
    _ options: @escaping @Sendable (SyncEngine.FetchChangesContext) -> FetchChangesOptions
  ) {
    state.withLock { $0.options = options }
  }

  func handleEvent(_ event: SyncEngine.Event, syncEngine: any SyncEngine) async {
    let handler = state.withLock { state in
      switch event {
      case .stateUpdate(let update): state.saved.append(update.stateSerialization)
      case .fetchedRecordZoneChanges(let changes):
        state.fetched += changes.modifications.map(\.record)
        state.deleted += changes.deletions.map(\.recordID)
      case .sentRecordZoneChanges(let sent):
        for record in sent.savedRecords {
          // No edit is lost: tests edit a record only between its sends.
          state.records[record.recordID] = DraftRecord(record)
        }
      default: break
      }
      return state.handler
    }
    await handler(event, syncEngine)
  }

  func nextRecordZoneChangeBatch(
    _ context: SyncEngine.SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    if let provider = state.withLock({ $0.provider }) { return await provider(context, syncEngine) }
    let changes = syncEngine.state.pendingRecordZoneChanges.filter {
      context.options.scope.contains($0)
    }
    return await RecordZoneChangeBatch(pendingChanges: changes) { recordID in
      self.state.withLock { $0.records[recordID] }
    }
  }

  func nextFetchChangesOptions(
    _ context: SyncEngine.FetchChangesContext, syncEngine: any SyncEngine
  ) async -> FetchChangesOptions {
    state.withLock { $0.options }?(context) ?? context.options
  }
}

/// A container with devices whose calls can fail.
struct World {
  let clock: ManualClock
  let container: MockContainer
  let testbed: SyncTestbed

  init(
    _ rules: SyncRules = SyncRules(), server: ServerRules = .native, recordsIssues: Bool = true
  ) throws {
    let clock = ManualClock()
    self.clock = clock
    container = try MockContainer.inMemory(rules: server, now: { clock.date })
    testbed = SyncTestbed(clock: clock, rules: rules, recordsIssues: recordsIssues)
  }

  var database: MockDatabase { container.privateCloudDatabase }

  func device(_ name: String) -> FaultInjectingContainer<MockDevice> {
    FaultInjectingContainer(container.device(name), clock: clock)
  }

  func createZone(_ zoneID: ZoneID = notes) async throws {
    try await database.save(RecordZone(zoneID: zoneID))
  }

  /// Saves a note as another device does.
  @discardableResult
  func save(_ name: String, _ text: String, parent: String? = nil) async throws -> ResultRecord {
    let existing = try? await database.record(for: note(name))
    var draft =
      existing.map { DraftRecord($0) } ?? DraftRecord(recordType: "Note", recordID: note(name))
    draft["text"] = text
    if let parent { draft.parent = Reference(recordID: note(parent)) }
    return try await database.save(draft)
  }

  /// A device whose engine has signed in and fetched, with a zone.
  func ready(
    _ name: String = "Phone", rules: SyncRules? = nil, automaticallySync: Bool = true
  ) async throws -> Client {
    try await createZone()
    let client = Client(self, name, rules: rules, automaticallySync: automaticallySync)
    try await client.settle()
    if !automaticallySync { try await client.engine.fetchChanges() }
    _ = testbed.takeAllEvents(of: client.engine)
    return client
  }
}

extension SyncTestbed {
  /// Forgets the events so far.
  func takeAllEvents(of engine: any SyncEngine) -> [String] {
    takeEvents(of: engine, stateUpdates: true)
  }
}

/// A device with an engine and its delegate.
struct Client {
  let world: World
  let device: FaultInjectingContainer<MockDevice>
  let delegate = Script()
  let engine: MockSyncEngine

  init(
    _ world: World, _ name: String = "Phone", state: SyncEngineStateSerialization? = nil,
    rules: SyncRules? = nil, automaticallySync: Bool = true
  ) {
    self.world = world
    device = world.device(name)
    engine = world.testbed.engine(
      for: delegate, on: device, state: state, automaticallySync: automaticallySync, rules: rules)
  }

  var faults: Faults { device.faults }

  /// The events so far that begin with a text, without state updates.
  func events(_ prefix: String = "") -> [String] {
    world.testbed.events(of: engine).filter { $0.hasPrefix(prefix) }
  }

  func settle() async throws { try await world.testbed.run() }

  /// Edits a note as the app does.
  func edit(_ name: String, _ text: String = "text", parent: String? = nil) {
    delegate.set(name, text, parent: parent)
    engine.state.add(pendingRecordZoneChanges: [.saveRecord(note(name))])
  }

  /// Sends the pending changes, and calls `body` before the server gets the request.
  ///
  /// - Parameter fault: the fault that the request fails with; nil lets it succeed.
  func duringSend(
    failing fault: Fault? = nil, _ body: () async throws -> Void
  ) async throws {
    let gate = faults.hold(.modifyRecords)
    if let fault { faults.fail(.modifyRecords, with: fault) }
    let sending = Task { [engine] in try await engine.sendChanges() }
    try await gate.waitForCall()
    try await body()
    gate.release()
    if fault == nil { try await sending.value } else { _ = await sending.result }
  }

  func expect(_ lines: String, stateUpdates: Bool = false) {
    expectEvents(of: engine, in: world.testbed, lines, stateUpdates: stateUpdates)
  }
}

/// Expects an error of CloudKit with a code.
func expectError(
  _ code: CloudError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  do {
    try await body()
    Issue.record("no error", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? CloudError)?.code == code, sourceLocation: sourceLocation)
  }
}

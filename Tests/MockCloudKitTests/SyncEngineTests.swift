import Foundation
import MockCloud
import MockSync
import RecordModel
import Synchronization
import TestSupport
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// An app that stores records by name, and makes an engine when it needs one, as Apple's sample.
private final class Store: CKSyncEngineDelegate {
  private struct State {
    var engine: CKSyncEngine?
    var serialization: CKSyncEngine.State.Serialization?
    var records: [CKRecord.ID: CKRecord] = [:]
    var events: [String] = []
  }

  let database: CKDatabase
  let zone = CKRecordZone.ID(zoneName: "Notes")
  private let state = Mutex(State())

  /// - Parameter serialization: The state that an earlier start of the app has stored.
  init(_ container: CKContainer, continuing serialization: CKSyncEngine.State.Serialization? = nil)
  {
    database = container.privateCloudDatabase
    state.withLock { $0.serialization = serialization }
  }

  @discardableResult
  func makeEngine(forgetting: Bool = false) -> CKSyncEngine {
    var configuration = CKSyncEngine.Configuration(
      database: database, stateSerialization: forgetting ? nil : serialization, delegate: self)
    configuration.automaticallySync = false
    let engine = CKSyncEngine(configuration)
    state.withLock { $0.engine = engine }
    return engine
  }

  var engine: CKSyncEngine { state.withLock { $0.engine } ?? makeEngine() }
  var serialization: CKSyncEngine.State.Serialization? { state.withLock { $0.serialization } }
  var events: [String] { state.withLock { $0.events } }
  var names: [String] { state.withLock { $0.records.keys.map(\.recordName) }.sorted() }

  func add(_ name: String) {
    let id = CKRecord.ID(recordName: name, zoneID: zone)
    state.withLock { $0.records[id] = CKRecord(recordType: "Note", recordID: id) }
    engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: zone))])
    engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
  }

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    switch event {
    case .stateUpdate(let update):
      state.withLock { $0.serialization = update.stateSerialization }
    case .accountChange(let change):
      note("account \(change.changeType == .signIn(currentUser: CKRecord.ID(recordName: "_mira")))")
      let ids = state.withLock { Array($0.records.keys) }
      syncEngine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: zone))])
      syncEngine.state.add(pendingRecordZoneChanges: ids.map { .saveRecord($0) })
    case .fetchedRecordZoneChanges(let changes):
      state.withLock { state in
        for change in changes.modifications {
          state.records[change.record.recordID] = change.record
        }
      }
      note("fetched \(changes.modifications.count)")
    case .sentRecordZoneChanges(let sent):
      note("sent \(sent.savedRecords.count) \(sent.failedRecordSaves.map { name($0.error) })")
    default: break
    }
  }

  private func note(_ event: String) { state.withLock { $0.events.append(event) } }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    let records = state.withLock { $0.records }
    return await CKSyncEngine.RecordZoneChangeBatch(
      pendingChanges: syncEngine.state.pendingRecordZoneChanges
    ) { records[$0] }
  }
}

@Suite(.timeLimit(.minutes(20))) struct SyncEngineTests {
  private func container() throws -> MockContainer {
    try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
  }

  @Test func recordsReachAnotherDeviceAndTheFirstEventIsASignIn() async throws {
    let mock = try container()
    let phone = Store(CKContainer(mock: mock.device("Phone")))
    let tablet = Store(CKContainer(mock: mock.device("Tablet")))
    phone.add("a")
    try await phone.engine.sendChanges()
    try await tablet.engine.fetchChanges()
    #expect(phone.events == ["account true", "sent 1 []"])
    #expect(tablet.events == ["account true", "fetched 1"])
    #expect(tablet.names == ["a"])
  }

  /// Apple's sample makes a second engine in a task of its initializer, which may run at any time.
  @Test func aSecondEngineOfADelegateContinuesTheFirst() async throws {
    let store = Store(CKContainer(mock: try container()))
    store.add("a")
    try await store.engine.sendChanges()
    store.add("b")
    // The delegate has not been told of the pending change yet.
    store.makeEngine()
    #expect(store.engine.state.pendingRecordZoneChanges.count == 1)
    try await store.engine.sendChanges()
    try await store.engine.fetchChanges()
    #expect(store.events.filter { $0.hasPrefix("account") }.count == 1)
    #expect(store.events.contains("sent 1 []"))
    #expect(
      try await store.database.records(for: [CKRecord.ID(recordName: "b", zoneID: store.zone)])
        .count == 1)
  }

  @Test func anEngineWithoutTheDeliveredStateBeginsAnew() async throws {
    let store = Store(CKContainer(mock: try container()))
    store.add("a")
    try await store.engine.sendChanges()
    try await waitUntil { store.serialization != nil }
    store.add("b")
    let anew = store.makeEngine(forgetting: true)
    #expect(anew.state.pendingRecordZoneChanges.isEmpty)
    try await anew.fetchChanges()
    #expect(store.events.filter { $0.hasPrefix("account") }.count == 2)
  }

  /// An app deletes its data when the accounts are switched.
  @Test func anotherUserOfTheContainerDoesNotSwitchTheAccount() async throws {
    let mock = try MockContainer.inMemory()
    let first = Store(CKContainer(mock: mock))
    first.add("a")
    try await first.engine.sendChanges()
    try await first.engine.fetchChanges()
    #expect(first.events.filter { $0.hasPrefix("account") }.count == 1)
    _ = try mock.account("_kenji")
    let again = Store(CKContainer(mock: mock), continuing: first.serialization)
    try await again.engine.fetchChanges()
    #expect(again.events.filter { $0.hasPrefix("account") }.isEmpty)
  }

  @Test func anEngineDoesNotKeepItsDelegateAlive() throws {
    weak var store: Store?
    var engine: CKSyncEngine?
    do {
      let made = Store(CKContainer(mock: try container()))
      store = made
      engine = made.makeEngine()
    }
    #expect(store == nil || engine != nil)
    engine = nil
    #expect(store == nil)
  }

  @Test func aCallFromTheDelegateIsAFailureInCloudKitsWords() async throws {
    final class Caller: CKSyncEngineDelegate {
      func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        if case .accountChange = event { try? await syncEngine.fetchChanges() }
      }
      func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
      ) async -> CKSyncEngine.RecordZoneChangeBatch? { nil }
    }
    let mock = try container()
    let failures = Mutex<[String]>([])
    let scope = TestScope(container: { mock }) { message in
      failures.withLock { $0.append(message) }
    }
    try await TestScope.$current.withValue(scope) {
      let caller = Caller()
      var configuration = CKSyncEngine.Configuration(
        database: CKContainer.default().privateCloudDatabase, stateSerialization: nil,
        delegate: caller)
      configuration.automaticallySync = false
      try await CKSyncEngine(configuration).fetchChanges()
      withExtendedLifetime(caller) {}
    }
    let messages = failures.withLock { $0 }
    #expect(messages.count == 1 && messages.first?.hasPrefix("BUG IN CLIENT OF CLOUDKIT") == true)
  }

  @Test func aStateOfAnotherDatabaseIsAFailureOfTheTest() async throws {
    let mock = try container()
    let failures = Mutex<[String]>([])
    let scope = TestScope(container: { mock }) { message in
      failures.withLock { $0.append(message) }
    }
    try await TestScope.$current.withValue(scope) {
      let store = Store(.default())
      store.add("a")
      try await store.engine.sendChanges()
      try await waitUntil { store.serialization != nil }
      let shared = CKSyncEngine(
        .init(
          database: CKContainer.default().sharedCloudDatabase,
          stateSerialization: store.serialization, delegate: store))
      #expect(shared.state.pendingRecordZoneChanges.isEmpty)
    }
    let messages = failures.withLock { $0 }
    #expect(messages.count == 1 && messages.first?.contains("private database") == true)
  }

  /// The tests of Apple's sample expect the error.
  @Test func aSendThrowsTheErrorsOfItsRecords() async throws {
    let store = Store(CKContainer(mock: try container()))
    store.add("a")
    try await store.engine.sendChanges()
    // Another device has saved the record meanwhile.
    store.add("a")
    let id = CKRecord.ID(recordName: "a", zoneID: store.zone)
    let error = await ckError { try await store.engine.sendChanges() }
    #expect(error?.code == .partialFailure)
    #expect((error?.partialErrorsByItemID?[id] as? CKError)?.code == .serverRecordChanged)
    #expect(store.events.last == "sent 0 [\"serverRecordChanged\"]")
  }

  @Test func deletingAZoneThatDoesNotExistSucceeds() async throws {
    let container = CKContainer(mock: try container())
    let zone = CKRecordZone.ID(zoneName: "Missing")
    #expect(try await container.privateCloudDatabase.deleteRecordZone(withID: zone) == zone)
  }

  /// Source: Apple's documentation of `init(pendingChanges:recordProvider:)`: a save whose record is nil is
  /// skipped, and the batch takes changes until it has the greatest size.
  @Test func aBatchSkipsMissingRecordsAndEndsAtItsGreatestSize() async {
    let changes: [CKSyncEngine.PendingRecordZoneChange] = (0..<260).map {
      .saveRecord(CKRecord.ID(recordName: "\($0)", zoneID: CKRecordZone.ID(zoneName: "Notes")))
    }
    let last = await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { id in
      (Int(id.recordName) ?? 0) < 250 ? nil : CKRecord(recordType: "Note", recordID: id)
    }
    #expect(last?.recordsToSave.count == 10)
    let large = await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { id in
      let record = CKRecord(recordType: "Note", recordID: id)
      record["data"] = Data(count: 500_000)
      return record
    }
    #expect(large?.recordsToSave.count == 3)
  }

  /// An app with thousands of pending changes asks for them at each edit.
  @Test func pendingChangesAreConvertedOnce() throws {
    let store = Store(CKContainer(mock: try container()))
    let state = store.engine.state
    let ids = (0..<300).map { CKRecord.ID(recordName: "\($0)", zoneID: store.zone) }
    state.add(pendingRecordZoneChanges: ids.map { .saveRecord($0) })
    let before = state.pendingRecordZoneChanges.map(\.recordID)
    #expect(before == ids)
    state.remove(pendingRecordZoneChanges: [.saveRecord(ids[0]), .saveRecord(ids[7])])
    state.add(pendingRecordZoneChanges: [.deleteRecord(ids[7]), .saveRecord(ids[0])])
    let after = state.pendingRecordZoneChanges.map(\.recordID)
    #expect(after == ids[1..<7] + ids[8...] + [ids[7], ids[0]])
    for (old, new) in zip(before[1..<7] + before[8...], after) { #expect(old === new) }
  }

  @Test func anEngineDropsMissingRecordsIfItsRulesSaySo() async throws {
    var rules = SyncRules()
    rules.missingRecords = .dropped
    let store = Store(CKContainer(mock: try container(), syncRules: rules))
    let id = CKRecord.ID(recordName: "gone", zoneID: store.zone)
    store.engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
    try await store.engine.sendChanges()
    #expect(store.engine.state.pendingRecordZoneChanges.isEmpty)
  }
}

extension CKSyncEngine.PendingRecordZoneChange {
  fileprivate var recordID: CKRecord.ID {
    switch self {
    case .saveRecord(let id), .deleteRecord(let id): id
    }
  }
}

import Foundation
import RecordModel
import Synchronization
import Testing

@testable import CloudInterface

@Suite("The types of a sync engine")
struct SyncEngineTypeTests {
  private static let notes = ZoneID(zoneName: "Notes")

  private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: Self.notes) }

  private func changes(_ count: Int) -> [PendingRecordZoneChange] {
    (0..<count).map { .saveRecord(id("n\($0)")) }
  }

  @Test("a batch of pending changes has at most 250 of them, in their order")
  func batchCount() async throws {
    let asked = Mutex(0)
    let batch = await RecordZoneChangeBatch(pendingChanges: changes(300)) { recordID in
      asked.withLock { $0 += 1 }
      return DraftRecord(recordType: "Note", recordID: recordID)
    }
    let saved = try #require(batch).recordsToSave.map(\.recordID)
    #expect(saved == changes(250).map(\.recordID))
    // A provider may read a database: it is not asked for records that are not sent.
    #expect(asked.withLock { $0 } == 250)
  }

  @Test("a batch of pending changes has at most 2 MB of fields")
  func batchSize() async throws {
    let text = String(repeating: "a", count: 20_000)
    let batch = await RecordZoneChangeBatch(pendingChanges: changes(250)) { recordID in
      var draft = DraftRecord(recordType: "Note", recordID: recordID)
      draft["text"] = text
      return draft
    }
    #expect(try #require(batch).recordsToSave.count == 99)
  }

  @Test("a batch has one record even if it is too large, so that the server can reject it")
  func largeRecord() async throws {
    let batch = await RecordZoneChangeBatch(pendingChanges: changes(2)) { recordID in
      var draft = DraftRecord(recordType: "Note", recordID: recordID)
      draft["text"] = String(repeating: "a", count: 3_000_000)
      return draft
    }
    #expect(try #require(batch).recordsToSave.count == 1)
  }

  @Test("a batch skips saves without a record, and is nil if nothing is left")
  func missingRecords() async throws {
    let change = PendingRecordZoneChange.saveRecord(id("gone"))
    let missing = SkippedChanges()
    let (none, some) = await SkippedChanges.$current.withValue(missing) {
      (
        await RecordZoneChangeBatch(pendingChanges: [change]) { _ in nil },
        await RecordZoneChangeBatch(pendingChanges: [change, .deleteRecord(id("old"))]) { _ in nil }
      )
    }
    #expect(none == nil)
    #expect(try #require(some).recordIDsToDelete == [id("old")])
    #expect(missing.all == [id("gone")])
  }

  @Test("scopes contain what CloudKit's do")
  func scopes() {
    let other = RecordID(recordName: "n", zoneID: ZoneID(zoneName: "Other"))
    #expect(SendChangesOptions.Scope.all.contains(other))
    #expect(!SendChangesOptions.Scope.zoneIDs([Self.notes]).contains(.saveRecord(other)))
    #expect(SendChangesOptions.Scope.allExcluding([Self.notes]).contains(other))
    #expect(SendChangesOptions.Scope.recordIDs([other]).contains(.deleteRecord(other)))
    #expect(!SendChangesOptions.Scope.recordIDs([other]).contains(id("n")))
    #expect(!FetchChangesOptions.Scope.allExcluding([Self.notes]).contains(Self.notes))
  }

  @Test("a serialization survives encoding, and is made only then")
  func serialization() throws {
    let count = Mutex(0)
    let made = SyncEngineStateSerialization {
      count.withLock { $0 += 1 }
      return Data("state".utf8)
    }
    #expect(count.withLock { $0 } == 0)
    let stored = try JSONEncoder().encode(made)
    let read = try JSONDecoder().decode(SyncEngineStateSerialization.self, from: stored)
    #expect(try read.data == Data("state".utf8))
  }

  @Test("events name records and error codes, and no values")
  func descriptions() {
    var draft = DraftRecord(recordType: "Note", recordID: id("n1"))
    draft.encryptedValues["secret"] = "42"
    let event = SyncEngineEvent.sentRecordZoneChanges(
      .init(
        failedRecordSaves: [
          .init(record: draft, error: CloudError(.serverRecordChanged, "record n1 changed"))
        ], deletedRecordIDs: [id("n2")]))
    #expect(
      "\(event)"
        == "sentRecordZoneChanges: failed Notes:n1 (serverRecordChanged); deleted Notes:n2")
    let context = SendChangesContext(reason: .manual)
    #expect(
      "\(SyncEngineEvent.willSendChanges(.init(context: context)))"
        == "willSendChanges: manual, all zones")
  }

  /// Compiles only if the names of `CKSyncEngine` work without `CK`.
  @Test("an app's delegate compiles with Apple's names")
  func names() async {
    let store = Store()
    let batch = await store.nextRecordZoneChangeBatch(
      SyncEngine.SendChangesContext(reason: .scheduled), syncEngine: NoEngine())
    #expect(batch == nil)
  }

  private actor Store: SyncEngineDelegate {
    var stored: SyncEngine.State.Serialization?
    var users: [RecordID] = []

    func handleEvent(_ event: SyncEngine.Event, syncEngine: any SyncEngine) async {
      switch event {
      case .stateUpdate(let update): stored = update.stateSerialization
      case .accountChange(let change):
        if case .signIn(let user) = change.changeType { users.append(user) }
      default: break
      }
    }

    func nextRecordZoneChangeBatch(
      _ context: SyncEngine.SendChangesContext, syncEngine: any SyncEngine
    ) async -> SyncEngine.RecordZoneChangeBatch? {
      let changes = syncEngine.state.pendingRecordZoneChanges.filter {
        context.options.scope.contains($0)
      }
      return await SyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { _ in nil }
    }
  }

  private final class NoEngine: SyncEngine {
    let description = "none"
    var database: any CloudDatabase { fatalError("no database") }
    let state: any SyncEngine.State = NoState()
    func fetchChanges(_ options: FetchChangesOptions) async throws {}
    func sendChanges(_ options: SendChangesOptions) async throws {}
    func cancelOperations() async {}
  }

  private final class NoState: SyncEngineState {
    var pendingRecordZoneChanges: [PendingRecordZoneChange] { [] }
    var pendingDatabaseChanges: [PendingDatabaseChange] { [] }
    var hasPendingUntrackedChanges: Bool {
      get { false }
      set {}
    }
    var zoneIDsWithUnfetchedServerChanges: [ZoneID] { [] }
    func add(pendingRecordZoneChanges: [PendingRecordZoneChange]) {}
    func remove(pendingRecordZoneChanges: [PendingRecordZoneChange]) {}
    func add(pendingDatabaseChanges: [PendingDatabaseChange]) {}
    func remove(pendingDatabaseChanges: [PendingDatabaseChange]) {}
  }
}

import Foundation
import RecordPackTesting
import Synchronization
import Testing

private let other = ZoneID(zoneName: "Other")
private let outside = RecordID(recordName: "b", zoneID: other)

@Suite("Changes that are added during a send")
struct AddedChangesTests {
  enum Moment: CaseIterable { case willSend, duringRequest }
  enum Change: CaseIterable {
    case record, zone, untracked

    func add(to state: any SyncEngineState) {
      switch self {
      case .record: state.add(pendingRecordZoneChanges: [.saveRecord(outside)])
      case .zone: state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneName: "New"))])
      case .untracked: state.hasPendingUntrackedChanges = true
      }
    }
  }

  @Test(
    "those outside its scope are sent by the next sync", arguments: Moment.allCases, Change.allCases
  )
  func outsideScope(moment: Moment, change: Change) async throws {
    let world = try World()
    try await world.createZone(other)
    let client = try await world.ready()
    client.delegate.put(DraftRecord(recordType: "Note", recordID: outside))
    client.delegate.onBatch { context, engine in
      if context.reason == .scheduled { engine.state.hasPendingUntrackedChanges = false }
      let changes = engine.state.pendingRecordZoneChanges.filter(context.options.scope.contains)
      return await RecordZoneChangeBatch(pendingChanges: changes) { recordID in
        DraftRecord(recordType: "Note", recordID: recordID)
      }
    }
    client.onManualSend {
      client.edit("a")
      if moment == .willSend { change.add(to: client.engine.state) }
    }
    let gate = client.faults.hold(.modifyRecords)
    let scope = SendChangesOptions(scope: .recordIDs([note("a")]))
    let sending = Task { [engine = client.engine] in try await engine.sendChanges(scope) }
    try await gate.waitForCall()
    if moment == .duringRequest { change.add(to: client.engine.state) }
    gate.release()
    try await sending.value
    try await client.settle()
    let state = client.engine.state
    #expect(!state.hasPendingUntrackedChanges && state.pendingDatabaseChanges.isEmpty)
    #expect(state.pendingRecordZoneChanges.isEmpty)
    #expect(client.events("willSendChanges").count == 2)
  }

  @Test("a zone that is added while the delegate has no batch is saved by the next sync")
  func zoneWithoutBatch() async throws {
    let world = try World()
    let client = try await world.ready()
    client.delegate.onBatch { _, engine in
      guard !client.delegate.isUnsent else { return nil }
      client.delegate.isUnsent = true
      engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneName: "Y"))])
      return nil
    }
    client.engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneName: "X"))])
    try await client.settle()
    #expect(
      client.events("sentDatabaseChanges")
        == ["sentDatabaseChanges: saved X", "sentDatabaseChanges: saved Y"])
  }

  @Test("a zone that is added during a request with failures is saved after a fetch")
  func zoneBesideFailure() async throws {
    let world = try World()
    let client = try await world.ready()
    client.onManualSend { client.edit("a") }
    try await client.duringSend(failing: .error(.permissionFailure)) {
      client.engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneName: "Y"))])
    }
    try await client.settle()
    #expect(client.events("sentDatabaseChanges") == ["sentDatabaseChanges: saved Y"])
  }

  @Test("a record outside its scope that the app does not have leads to one more send")
  func missingRecord() async throws {
    let world = try World()
    let client = try await world.ready()
    client.onManualSend {
      client.edit("a")
      Change.record.add(to: client.engine.state)
    }
    try await client.engine.sendChanges(.init(scope: .zoneIDs([notes])))
    let error = await #expect(throws: SyncTestbedError.self) { try await client.settle() }
    #expect(error?.kind == .stillPending)
    #expect(client.events("willSendChanges").count == 2)
  }
}

extension Client {
  /// Calls `body` at the beginning of a send that the test asks for: no sync is scheduled then.
  fileprivate func onManualSend(_ body: @escaping @Sendable () -> Void) {
    delegate.onEvent { event, _ in
      guard case .willSendChanges(let event) = event, event.context.reason == .manual else {
        return
      }
      body()
    }
  }
}

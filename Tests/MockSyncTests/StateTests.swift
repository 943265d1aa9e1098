import Foundation
import RecordPackTesting
import TestSupport
import Testing

@Suite("The state")
struct StateTests {
  @Test("drops duplicates, and a later change of a record replaces an earlier one")
  func duplicates() async throws {
    let world = try World()
    let state = try await world.ready(automaticallySync: false).engine.state
    state.add(pendingRecordZoneChanges: [
      .saveRecord(note("a")), .saveRecord(note("b")), .saveRecord(note("a")),
      .deleteRecord(note("b")), .saveRecord(note("c")),
    ])
    #expect(
      state.pendingRecordZoneChanges
        == [.saveRecord(note("a")), .deleteRecord(note("b")), .saveRecord(note("c"))])
    state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: notes)), .deleteZone(notes)])
    #expect(state.pendingDatabaseChanges == [.deleteZone(notes)])
    state.remove(pendingRecordZoneChanges: [.saveRecord(note("a")), .saveRecord(note("b"))])
    #expect(state.pendingRecordZoneChanges == [.deleteRecord(note("b")), .saveRecord(note("c"))])
  }

  @Test("keeps duplicates if the rules say so")
  func keptDuplicates() async throws {
    var rules = SyncRules()
    rules.duplicates = .kept
    let world = try World(rules)
    let state = try await world.ready(automaticallySync: false).engine.state
    state.add(pendingRecordZoneChanges: [.saveRecord(note("a")), .saveRecord(note("a"))])
    #expect(state.pendingRecordZoneChanges.count == 2)
    state.remove(pendingRecordZoneChanges: [.saveRecord(note("a"))])
    #expect(state.pendingRecordZoneChanges.isEmpty)
  }

  @Test("sends duplicates that it keeps, and comes to rest")
  func sentDuplicates() async throws {
    var rules = SyncRules()
    rules.duplicates = .kept
    let world = try World(rules)
    let client = try await world.ready()
    for _ in 0..<2 { client.edit("a") }
    try await client.settle()
    #expect(
      client.events("sent")
        == ["sentRecordZoneChanges: failed Notes:a (invalidArguments), Notes:a (invalidArguments)"])
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("a failed request gives duplicates that it keeps back, in their order")
  func failedDuplicates() async throws {
    var rules = SyncRules()
    rules.duplicates = .kept
    let world = try World(rules)
    let client = try await world.ready(automaticallySync: false)
    client.engine.state.add(pendingRecordZoneChanges: [.deleteRecord(note("a"))])
    client.edit("a")
    let before = client.engine.state.pendingRecordZoneChanges
    try await client.duringSend(failing: .networkFailure()) {
      #expect(client.engine.state.pendingRecordZoneChanges.isEmpty)
    }
    #expect(client.engine.state.pendingRecordZoneChanges == before && before.count == 2)
  }

  @Test("keeps changes that are being sent apart; a new engine has them pending again")
  func inFlight() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    client.edit("n1")
    client.edit("n2")
    try await client.duringSend {
      #expect(client.engine.state.pendingRecordZoneChanges == [])
      let restarted = Client(world, state: try stored(client.delegate.serialization))
      #expect(
        restarted.engine.state.pendingRecordZoneChanges
          == [.saveRecord(note("n1")), .saveRecord(note("n2"))])
    }
  }

  @Test("a zone that is being saved is kept apart, too; a new engine has it pending again")
  func zoneInFlight() async throws {
    let world = try World()
    let client = Client(world)
    try await client.settle()
    let change = PendingDatabaseChange.saveZone(RecordZone(zoneID: notes))
    client.engine.state.add(pendingDatabaseChanges: [change])
    let gate = client.faults.hold(.modifyRecordZones)
    let sending = Task { try await client.engine.sendChanges() }
    try await gate.waitForCall()
    #expect(client.engine.state.pendingDatabaseChanges == [])
    client.edit("n1")
    world.clock.advance(by: .milliseconds(100))
    await client.engine.performDue()
    let again = Client(world, state: client.delegate.serialization)
    #expect(again.engine.state.pendingDatabaseChanges == [change])
    gate.release()
    try await sending.value
  }

  @Test("a change of a record that is being sent is pending beside it")
  func editDuringSend() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    client.edit("n1", "first")
    try await client.duringSend {
      client.engine.state.add(pendingRecordZoneChanges: [.deleteRecord(note("n1"))])
      #expect(client.engine.state.pendingRecordZoneChanges == [.deleteRecord(note("n1"))])
    }
    await expectError(.unknownItem) {
      _ = try await world.database.record(for: note("n1"))
    }
  }

  @Test("a change that is removed while it is being sent does not come back")
  func removedDuringSend() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    client.edit("n1")
    try await client.duringSend(failing: .networkFailure()) {
      client.engine.state.remove(pendingRecordZoneChanges: [.saveRecord(note("n1"))])
    }
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("hasPendingUntrackedChanges schedules a send that asks the delegate")
  func untracked() async throws {
    let world = try World()
    let client = try await world.ready()
    client.delegate.onBatch { _, engine in
      guard engine.state.hasPendingUntrackedChanges else { return nil }
      engine.state.hasPendingUntrackedChanges = false
      return RecordZoneChangeBatch(
        recordsToSave: [DraftRecord(recordType: "Note", recordID: note("n1"))])
    }
    client.engine.state.hasPendingUntrackedChanges = true
    try await client.settle()
    client.expect(
      """
      willSendChanges: scheduled, all zones
      sentRecordZoneChanges: saved Notes:n1
      didSendChanges: scheduled, all zones
      """)
  }

  @Test("a call that changes nothing in stateUpdate does not lead to the next stateUpdate")
  func unchangedState() async throws {
    let world = try World()
    let client = try await world.ready()
    client.delegate.onEvent { event, engine in
      guard case .stateUpdate = event else { return }
      engine.state.add(pendingRecordZoneChanges: [])
      engine.state.add(pendingDatabaseChanges: [])
      engine.state.remove(pendingRecordZoneChanges: [.saveRecord(note("gone"))])
      engine.state.remove(pendingDatabaseChanges: [.deleteZone(notes)])
      engine.state.hasPendingUntrackedChanges = false
    }
    client.edit("n1")
    try await world.testbed.run(maxEvents: 50)
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("a save whose record the app does not have stays pending until the app removes it")
  func missingRecord() async throws {
    let world = try World()
    let client = try await world.ready()
    client.engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("gone"))])
    let error = await #expect(throws: SyncTestbedError.self) { try await client.settle() }
    #expect(error?.kind == .stillPending)
    #expect(error?.description.contains("Phone: save Notes:gone") == true)
    client.engine.state.remove(pendingRecordZoneChanges: [.saveRecord(note("gone"))])
    try await client.settle()
  }

  @Test("a save whose record the app does not have is dropped if the rules say so")
  func droppedRecord() async throws {
    var rules = SyncRules()
    rules.missingRecords = .dropped
    let world = try World(rules)
    let client = try await world.ready()
    client.engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("gone"))])
    client.edit("n1")
    try await client.settle()
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("survives its serialization: tokens, pending changes, and the user")
  func restart() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    client.edit("n2")
    client.engine.state.add(pendingDatabaseChanges: [.deleteZone(ZoneID(zoneName: "Old"))])
    world.clock.advance(by: .milliseconds(100))
    await client.engine.performDue()
    world.testbed.stop(client.engine)
    let again = Client(world, state: try stored(client.delegate.serialization))
    again.delegate.set("n2", "Bread")
    try await again.settle()
    // Neither a signIn nor what was fetched before; what was pending is sent after a fetch.
    again.expect(
      """
      willFetchChanges: scheduled, all zones
      didFetchChanges: scheduled, all zones
      willSendChanges: scheduled, all zones
      sentDatabaseChanges: deleted Old
      sentRecordZoneChanges: saved Notes:n2
      didSendChanges: scheduled, all zones
      """)
  }

  @Test(
    "stores the names of records to the scalar",
    arguments: ["\u{301}x", "\u{200D}y", "\u{FE0F}z", "\u{E9}", "e\u{301}", "+", "-x"])
  func names(name: String) async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    let changes = [PendingRecordZoneChange.saveRecord(note(name)), .deleteRecord(note("b" + name))]
    client.engine.state.add(pendingRecordZoneChanges: changes)
    try await client.settle()
    let again = Client(world, state: try stored(client.delegate.serialization))
    #expect(again.engine.state.pendingRecordZoneChanges == changes)
  }

  @Test("an older state leads to the same changes again")
  func olderState() async throws {
    let world = try World()
    let client = try await world.ready()
    let older = client.delegate.serialization
    try await world.save("n1", "Milk")
    try await client.settle()
    let again = Client(world, "Phone", state: try stored(older))
    try await again.settle()
    #expect(again.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test("a crash between the handling of a page and its state leads to the page again")
  func crashAfterPage() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    client.delegate.onEvent { event, engine in
      if case .fetchedRecordZoneChanges = event { world.testbed.stop(engine) }
    }
    try await client.settle()
    let again = Client(world, "Phone", state: try stored(client.delegate.serialization))
    try await again.settle()
    #expect(again.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test("a crash between the zones and their records leads to the records later")
  func crashAfterZones() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    client.delegate.onEvent { event, engine in
      if case .willFetchRecordZoneChanges = event { world.testbed.stop(engine) }
    }
    try await client.settle()
    let again = Client(world, "Phone", state: try stored(client.delegate.serialization))
    #expect(again.engine.state.zoneIDsWithUnfetchedServerChanges == [notes])
    try await again.settle()
    #expect(again.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test("a crash between two pages leads to the other pages later")
  func crashBetweenPages() async throws {
    var server = ServerRules.native
    server.maxResults = 2
    let world = try World(server: server)
    let client = try await world.ready()
    for index in 0..<5 { try await world.save("n\(index)", "text") }
    client.delegate.onEvent { event, engine in
      guard case .stateUpdate = event, client.delegate.fetched.count == 2 else { return }
      world.testbed.stop(engine)
    }
    try await client.settle()
    let again = Client(world, state: client.delegate.serialization)
    try await again.settle()
    #expect(again.delegate.fetched.map(\.recordID.recordName) == ["n2", "n3", "n4"])
  }

  @Test("a state that is reported between two events of a page has the token of before the page")
  func stateWithinPage() async throws {
    var rules = SyncRules()
    rules.maxChangesInEvent = 1
    let world = try World(rules)
    let client = try await world.ready(automaticallySync: false)
    for name in ["n1", "n2"] { try await world.save(name, "text") }
    client.delegate.onEvent { event, engine in
      guard case .fetchedRecordZoneChanges = event else { return }
      if client.delegate.fetched.count == 2 { return world.testbed.stop(engine) }
      // The delayed stateUpdate comes before the next event.
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("other"))])
      world.clock.advance(by: .milliseconds(100))
      Task.detached { await client.engine.performDue() }
      try? await waitUntil { client.engine.timeUntilNextWork == nil }
      for _ in 0..<100 { await Task.yield() }
    }
    let count = client.delegate.serializations.count
    _ = try? await client.engine.fetchChanges()
    #expect(client.delegate.serializations.count == count + 2)
    let again = Client(world, "Phone", state: try stored(client.delegate.serialization))
    #expect(again.engine.state.pendingRecordZoneChanges == [.saveRecord(note("other"))])
    try await again.engine.fetchChanges()
    #expect(Set(again.delegate.fetched.map(\.recordID)) == [note("n1"), note("n2")])
  }

  @Test("a change that the app could not apply does not come again")
  func tokenMovesOn() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    try await client.engine.fetchChanges()
    #expect(client.delegate.fetched.count == 1)
  }

  @Test("a crash between add and stateUpdate loses the change")
  func crashBeforeStateUpdate() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    world.testbed.stop(client.engine)
    let again = Client(world, "Phone", state: try stored(client.delegate.serialization))
    #expect(again.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("holds names, not records: its size does not grow with the records")
  func size() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    for index in 0..<1000 { client.edit("n\(index)", String(repeating: "a", count: 10_000)) }
    try await client.settle()
    #expect(try #require(client.delegate.serialization).data.count < 20_000)
  }

  @Test("a stored state of something else is reported, and the engine begins anew")
  func unreadable() async throws {
    let world = try World(recordsIssues: false)
    try await world.createZone()
    let foreign = SyncEngineStateSerialization { Data("{}".utf8) }
    let client = Client(world, state: foreign)
    try await client.settle()
    #expect(world.testbed.misuses.map(\.kind) == [.unreadableState])
    #expect(client.events().first?.hasPrefix("accountChange") == true)
  }

  @Test("a stored state of another database's engine is reported, and the engine begins anew")
  func otherDatabase() async throws {
    let world = try World(recordsIssues: false)
    let client = try await world.ready(automaticallySync: false)
    client.edit("n", "a")
    try await client.settle()
    let state = try stored(client.delegate.serialization)
    let device = world.container.device("Second")
    let engine = world.testbed.engine(
      .init(
        database: device.sharedCloudDatabase, stateSerialization: state, delegate: client.delegate),
      on: device)
    #expect(world.testbed.misuses.map(\.kind) == [.stateOfOtherDatabase(.private)])
    #expect(engine.state.pendingRecordZoneChanges.isEmpty)
  }

  /// A state as an app reads it after a launch.
  private func stored(
    _ state: SyncEngineStateSerialization?
  ) throws -> SyncEngineStateSerialization {
    let data = try JSONEncoder().encode(try #require(state))
    return try JSONDecoder().decode(SyncEngineStateSerialization.self, from: data)
  }
}

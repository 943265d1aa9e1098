import RecordPackTesting
import Synchronization
import Testing

@Suite("Events")
struct EventTests {
  @Test("come one at a time, also those of a state that is changed during a request")
  func serial() async throws {
    let world = try World()
    let client = try await world.ready()
    let depth = Mutex(0)
    let deepest = Mutex(0)
    client.delegate.onEvent { _, _ in
      let now = depth.withLock { depth in
        depth += 1
        return depth
      }
      deepest.withLock { $0 = max($0, now) }
      for _ in 0..<20 { await Task.yield() }
      depth.withLock { $0 -= 1 }
    }
    for index in 0..<5 { client.edit("n\(index)") }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<5 {
        group.addTask { try? await client.engine.sendChanges() }
        group.addTask { try? await client.engine.fetchChanges() }
        group.addTask {
          client.edit("m\(index)")
          world.clock.advance(by: .milliseconds(100))
          await client.engine.performDue()
        }
      }
    }
    try await client.settle()
    #expect(deepest.withLock { $0 } == 1)
  }

  @Test("a state that is changed during a request is reported before the request ends")
  func stateDuringRequest() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    try await client.duringSend {
      let count = client.delegate.serializations.count
      client.edit("n2")
      world.clock.advance(by: .milliseconds(100))
      await client.engine.performDue()
      #expect(client.delegate.serializations.count == count + 1)
    }
    // The change in the middle of the send is part of the same send.
    #expect(try await world.database.record(for: note("n2"))["text"] == "text")
  }

  @Test("a change of the state does not delay the stateUpdate of the change before")
  func undelayedStateUpdate() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    let count = client.delegate.serializations.count
    client.edit("n1")
    world.clock.advance(by: .milliseconds(60))
    client.edit("n2")
    world.clock.advance(by: .milliseconds(40))
    await client.engine.performDue()
    #expect(client.delegate.serializations.count == count + 1)
  }

  @Test("several changes of the state within 100 milliseconds lead to one stateUpdate")
  func joinedStateUpdates() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    let start = world.clock.now
    client.edit("n1")
    client.edit("n2")
    client.engine.state.remove(pendingRecordZoneChanges: [.saveRecord(note("n1"))])
    client.expect("", stateUpdates: true)
    try await client.settle()
    client.expect("stateUpdate", stateUpdates: true)
    #expect(world.clock.now.offset - start.offset == .milliseconds(100))
  }

  @Test("each will-event has one did-event, also when the fetch fails")
  func pairs() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    try await world.save("n1", "Milk")
    client.faults.fail(.recordZoneChanges, with: .networkFailure())
    await expectError(.networkFailure) {
      try await client.engine.fetchChanges()
    }
    client.expect(
      """
      willFetchChanges: manual, all zones
      fetchedDatabaseChanges: modified Notes
      willFetchRecordZoneChanges: Notes
      didFetchRecordZoneChanges: Notes (networkFailure)
      didFetchChanges: manual, all zones
      """)
    #expect(client.engine.state.zoneIDsWithUnfetchedServerChanges == [notes])
    try await client.engine.fetchChanges()
    #expect(client.delegate.fetched.count == 1)
  }

  @Test("an error of one zone does not keep the others from being fetched")
  func zoneError() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    let other = ZoneID(zoneName: "Other")
    try await world.createZone(other)
    try await world.save("n1", "Milk")
    client.faults.fail(.recordZoneChanges, zone: other, with: .error(.zoneNotFound))
    try await client.engine.fetchChanges()
    let events = client.events()
    #expect(events.contains("didFetchRecordZoneChanges: Other (zoneNotFound)"))
    #expect(client.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test("the delegate is asked for options between the requests of a fetch")
  func options() async throws {
    var server = ServerRules.native
    server.maxResults = 1
    let world = try World(server: server)
    let client = try await world.ready(automaticallySync: false)
    let other = ZoneID(zoneName: "Another")
    try await world.createZone(other)
    try await world.save("n1", "Milk")
    try await world.save("n2", "Bread")
    let asked = Mutex(0)
    client.delegate.onOptions { context in
      asked.withLock { $0 += 1 }
      var options = FetchChangesOptions(scope: .allExcluding([other]))
      options.prioritizedZoneIDs = [notes]
      return options
    }
    try await client.engine.fetchChanges()
    #expect(asked.withLock { $0 } >= 4)
    #expect(client.delegate.fetched.count == 2)
    #expect(client.engine.state.zoneIDsWithUnfetchedServerChanges == [other])
    client.delegate.onOptions { $0.options }
    try await client.engine.fetchChanges()
    #expect(client.engine.state.zoneIDsWithUnfetchedServerChanges == [])
  }

  @Test("prioritized zones are fetched first")
  func priority() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    for name in ["A", "B", "C"] { try await world.createZone(ZoneID(zoneName: name)) }
    var options = FetchChangesOptions()
    options.prioritizedZoneIDs = [ZoneID(zoneName: "C"), ZoneID(zoneName: "B")]
    try await client.engine.fetchChanges(options)
    let order = client.events("willFetchRecordZoneChanges").suffix(3).map { $0.suffix(1) }
    #expect(order == ["C", "B", "A"])
  }

  @Test("a fetch keeps to the zones of its scope")
  func scope() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    let other = ZoneID(zoneName: "Other")
    try await world.createZone(other)
    try await world.save("n1", "Milk")
    try await client.engine.fetchChanges(.init(scope: .zoneIDs([other])))
    #expect(client.delegate.fetched.isEmpty)
    #expect(client.engine.state.zoneIDsWithUnfetchedServerChanges == [notes])
  }

  @Test("an account without a user: a manual fetch ends early without events")
  func noAccount() async throws {
    let world = try World()
    let client = Client(world)
    client.device.base.signOut()
    try await client.engine.fetchChanges()
    client.expect("")
  }
}

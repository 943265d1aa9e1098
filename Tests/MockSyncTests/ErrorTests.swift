import RecordPackTesting
import Testing

@Suite("Errors")
struct ErrorTests {
  static let handled: [CloudError.Code] = [
    .notAuthenticated, .accountTemporarilyUnavailable, .networkFailure, .networkUnavailable,
    .requestRateLimited, .serviceUnavailable, .zoneBusy,
  ]

  @Test("the engine waits and tries again after the seven documented codes", arguments: handled)
  func handledCode(code: CloudError.Code) async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.fail(.modifyRecords, with: .error(code))
    client.edit("n1")
    try await client.settle()
    let sent = client.events("sentRecordZoneChanges")
    #expect(
      sent == [
        "sentRecordZoneChanges: failed Notes:n1 (\(code.name))",
        "sentRecordZoneChanges: saved Notes:n1",
      ])
  }

  @Test("the engine fetches again after the seven documented codes", arguments: handled)
  func handledFetch(code: CloudError.Code) async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.fail(.recordZoneChanges, with: .error(code))
    try await world.save("n1", "Milk")
    try await client.settle()
    #expect(client.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test(
    "the engine hands every other error to the delegate, and forgets the change",
    arguments: CloudError.Code.allCases.filter {
      !handled.contains($0) && $0 != .operationCancelled
    })
  func otherCode(code: CloudError.Code) async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.fail(.modifyRecords, with: .error(code), times: .always)
    client.edit("n1")
    client.engine.state.add(pendingRecordZoneChanges: [.deleteRecord(note("n2"))])
    try await client.settle()
    client.expect(
      """
      willSendChanges: scheduled, all zones
      sentRecordZoneChanges: failed Notes:n1 (\(code.name)); not deleted Notes:n2 (\(code.name))
      didSendChanges: scheduled, all zones
      """)
  }

  @Test("errors of zones are handled like those of records", arguments: [true, false])
  func zones(isHandled: Bool) async throws {
    let world = try World()
    let client = Client(world)
    try await client.settle()
    client.faults.fail(
      .modifyRecordZones, with: isHandled ? .networkFailure() : .error(.quotaExceeded))
    client.engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: notes))])
    try await client.settle()
    #expect(client.engine.state.pendingDatabaseChanges == [])
    let zones = try await world.database.allRecordZones().map(\.zoneID)
    #expect(zones.contains(notes) == isHandled)
  }

  @Test("changes that are sent again keep their places before later ones")
  func places() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    client.edit("n1")
    try await client.duringSend(failing: .networkFailure()) { client.edit("n2") }
    #expect(
      client.engine.state.pendingRecordZoneChanges
        == [.saveRecord(note("n1")), .saveRecord(note("n2"))])
  }

  @Test("a change that is sent again does not come beside a newer one of its record")
  func newerChange() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    client.edit("n1")
    try await client.duringSend(failing: .networkFailure()) {
      client.engine.state.add(pendingRecordZoneChanges: [.deleteRecord(note("n1"))])
    }
    #expect(client.engine.state.pendingRecordZoneChanges == [.deleteRecord(note("n1"))])
  }

  @Test("the engine waits as long as the server asks")
  func retryAfter() async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.fail(.modifyRecords, with: .zoneBusy(retryAfter: 90))
    client.edit("n1")
    let start = world.clock.now
    try await client.settle()
    #expect(world.clock.now.offset - start.offset == .seconds(91))
  }

  @Test("a throttled engine is silent for 12 minutes, whatever the server asks for")
  func silence() async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.fail(.modifyRecords, with: .serviceUnavailable(retryAfter: 20))
    client.edit("n1")
    let start = world.clock.now
    world.clock.advance(by: .seconds(1))
    await client.engine.performDue()
    // Neither a push nor another change breaks the silence.
    try await world.save("n2", "from another device")
    client.edit("n3")
    #expect(client.engine.state.pendingRecordZoneChanges.count == 2)
    world.clock.advance(by: .seconds(719))
    await client.engine.performDue()
    #expect(client.engine.state.pendingRecordZoneChanges.count == 2)
    try await client.settle()
    #expect(world.clock.now.offset - start.offset == .seconds(721))
    #expect(try await world.database.record(for: note("n3"))["text"] == "text")
  }

  @Test("a push during a request that is throttled does not break the silence")
  func pushDuringThrottledRequest() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    try await client.duringSend(failing: .serviceUnavailable(retryAfter: 20)) {
      try await world.save("n2", "from another device")
    }
    world.clock.advance(by: .seconds(719))
    await client.engine.performDue()
    #expect(client.delegate.fetched.isEmpty)
    #expect(client.engine.state.pendingRecordZoneChanges == [.saveRecord(note("n1"))])
  }

  @Test("nothing is sent after a fetch whose error the engine handles, before the next fetch")
  func sendAfterFailedFetch() async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.fail(.databaseChanges, with: .networkFailure())
    try await world.save("n2", "from another device")
    client.edit("n1")
    try await client.settle()
    let events = client.events().compactMap { $0.split(separator: ":").first }
    #expect(
      events.filter { $0.hasPrefix("will") }.suffix(4) == [
        "willFetchChanges", "willFetchChanges", "willFetchRecordZoneChanges", "willSendChanges",
      ])
  }

  @Test("a throttled engine waits as long as the server asks, if the rules follow TN3162")
  func throttleRetryAfter() async throws {
    var rules = SyncRules()
    rules.throttle = .retryAfter
    let world = try World(rules)
    let client = try await world.ready()
    client.faults.fail(.modifyRecords, with: .requestRateLimited(retryAfter: 20))
    client.edit("n1")
    let start = world.clock.now
    try await client.settle()
    #expect(world.clock.now.offset - start.offset == .seconds(21))
  }

  @Test("the server rejects sending by hand during the retry-after, and saves nothing")
  func manualDuringThrottle() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    client.faults.fail(.modifyRecords, with: .serviceUnavailable(retryAfter: 60))
    client.edit("n1")
    await expectError(.serviceUnavailable) {
      try await client.engine.sendChanges()
    }
    await #expect(throws: CloudError.self) { try await client.engine.sendChanges() }
    #expect(client.engine.state.pendingRecordZoneChanges == [.saveRecord(note("n1"))])
  }

  @Test("a single throttled record is sent again, as documented, or forgotten, as seen once")
  func throttledRecord() async throws {
    for setting in SyncRules.ThrottledRecords.allCases {
      var rules = SyncRules()
      rules.throttledRecords = setting
      rules.atomicity = .asRequested
      let world = try World(rules)
      let client = try await world.ready()
      client.faults.fail(
        .modifyRecords,
        with: .partialFailure(of: [note("n1")], with: CloudError(.serviceUnavailable)))
      client.edit("n1")
      client.edit("n2")
      try await client.settle()
      let saved = try? await world.database.record(for: note("n1"))
      #expect((saved != nil) == (setting == .retried))
      #expect(try await world.database.record(for: note("n2"))["text"] == "text")
    }
  }

  @Test("an error that is not a CloudError ends the engine, and is thrown by the testbed")
  func crash() async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.crash(.modifyRecords)
    client.edit("n1")
    await #expect(throws: SimulatedCrash.self) { try await client.settle() }
    #expect(client.engine.isStopped)
    client.expect("willSendChanges: scheduled, all zones")
    try await client.settle()
  }
}

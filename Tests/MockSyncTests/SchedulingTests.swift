import Foundation
import RecordPackTesting
import Synchronization
import TestSupport
import Testing

@Suite("Scheduling")
struct SchedulingTests {
  @Test("an added change is sent a second later, on the engine's clock")
  func syncDelay() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    let start = world.clock.now
    try await client.settle()
    #expect(world.clock.now.offset - start.offset == .seconds(1))
    client.expect(
      """
      willSendChanges: scheduled, all zones
      sentRecordZoneChanges: saved Notes:n1
      didSendChanges: scheduled, all zones
      """)
  }

  @Test("without automaticallySync, the engine does nothing by itself")
  func onRequest() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    client.edit("n1")
    try await world.save("n2", "from another device")
    client.faults.fail(.modifyRecords, with: .networkFailure())
    try await client.settle()
    client.expect("")
    await #expect(throws: CloudError.self) { try await client.engine.sendChanges() }
    // A retry is an operation, too.
    try await client.settle()
    #expect(client.engine.state.pendingRecordZoneChanges == [.saveRecord(note("n1"))])
    try await client.engine.sendChanges()
    try await client.engine.fetchChanges()
    #expect(client.delegate.fetched.map(\.recordID.recordName).sorted() == ["n1", "n2"])
  }

  @Test("a push leads to a fetch, and a push that is lost to none")
  func push() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    client.expect(
      """
      willFetchChanges: scheduled, all zones
      fetchedDatabaseChanges: modified Notes
      willFetchRecordZoneChanges: Notes
      fetchedRecordZoneChanges: modified Notes:n1
      didFetchRecordZoneChanges: Notes
      didFetchChanges: scheduled, all zones
      """)
    var rules = ServerRules.native
    rules.delivery = .dropped
    let silent = try World(server: rules)
    let deaf = try await silent.ready()
    try await silent.save("n1", "Milk")
    try await deaf.settle()
    deaf.expect("")
  }

  @Test("a push about a zone names it among those with unfetched changes")
  func zonePush() async throws {
    let world = try World()
    let client = try await world.ready()
    let phone = world.container.device("Phone")
    try await phone.privateCloudDatabase.save(
      CloudSubscription(subscriptionID: "zone", kind: .zone(notes, recordType: nil)))
    try await world.save("n1", "Milk")
    #expect(client.engine.state.zoneIDsWithUnfetchedServerChanges == [notes])
    try await client.settle()
    #expect(client.engine.state.zoneIDsWithUnfetchedServerChanges == [])
  }

  @Test("the engine makes one subscription, or uses one that is there")
  func subscription() async throws {
    let world = try World()
    _ = try await world.ready()
    let other = Client(world, "Tablet")
    try await other.settle()
    #expect(try await world.database.allSubscriptions().count == 1)

    let old = try World()
    try await old.database.save(
      CloudSubscription(subscriptionID: "mine", kind: .database(recordType: nil)))
    _ = try await old.ready()
    #expect(try await old.database.allSubscriptions().map(\.subscriptionID) == ["mine"])
  }

  @Test("the engine uses the subscription that it is given, or makes it", arguments: [true, false])
  func givenSubscription(exists: Bool) async throws {
    let world = try World()
    try await world.createZone()
    let mine = CloudSubscription(subscriptionID: "mine", kind: .zone(notes, recordType: nil))
    if exists { try await world.database.save(mine) }
    try await world.database.save(
      CloudSubscription(subscriptionID: "other", kind: .zone(notes, recordType: "Note")))
    let (device, delegate) = (world.device("Phone"), Script())
    var configuration = SyncEngineConfiguration(
      database: device.privateCloudDatabase, stateSerialization: nil, delegate: delegate)
    configuration.subscriptionID = "mine"
    _ = world.testbed.engine(configuration, on: device)
    try await world.testbed.run()
    let subscriptions = try await world.database.allSubscriptions()
    #expect(subscriptions.map(\.subscriptionID).sorted() == ["mine", "other"])
    #expect(subscriptions.contains { $0.kind == mine.kind } == exists)
  }

  @Test("engines of two databases on a device hear only of changes in their own")
  func twoDatabases() async throws {
    let world = try World()
    let client = try await world.ready()
    let shared = world.testbed.engine(for: Script(), on: client.device, scope: .shared)
    try await client.settle()
    _ = world.testbed.takeAllEvents(of: shared)
    try await world.save("n1", "Milk")
    try await client.settle()
    #expect(client.delegate.fetched.map(\.recordID) == [note("n1")])
    expectEvents(of: shared, in: world.testbed, "")
  }

  @Test("manual operations go past the schedule, have their reason, and throw their error")
  func manual() async throws {
    let world = try World()
    let client = try await world.ready()
    let start = world.clock.now
    client.edit("n1")
    client.faults.fail(.modifyRecords, with: .quotaExceeded)
    await expectError(.quotaExceeded) { try await client.engine.sendChanges() }
    try await client.engine.fetchChanges()
    #expect(world.clock.now == start)
    client.expect(
      """
      willSendChanges: manual, all zones
      sentRecordZoneChanges: failed Notes:n1 (quotaExceeded)
      didSendChanges: manual, all zones
      willFetchChanges: manual, all zones
      didFetchChanges: manual, all zones
      """)
  }

  @Test("a manual fetch during a fetch joins it")
  func join() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    let gate = client.faults.hold(.recordZoneChanges)
    let first = Task { try await client.engine.fetchChanges() }
    try await gate.waitForCall()
    let second = Task { try await client.engine.fetchChanges() }
    try await waitUntil { client.engine.joinedCount > 0 }
    gate.release()
    try await first.value
    try await second.value
    let events = client.events()
    #expect(events.filter { $0.hasPrefix("willFetchChanges: manual") }.count == 1)
  }

  @Test("a joined fetch has the error of the running one")
  func joinedError() async throws {
    let world = try World()
    let client = try await world.ready()
    let gate = client.faults.hold(.databaseChanges)
    client.faults.fail(.databaseChanges, with: .networkUnavailable)
    let first = Task { try await client.engine.fetchChanges() }
    try await gate.waitForCall()
    let second = Task { try await client.engine.fetchChanges() }
    try await waitUntil { client.engine.joinedCount > 0 }
    gate.release()
    for task in [first, second] {
      await expectError(.networkUnavailable) { try await task.value }
    }
  }

  @Test("cancelOperations ends what waits; the changes stay pending")
  func cancelling() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    let gate = client.faults.hold(.modifyRecords)
    let sending = Task { try await client.engine.sendChanges() }
    try await gate.waitForCall()
    await client.engine.cancelOperations()
    await expectError(.operationCancelled) { try await sending.value }
    client.expect(
      """
      willSendChanges: manual, all zones
      sentRecordZoneChanges: failed Notes:n1 (operationCancelled)
      didSendChanges: manual, all zones
      """)
    #expect(client.engine.state.pendingRecordZoneChanges == [.saveRecord(note("n1"))])
    try await client.engine.sendChanges()
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("cancelOperations cancels the scheduled sync; the changes stay pending")
  func cancellingSchedule() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    await client.engine.cancelOperations()
    world.clock.advance(by: .seconds(60))
    await client.engine.performDue()
    #expect(client.engine.state.pendingRecordZoneChanges == [.saveRecord(note("n1"))])
  }

  @Test("a manual fetch does not join a fetch of other zones")
  func joinOtherZones() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    try await world.save("n1", "Milk")
    let gate = client.faults.hold(.databaseChanges)
    let other = ZoneID(zoneName: "Other")
    let first = Task { try await client.engine.fetchChanges(.init(scope: .zoneIDs([other]))) }
    try await gate.waitForCall()
    let second = Task { try await client.engine.fetchChanges() }
    for _ in 0..<100 { await Task.yield() }
    gate.release()
    try await first.value
    try await second.value
    #expect(client.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test("after a cancelled fetch, the next sync fetches")
  func cancelledFetch() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    let gate = client.faults.hold(.databaseChanges)
    world.clock.advance(by: .seconds(1))
    let syncing = Task { await client.engine.performDue() }
    try await gate.waitForCall()
    await client.engine.cancelOperations()
    await syncing.value
    client.edit("n2")
    try await client.settle()
    #expect(client.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test("a request that the server has may succeed although it is cancelled")
  func cancelledTooLate() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    let gate = client.faults.hold(.modifyRecords, at: .afterServer)
    let sending = Task { try? await client.engine.sendChanges() }
    try await gate.waitForCall()
    await client.engine.cancelOperations()
    await sending.value
    #expect(try await world.database.record(for: note("n1"))["text"] == "text")
  }

  @Test("an engine with a clock of its own works without a testbed, and reads streams")
  func free() async throws {
    let world = try World()
    try await world.createZone()
    try await world.save("n1", "Milk")
    let clock = ManualClock(advancesWhenSleeping: true)
    let delegate = Script()
    let phone = world.container.device("Phone")
    let (fetched, fetching) = AsyncStream.makeStream(of: Void.self)
    delegate.onEvent { event, _ in
      if case .fetchedRecordZoneChanges = event { fetching.yield() }
    }
    let engine = MockSyncEngine(
      SyncEngineConfiguration(
        database: phone.privateCloudDatabase, stateSerialization: nil, delegate: delegate),
      account: phone,
      signals: SyncStreams(
        notifications: { phone.incomingNotifications() }, accountChanges: { phone.accountChanges() }
      ), clock: clock)
    var events = fetched.makeAsyncIterator()
    await events.next()
    #expect(delegate.fetched.map(\.recordID) == [note("n1")])
    await engine.waitUntilIdle()
    try await world.save("n2", "Bread")
    await events.next()
    #expect(delegate.fetched.last?.recordID == note("n2"))
  }

  @Test("an engine does not keep its delegate alive, and does nothing without it")
  func delegateIsWeak() async throws {
    let world = try World()
    let phone = world.container.device("Phone")
    var delegate: Script? = Script()
    weak let weakDelegate = delegate
    let engine = MockSyncEngine(
      SyncEngineConfiguration(
        database: phone.privateCloudDatabase, stateSerialization: nil,
        delegate: try #require(delegate)), account: phone, clock: world.clock)
    delegate = nil
    #expect(weakDelegate == nil)
    _ = try? await engine.fetchChanges()
    #expect(engine.isStopped)
  }

  /// A clock whose sleeps end a little early, as those of a system can.
  private struct EarlyClock: Clock {
    typealias Instant = ContinuousClock.Instant
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await Task.sleep(until: deadline - .milliseconds(20), clock: .continuous)
    }
  }

  @Test("a sleep that ends early loses no work")
  func earlySleep() async throws {
    let world = try World()
    let (phone, delegate) = (world.container.device("Phone"), Script())
    let engine = MockSyncEngine(
      SyncEngineConfiguration(
        database: phone.privateCloudDatabase, stateSerialization: nil, delegate: delegate),
      account: phone, signals: phone.syncSignals, clock: EarlyClock())
    try await waitUntil { delegate.serialization != nil }
    #expect(!engine.isStopped)
  }

  @Test("an engine that nobody holds is gone")
  func release() async throws {
    let world = try World()
    let (phone, delegate) = (world.container.device("Phone"), Script())
    var engine: MockSyncEngine? = MockSyncEngine(
      SyncEngineConfiguration(
        database: phone.privateCloudDatabase, stateSerialization: nil, delegate: delegate),
      account: phone, signals: phone.syncSignals, clock: world.clock)
    try await engine?.fetchChanges()
    weak let weakEngine = engine
    engine = nil
    try await waitUntil { weakEngine == nil }
  }

  @MainActor
  @Test("a hundred engines at once leave the main actor free")
  func hundred() async throws {
    let world = try World()
    try await world.createZone()
    let clients = (0..<100).map { Client(world, "Device\($0)") }
    try await world.testbed.run()
    for client in clients { client.edit("n\(client.device.deviceName)") }
    let done = Mutex(false)
    let end = ContinuousClock.now + .seconds(600)
    let syncing = Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for client in clients { group.addTask { try? await client.engine.sendChanges() } }
      }
      done.withLock { $0 = true }
    }
    // Engines that needed the main actor would not end while the test keeps it.
    while !done.withLock({ $0 }), ContinuousClock.now < end { usleep(1_000) }
    #expect(done.withLock { $0 }, "the engines wait for the main actor")
    await syncing.value
    #expect(try await world.database.records(ofType: "Note").count == 100)
  }
}

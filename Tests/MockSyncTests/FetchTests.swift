import Foundation
import RecordPackTesting
import Testing

@Suite("A fetch")
struct FetchTests {
  @Test("after an expired token of a zone has everything again, without an error")
  func expiredZoneToken() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    try await world.save("n2", "Bread")
    client.faults.fail(.recordZoneChanges, with: .changeTokenExpired)
    try await client.settle()
    #expect(client.delegate.fetched.map(\.recordID.recordName) == ["n1", "n1", "n2"])
    #expect(!client.events().contains { $0.contains("Expired") })
  }

  @Test("has changes of the same time in the order of their change tags")
  func sameTime() async throws {
    let world = try World()
    let client = try await world.ready()
    // Tags of several lengths, and names in another order.
    let names = (0..<60).map { "n\(99 - $0)" }
    for name in names { try await world.save(name, "Milk") }
    let dates = Set(
      try await world.database.records(for: names.map { note($0) }).values
        .map { try $0.get().modificationDate })
    #expect(dates.count == 1)
    try await client.settle()
    #expect(client.delegate.fetched.map(\.recordID.recordName) == names)
  }

  @Test("after an expired token of the database has all zones again, and no records twice")
  func expiredDatabaseToken() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    client.faults.fail(.databaseChanges, with: .changeTokenExpired)
    try await client.engine.fetchChanges()
    #expect(client.delegate.fetched.count == 1)
  }

  @Test("after an expired token of the database hears nothing of zones that were deleted before")
  func zoneDeletedBeforeExpiration() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.database.deleteRecordZone(withID: notes)
    client.faults.fail(.databaseChanges, with: .changeTokenExpired)
    try await client.settle()
    client.expect(
      """
      willFetchChanges: scheduled, all zones
      didFetchChanges: scheduled, all zones
      """)
  }

  @Test("reports zones that are gone, with the reason", arguments: DeletedZone.Reason.allCases)
  func goneZone(reason: DeletedZone.Reason) async throws {
    let world = try World()
    let client = try await world.ready()
    if reason == .deleted {
      try await world.database.deleteRecordZone(withID: notes)
    } else {
      try await world.container.purgeRecordZone(withID: notes, for: reason)
    }
    try await client.settle()
    client.expect(
      """
      willFetchChanges: scheduled, all zones
      fetchedDatabaseChanges: deleted Notes (\(reason))
      didFetchChanges: scheduled, all zones
      """)
  }

  @Test("of a zone that was deleted and made again has the deletion and the new records")
  func recreatedZone() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    try await world.database.deleteRecordZone(withID: notes)
    try await client.settle()
    try await world.createZone()
    try await world.save("n2", "Bread")
    try await client.settle()
    #expect(client.delegate.fetched.map(\.recordID.recordName) == ["n1", "n2"])
  }

  @Test("leaves pending changes of a deleted zone alone, or removes them, by the rules")
  func changesOfDeletedZone() async throws {
    for setting in SyncRules.ChangesOfDeletedZones.allCases {
      var rules = SyncRules()
      rules.changesOfDeletedZones = setting
      let world = try World(rules)
      let client = try await world.ready(automaticallySync: false)
      client.edit("n1")
      try await world.database.deleteRecordZone(withID: notes)
      try await client.engine.fetchChanges()
      #expect(client.engine.state.pendingRecordZoneChanges.isEmpty == (setting == .removed))
    }
  }

  @Test("has no records of the default zone, although they are sent")
  func defaultZone() async throws {
    let world = try World()
    let client = try await world.ready()
    let tablet = Client(world, "Tablet")
    try await tablet.settle()
    let recordID = RecordID(recordName: "d1")
    client.delegate.put(DraftRecord(recordType: "Note", recordID: recordID))
    client.engine.state.add(pendingRecordZoneChanges: [.saveRecord(recordID)])
    try await client.settle()
    try await tablet.engine.fetchChanges()
    #expect(try await world.database.record(for: recordID).recordType == "Note")
    #expect(tablet.delegate.fetched.isEmpty)
    #expect(!tablet.events().contains { $0.contains("_defaultZone") })
  }

  @Test("has one event a page, and one token a page")
  func pages() async throws {
    var server = ServerRules.native
    server.maxResults = 2
    let world = try World(server: server)
    let client = try await world.ready(automaticallySync: false)
    for index in 0..<5 { try await world.save("n\(index)", "text") }
    let states = client.delegate.serializations.count
    try await client.engine.fetchChanges()
    client.expect(
      """
      willFetchChanges: manual, all zones
      fetchedDatabaseChanges: modified Notes
      willFetchRecordZoneChanges: Notes
      fetchedRecordZoneChanges: modified Notes:n0, Notes:n1
      fetchedRecordZoneChanges: modified Notes:n2, Notes:n3
      fetchedRecordZoneChanges: modified Notes:n4
      didFetchRecordZoneChanges: Notes
      didFetchChanges: manual, all zones
      """)
    #expect(client.delegate.serializations.count - states == 4)
  }

  @Test("has the device's own saves, too")
  func ownChanges() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    try await client.settle()
    try await client.engine.fetchChanges()
    #expect(client.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  @Test("reports deletions of records")
  func deletions() async throws {
    let world = try World()
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    try await world.database.deleteRecord(withID: note("n1"))
    try await client.settle()
    #expect(client.delegate.deleted == [note("n1")])
  }

  @Test("of a new device replays the deletions of all times, or none, by the server's rules")
  func replayedDeletions() async throws {
    for replays in [true, false] {
      var server = ServerRules.native
      server.firstFetchHasDeletions = replays
      let world = try World(server: server)
      try await world.createZone()
      try await world.save("n1", "Milk")
      try await world.database.deleteRecord(withID: note("n1"))
      let client = Client(world)
      try await client.settle()
      #expect(client.delegate.deleted == (replays ? [note("n1")] : []))
    }
  }

  @Test("skips a record that cannot be read, and reports its error as the zone's error")
  func damagedRecord() async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.fail(
      .recordZoneChanges,
      with: .partialFailure(of: [note("n1")], with: CloudError(.internalError)), times: .always)
    try await world.save("n1", "Milk")
    try await world.save("n2", "Bread")
    try await client.settle()
    #expect(client.delegate.fetched.map(\.recordID) == [note("n2")])
    let events = client.events()
    #expect(events.contains("didFetchRecordZoneChanges: Notes (internalError)"))
    #expect(client.engine.state.zoneIDsWithUnfetchedServerChanges == [])
  }

  @Test("stops before a page with a record whose error is handled, and comes back to it")
  func unreadableRecord() async throws {
    let world = try World()
    let client = try await world.ready()
    client.faults.fail(
      .recordZoneChanges,
      with: .partialFailure(of: [note("n1")], with: CloudError(.serviceUnavailable)))
    try await world.save("n1", "Milk")
    try await client.settle()
    #expect(client.delegate.fetched.map(\.recordID) == [note("n1")])
  }

  // MARK: Orders

  private func family(_ order: FetchOrder, maxChanges: Int = 200) async throws -> (World, Client) {
    var rules = SyncRules()
    rules.fetchOrder = order
    rules.maxChangesInEvent = maxChanges
    let world = try World(rules)
    let client = try await world.ready(automaticallySync: false)
    for (name, parent) in [("b", nil), ("a", "b"), ("d", nil), ("c", "a")] as [(String, String?)] {
      world.clock.advance(by: .seconds(1))
      try await world.save(name, "text", parent: parent)
    }
    try await client.engine.fetchChanges()
    return (world, client)
  }

  private func events(_ client: Client) -> [String] {
    client.events("fetchedRecordZoneChanges").map {
      $0.replacingOccurrences(of: "fetchedRecordZoneChanges: modified ", with: "")
    }
  }

  @Test("oldest first, unless a test chooses another order")
  func oldestFirst() async throws {
    let (_, client) = try await family(.oldestFirst)
    let dates = client.delegate.fetched.compactMap(\.modificationDate)
    #expect(dates == dates.sorted())
  }

  @Test("children before their parents")
  func childrenBeforeParents() async throws {
    let (_, client) = try await family(.childrenBeforeParents)
    #expect(events(client) == ["Notes:c", "Notes:a", "Notes:b, Notes:d"])
  }

  @Test("shuffled by a seed: the same order in each run, another for another seed")
  func shuffled() async throws {
    let orders = try await [1, 1, 2, 3, 4].asyncMap { seed in
      let (_, client) = try await family(.shuffled(seed: UInt64(seed)))
      #expect(Set(client.delegate.fetched.map(\.recordID.recordName)) == ["a", "b", "c", "d"])
      return events(client)
    }
    #expect(orders[0] == orders[1])
    #expect(Set(orders).count > 2)
  }

  @Test("an older version after a newer one")
  func olderVersionLast() async throws {
    var rules = SyncRules()
    rules.fetchOrder = .olderVersionLast
    let world = try World(rules)
    let client = try await world.ready(automaticallySync: false)
    client.edit("n1", "first")
    try await client.engine.sendChanges()
    client.edit("n1", "second")
    try await client.engine.sendChanges()
    try await client.engine.fetchChanges()
    #expect(client.delegate.fetched.map { $0["text"] } == ["second", "first"])
  }

  @Test("divides pages into events of a maximum size")
  func eventSize() async throws {
    let (_, client) = try await family(.oldestFirst, maxChanges: 3)
    #expect(events(client).count == 2)
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(
    _ transform: (Element) async throws -> Value
  ) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}

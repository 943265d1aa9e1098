import RecordPackTesting
import Testing

@Suite("Accounts")
struct AccountTests {
  @Test("an engine without a state reports signIn, and clears what was added before")
  func firstSignIn() async throws {
    let world = try World()
    try await world.createZone()
    let client = Client(world)
    client.edit("n1")
    client.engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneName: "New"))])
    try await client.settle()
    client.expect(
      """
      accountChange: signIn of _1wqddmw5dcy4
      willFetchChanges: scheduled, all zones
      fetchedDatabaseChanges: modified Notes
      willFetchRecordZoneChanges: Notes
      didFetchRecordZoneChanges: Notes
      didFetchChanges: scheduled, all zones
      """)
    #expect(client.engine.state.pendingRecordZoneChanges == [])
    #expect(client.engine.state.pendingDatabaseChanges == [])
  }

  @Test("an engine that keeps changes at its first signIn sends them")
  func keepsChanges() async throws {
    var rules = SyncRules()
    rules.firstSignIn = .keepsChanges
    let world = try World()
    let client = Client(world, rules: rules)
    client.delegate.set("n1", "text")
    client.engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: notes))])
    client.engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("n1"))])
    try await client.settle()
    #expect(client.events("account").count == 1)
    #expect(try await world.database.record(for: note("n1"))["text"] == "text")
  }

  @Test("changes that are added in the signIn event are sent")
  func addedInSignIn() async throws {
    let world = try World()
    let client = Client(world)
    client.delegate.set("n1", "text")
    client.delegate.onEvent { event, engine in
      guard case .accountChange = event else { return }
      engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: notes))])
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("n1"))])
    }
    try await client.settle()
    #expect(try await world.database.record(for: note("n1"))["text"] == "text")
  }

  @Test("a manual call comes after the first signIn")
  func manualBeforeSignIn() async throws {
    let world = try World()
    let client = Client(world)
    try await client.engine.fetchChanges()
    client.expect(
      """
      accountChange: signIn of _1wqddmw5dcy4
      willFetchChanges: manual, all zones
      didFetchChanges: manual, all zones
      """)
  }

  @Test("signing out clears the state and ends all work; signing in begins anew")
  func signOutAndIn() async throws {
    let world = try World()
    let kenji = try world.container.account("_kenji")
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    client.device.base.signOut()
    client.edit("n2")
    try await client.settle()
    #expect(client.engine.state.pendingRecordZoneChanges == [])
    client.edit("n3")
    try await client.settle()
    try client.device.base.signIn(as: kenji)
    try await client.settle()
    let changes = client.events("account")
    #expect(changes.count == 3)
    #expect(changes[1].hasPrefix("accountChange: signOut of _"))
    #expect(changes[2] == "accountChange: signIn of _kenji")
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("another user who signs in is one event")
  func switchAccounts() async throws {
    let world = try World()
    let kenji = try world.container.account("_kenji")
    let client = try await world.ready()
    client.device.base.signOut()
    try client.device.base.signIn(as: kenji)
    try await client.settle()
    let changes = client.events("account")
    #expect(changes.count == 2)
    #expect(changes[1].hasPrefix("accountChange: switchAccounts from _"))
    #expect(changes[1].hasSuffix("to _kenji"))
  }

  @Test("an older version of one user's record does not reach another user")
  func versionsOfAnotherUser() async throws {
    var rules = SyncRules()
    rules.fetchOrder = .olderVersionLast
    let world = try World(rules)
    let kenji = try world.container.account("_kenji")
    try await kenji.privateCloudDatabase.save(RecordZone(zoneID: notes))
    var draft = DraftRecord(recordType: "Note", recordID: note("n1"))
    draft["text"] = "Bread"
    try await kenji.privateCloudDatabase.save(draft)
    let client = try await world.ready()
    try await world.save("n1", "Milk")
    try await client.settle()
    client.device.base.signOut()
    try client.device.base.signIn(as: kenji)
    try await client.settle()
    #expect(client.delegate.fetched.map { $0["text"] } == ["Milk", "Bread"])
  }

  @Test("several changes while the app was not running are one event")
  func changesBetweenLaunches() async throws {
    let world = try World()
    let kenji = try world.container.account("_kenji")
    let maria = try world.container.account("_maria")
    let client = try await world.ready()
    let state = client.delegate.serialization
    world.testbed.stop(client.engine)
    for account in [kenji, maria] {
      client.device.base.signOut()
      try client.device.base.signIn(as: account)
    }
    let again = Client(world, "Phone", state: state)
    try await again.settle()
    let changes = again.events("account")
    #expect(changes.count == 1)
    #expect(changes[0].hasSuffix("to _maria"))
  }

  @Test("the same user is no event, and what is pending stays")
  func sameUser() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    world.container.setAccountStatus(.temporarilyUnavailable)
    try await client.settle()
    #expect(client.engine.state.pendingRecordZoneChanges.count == 1)
    world.container.setAccountStatus(.available)
    try await client.settle()
    #expect(client.engine.state.pendingRecordZoneChanges.count == 0)
    #expect(client.events("account").count == 1)
  }

  @Test("an engine that is made without an account waits for one")
  func dormant() async throws {
    let world = try World()
    try await world.createZone()
    let client = Client(world)
    world.container.setAccountStatus(.noAccount)
    try await client.settle()
    client.expect("")
    world.container.setAccountStatus(.available)
    try await client.settle()
    #expect(client.events().first == "accountChange: signIn of _1wqddmw5dcy4")
  }

  @Test("an operation ends when the account changes: nothing reaches the next user's database")
  func switchDuringSend() async throws {
    let world = try World()
    let kenji = try world.container.account("_kenji")
    try await kenji.privateCloudDatabase.save(RecordZone(zoneID: notes))
    let client = try await world.ready()
    for index in 0..<300 { client.edit("n\(index)") }
    let phone = client.device.base
    client.faults.run(.modifyRecords, at: .afterServer) { _ in try phone.signIn(as: kenji) }
    try await client.settle()
    let kenjis = try await kenji.privateCloudDatabase.recordZoneChanges(
      inZoneWith: notes, since: nil)
    #expect(kenjis.modificationResultsByID.isEmpty)
    #expect(client.events().contains { $0.hasSuffix("to _kenji") })
  }

  @Test("a check of the account that fails is made again", arguments: ErrorTests.handled)
  func failedCheck(code: CloudError.Code) async throws {
    let world = try World()
    let client = Client(world)
    client.faults.fail(.accountStatus, with: .error(code), times: 2)
    try await client.settle()
    #expect(client.events().first == "accountChange: signIn of _1wqddmw5dcy4")
  }
}

import CloudInterface
import MockCloud
import RecordModel
import Testing

@Suite("An account")
struct AccountTests {
  let container: MockContainer
  let kenji: MockAccount

  init() throws {
    container = try MockContainer.inMemory(
      info: ContainerInfo(currentUserRecordName: "_mira"), now: { testDate })
    kenji = try container.account("_kenji", emailAddress: "kenji@example.com")
  }

  private var mira: MockDatabase { container.privateCloudDatabase }

  @Test("has a private database of its own, whose zones are its own")
  func privateDatabase() async throws {
    try await mira.save(RecordZone(zoneID: notes))
    try await mira.save(note("a", "of mira"))
    let database = kenji.privateCloudDatabase
    let missing = await cloudError { try await database.record(for: id("a")) }
    #expect(missing?.code == .zoneNotFound)
    try await database.save(RecordZone(zoneID: notes))
    var draft = note("a", "of kenji")
    draft["link"] = Reference(recordID: id("b"))
    try await database.save(draft)
    var other = note("user", in: .default)
    other["user"] = Reference(recordID: UserRecord.recordID(named: "_mira"))
    try await database.save(other)
    try await database.save(note("b", below: "a"))
    let saved = try await database.record(for: id("a"))
    #expect(saved.recordID == id("a") && saved["text"] == "of kenji")
    #expect(saved.creatorUserRecordID?.recordName == "_kenji")
    let link: Reference? = saved["link"]
    let user: Reference? = try await database.record(for: id("user", in: .default))["user"]
    #expect(link?.recordID == id("b") && user?.recordID.zoneID == .default)
    #expect(try await database.record(for: id("b")).parent?.recordID == id("a"))
    #expect(try await mira.record(for: id("a"))["text"] == "of mira")
    #expect(try await database.allRecordZones().map(\.zoneID) == [notes, .default])
    #expect(try await mira.allRecordZones().map(\.zoneID) == [notes, .default])
    let stored = ZoneID(zoneName: "Notes", ownerName: "_kenji")
    for other in [container.privateCloudDatabase, kenji.privateCloudDatabase] {
      let error = await cloudError { try await other.record(for: id("a", in: stored)) }
      #expect(error?.code == .zoneNotFound)
    }
    // In the container, a reference within the zone is one within the zone.
    let raw = try container.store.snapshot { try $0.record(for: id("a", in: stored), in: .private) }
    let rawLink: Reference? = try #require(raw)["link"]
    #expect(rawLink?.recordID == id("b", in: stored))
  }

  @Test("finds by queries and changes what is in its own database")
  func queriesAndChanges() async throws {
    for database in [mira, kenji.privateCloudDatabase] {
      try await database.save(RecordZone(zoneID: notes))
    }
    try await mira.save(note("m"))
    let database = kenji.privateCloudDatabase
    for name in ["k1", "k2", "k3"] { try await database.save(note(name)) }
    let query = RecordQuery(recordType: "Note")
    var page = try await database.records(matching: query, resultsLimit: 2)
    #expect(page.matchResults.map(\.0) == [id("k1"), id("k2")])
    let cursor = try #require(page.queryCursor)
    page = try await database.records(continuingMatchFrom: cursor, resultsLimit: 2)
    #expect(page.matchResults.map(\.0) == [id("k3")])
    let other = await cloudError { try await mira.records(continuingMatchFrom: cursor) }
    #expect(other?.code == .invalidArguments)
    #expect(try await mira.records(matching: query).matchResults.map(\.0) == [id("m")])

    let changes = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
    #expect(Set(changes.modificationResultsByID.keys) == [id("k1"), id("k2"), id("k3")])
    let expired = await cloudError {
      try await mira.recordZoneChanges(inZoneWith: notes, since: changes.changeToken)
    }
    #expect(expired?.code == .changeTokenExpired)
    let zones = try await database.databaseChanges(since: nil)
    #expect(zones.modifications.map(\.zoneID) == [notes])
    try await mira.deleteRecordZone(withID: notes)
    let later = try await database.databaseChanges(since: zones.changeToken)
    #expect(later.modifications.isEmpty && later.deletions.isEmpty)
    try await database.deleteRecord(withID: id("k1"))
    let deleted = try await database.recordZoneChanges(
      inZoneWith: notes, since: changes.changeToken)
    #expect(deleted.deletions.map(\.recordID) == [id("k1")])
    try await database.deleteRecordZone(withID: notes)
    let gone = try await database.databaseChanges(since: zones.changeToken)
    #expect(gone.deletions.map(\.zoneID) == [notes])
  }

  @Test("sees the public database as others do, and creates records there as itself")
  func publicDatabase() async throws {
    var draft = note("p", in: .default)
    try await kenji.publicCloudDatabase.save(draft)
    let seen = try await container.publicCloudDatabase.record(for: id("p", in: .default))
    #expect(seen.creatorUserRecordID?.recordName == "_kenji")
    draft = DraftRecord(seen)
    draft["text"] = "by mira"
    try await container.publicCloudDatabase.save(draft)
  }

  @Test("has a user record, which can be fetched and changed, and not created by others")
  func userRecords() async throws {
    #expect(try await kenji.userRecordID() == UserRecord.recordID(named: "_kenji"))
    for database in [kenji.publicCloudDatabase, kenji.privateCloudDatabase] {
      let user = try await database.record(for: UserRecord.recordID(named: "_kenji"))
      #expect(user.recordType == UserRecord.recordType)
      var draft = DraftRecord(user)
      draft["nickname"] = "K"
      let saved = try await database.save(draft)
      #expect(try await database.record(for: saved.recordID)["nickname"] == "K")
    }
    let seen = try await container.publicCloudDatabase.record(
      for: UserRecord.recordID(named: "_kenji"))
    #expect(seen["nickname"] == "K")
    var foreign = DraftRecord(seen)
    foreign["nickname"] = "M"
    let publicDatabase = container.publicCloudDatabase
    let changing = await cloudError { try await publicDatabase.save(foreign) }
    let deleting = await cloudError {
      try await publicDatabase.deleteRecord(withID: foreign.recordID)
    }
    #expect(changing?.code == .permissionFailure && deleting?.code == .permissionFailure)
    let missing = await cloudError {
      try await mira.record(for: UserRecord.recordID(named: "_kenji"))
    }
    #expect(missing?.code == .unknownItem)
  }

  @Test("has subscriptions of its own, which lead to notifications on its devices")
  func subscriptions() async throws {
    for database in [mira, kenji.privateCloudDatabase] {
      try await database.save(RecordZone(zoneID: notes))
    }
    let (phone, tablet) = (kenji.device("Phone"), kenji.device("Tablet"))
    let ofMira = container.device("Phone")
    let all = CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil))
    let one = CloudSubscription(subscriptionID: "one", kind: .zone(notes, recordType: nil))
    for subscription in [one, all] { try await phone.privateCloudDatabase.save(subscription) }
    #expect(try await tablet.privateCloudDatabase.allSubscriptions() == [all, one])
    #expect(try await tablet.privateCloudDatabase.subscription(for: "one") == one)
    #expect(try await mira.allSubscriptions().isEmpty)
    try await mira.save(all)
    try await mira.save(note("m"))
    #expect(phone.notifications.isEmpty && tablet.notifications.isEmpty)
    #expect(ofMira.takeNotifications().count == 1)
    try await phone.privateCloudDatabase.save(note("k"))
    #expect(phone.notifications.isEmpty && ofMira.takeNotifications().isEmpty)
    #expect(tablet.notifications.map(\.subscriptionID) == ["all", "one"])
    #expect(tablet.notifications.last?.kind == .recordZone(notes))
    try await tablet.privateCloudDatabase.deleteSubscription(withID: "one")
    #expect(try await phone.privateCloudDatabase.allSubscriptions() == [all])
    _ = try container.store.verify { Issue.record("\($0)") }
  }

  @Test("has a status; on a device others sign in and out")
  func sessions() async throws {
    for database in [mira, kenji.privateCloudDatabase] {
      try await database.save(RecordZone(zoneID: notes))
    }
    try await mira.save(note("a", "of mira"))
    let device = container.device("Pad")
    var changes = device.accountChanges().makeAsyncIterator()
    let database = device.privateCloudDatabase
    #expect(try await database.record(for: id("a"))["text"] == "of mira")
    device.signOut()
    #expect(await changes.next() == .noAccount)
    #expect(try await device.accountStatus() == .noAccount)
    let signedOut = await cloudError { try await database.record(for: id("a")) }
    #expect(signedOut?.code == .notAuthenticated)
    try device.signIn(as: kenji)
    #expect(await changes.next() == .available)
    #expect(try await device.userRecordID().recordName == "_kenji")
    let unknown = await cloudError { try await database.record(for: id("a")) }
    #expect(unknown?.code == .unknownItem)
    kenji.setAccountStatus(.temporarilyUnavailable)
    #expect(await changes.next() == .temporarilyUnavailable)
    let busy = await cloudError { try await database.record(for: id("a")) }
    #expect(busy?.code == .accountTemporarilyUnavailable)
    #expect(try await container.accountStatus() == .available)
    try device.signIn(as: container.account("_mira"))
    #expect(await changes.next() == .available)
    #expect(try await database.record(for: id("a"))["text"] == "of mira")
  }

  @Test("is kept by the container, with what is known about it")
  func kept() async throws {
    let folder = try TestFolder()
    let path = folder.path("c.sqlite")
    do {
      let container = try MockContainer.open(path: path, mode: .create)
      let name = UserIdentity.NameComponents(givenName: "Kenji")
      let kenji = try container.account("_kenji", nameComponents: name)
      try await kenji.privateCloudDatabase.save(RecordZone(zoneID: notes))
      try await kenji.privateCloudDatabase.save(note("a"))
      // The signed-in user gets a name, so that others can be told from it.
      #expect(try container.store.info().currentUserRecordName?.hasPrefix("_") == true)
      try container.store.close()
    }
    let container = try MockContainer.open(path: path)
    #expect(try container.accounts.map(\.userRecordName) == ["_kenji"])
    let kenji = try container.account("_kenji", emailAddress: "k@example.com")
    let account = try #require(try container.accounts.first)
    #expect(account.nameComponents?.givenName == "Kenji")
    #expect(account.lookupInfo?.emailAddress == "k@example.com")
    #expect(try await kenji.privateCloudDatabase.record(for: id("a"))["text"] == "text")
    #expect(throws: CloudError.self) { try container.account("__defaultOwner__") }
    #expect(throws: CloudError.self) { try container.account("") }
    _ = try container.store.verify { Issue.record("\($0)") }
  }

  @Test("is added by many tasks at once without losing another")
  func concurrently() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { [container] in _ = try container.account("_u\(number % 20)") }
      }
      try await group.waitForAll()
    }
    #expect(try container.accounts.count == 21)
  }

  @Test("is found by its record name, e-mail address and telephone number")
  func lookup() async throws {
    _ = try container.account("_ada", phoneNumber: "+1 (555) 01-00")
    let byName = try await container.shareParticipant(
      forUserRecordID: UserRecord.recordID(named: "_kenji"))
    #expect(byName.userIdentity.userRecordName == "_kenji" && byName.acceptanceStatus == .pending)
    #expect(byName.role == .privateUser && byName.permission == .readOnly)
    let byMail = try await container.shareParticipant(forEmailAddress: "Kenji@Example.com")
    #expect(byMail.userIdentity.userRecordName == "_kenji")
    let byPhone = try await kenji.shareParticipant(forPhoneNumber: "+15550100")
    #expect(byPhone.userIdentity.userRecordName == "_ada")
    let ofMira = try await kenji.shareParticipant(
      forUserRecordID: UserRecord.recordID(named: "_mira"))
    #expect(ofMira.userIdentity.userRecordName == "_mira")
    for lookup in ["_nobody", ""] {
      let error = await cloudError {
        try await container.shareParticipant(
          forUserRecordID: UserRecord.recordID(named: lookup))
      }
      #expect(error?.code == .unknownItem)
    }
  }

  @Test("of the metadata has a default zone")
  func accountOfMetadata() async throws {
    var info = ContainerInfo(currentUserRecordName: "_mira")
    info.accounts = [ContainerAccount(userRecordName: "_kenji")]
    let container = try MockContainer.inMemory(info: info, now: { testDate })
    let kenji = try container.account("_kenji")
    #expect(
      await cloudError { try await kenji.privateCloudDatabase.save(note("x", in: .default)) } == nil
    )
    #expect(try await kenji.privateCloudDatabase.allRecordZones().count == 1)
  }

  @Test("leaves the signed-in user the record name, with the records and shares of before")
  func nameForLife() async throws {
    let container = try MockContainer.inMemory()
    let user = try await container.userRecordID()
    #expect(user.recordName != ZoneID.currentUserOwnerName)
    try await container.privateCloudDatabase.save(RecordZone(zoneID: notes))
    let before = try await container.privateCloudDatabase.save(note("p"))
    #expect(before.creatorUserRecordID == user)
    let kenji = try container.account("_kenji")
    #expect(try await container.userRecordID() == user)
    #expect(try await kenji.userRecordID().recordName == "_kenji")
    let same = try container.account(user.recordName)
    #expect(try await same.userRecordID() == user)
    #expect(try await same.privateCloudDatabase.record(for: id("p")) == before)
    #expect(try await container.privateCloudDatabase.save(note("q")).creatorUserRecordID == user)
  }

  @Test("sees who created a record, also if that is the signed-in user")
  func stamps() async throws {
    let container = try MockContainer.inMemory(now: { testDate })
    try await container.publicCloudDatabase.save(note("m", in: .default))
    try await container.privateCloudDatabase.save(RecordZone(zoneID: notes))
    try await container.privateCloudDatabase.save(note("p"))
    let kenji = try container.account("_kenji")
    let mira = try await container.userRecordID().recordName
    let seen = try await kenji.publicCloudDatabase.record(for: id("m", in: .default))
    #expect(seen.creatorUserRecordID?.recordName == mira, "kenji sees the creator of mira's record")
    let query = RecordQuery(
      recordType: "Note",
      filters: [
        QueryFilter(
          "___createdBy", .equals,
          .reference(Reference(recordID: RecordID(recordName: "_kenji", zoneID: .default))))
      ])
    let found = try await kenji.publicCloudDatabase.records(matching: query)
    #expect(found.matchResults.isEmpty, "kenji created nothing")
  }

  @Test("is added at once with subscriptions, and all are kept")
  func atOnce() async throws {
    let users = try await NoteUsers()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { _ = try users.container.account("_u\(number)") }
        group.addTask {
          try await users.kenji.privateCloudDatabase.save(
            CloudSubscription(
              subscriptionID: "s\(number)",
              kind: .query(
                RecordQuery(recordType: "T\(number)"), zoneID: nil, firesOn: [.create],
                firesOnce: false)
            ))
        }
      }
      try await group.waitForAll()
    }
    #expect(try users.container.accounts.count == 42)
    #expect(try await users.kenji.privateCloudDatabase.allSubscriptions().count == 40)
    let zones = try await users.mira.allRecordZones().map(\.zoneID)
    #expect(zones.allSatisfy { $0.ownerName == "__defaultOwner__" }, "\(zones)")
    _ = try users.container.store.verify { Issue.record("\($0)") }
  }

  @Test("of another container cannot sign in")
  func otherContainer() async throws {
    let users = try await NoteUsers()
    let stranger = try await NoteUsers().kenji
    let phone = users.container.device("Phone")
    #expect(throws: CloudError.self) { try phone.signIn(as: stranger) }
  }
}

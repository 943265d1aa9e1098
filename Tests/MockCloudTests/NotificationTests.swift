import CloudInterface
import MockCloud
import RecordModel
import Testing

@Suite("Notifications", .timeLimit(.minutes(20)))
struct NotificationTests {
  private struct Devices {
    let phone: MockDevice
    let tablet: MockDevice

    var database: MockDatabase { phone.privateCloudDatabase }
  }

  /// Two devices of a user with a zone "Notes".
  private func devices(_ rules: ServerRules = .native) async throws -> Devices {
    let container = try await makeDatabase(rules: rules).container
    return Devices(phone: container.device("Phone"), tablet: container.device("Tablet"))
  }

  private func subscription(
    _ id: String = "s", _ kind: CloudSubscription.Kind = .database(recordType: nil),
    _ change: (inout NotificationInfo) -> Void = { _ in }
  ) -> CloudSubscription {
    var info = NotificationInfo(shouldSendContentAvailable: true)
    change(&info)
    return CloudSubscription(subscriptionID: id, kind: kind, notificationInfo: info)
  }

  private func query(
    _ predicate: String = "TRUEPREDICATE", on changes: Set<CloudSubscription.ChangeType>,
    once: Bool = false
  ) throws -> CloudSubscription.Kind {
    .query(
      try RecordQuery(recordType: "Note", predicate: predicate), zoneID: nil, firesOn: changes,
      firesOnce: once)
  }

  @Test("of a database come once for each request, and not to the device that made it")
  func database() async throws {
    let devices = try await devices()
    try await devices.database.save(subscription())
    try await devices.database.modifyRecords(saving: [note("a"), note("b")], deleting: [])
    #expect(devices.phone.notifications.isEmpty)
    let found = devices.tablet.notifications
    #expect(found.map(\.kind) == [.database])
    #expect(found.first?.subscriptionID == "s" && found.first?.databaseScope == .private)
    #expect(found.first?.launchesApp == true && found.first?.alert == nil)
    try await devices.tablet.privateCloudDatabase.deleteRecord(withID: id("a"))
    #expect(devices.phone.notifications.count == 1 && devices.tablet.notifications.count == 1)
    // Nothing is changed by a request that is refused, or that deletes nothing.
    _ = await cloudError { try await devices.database.save(note("b")) }
    try await devices.database.deleteRecord(withID: id("none"))
    #expect(devices.tablet.notifications.count == 1)
    try await devices.database.save(RecordZone(zoneName: "New"))
    #expect(devices.tablet.notifications.count == 2)
  }

  @Test("carry the device that saved a record in the record")
  func deviceStamp() async throws {
    let devices = try await devices()
    let saved = try await devices.database.save(note("a"))
    #expect(saved.systemFields.modified?.deviceID == "Phone")
  }

  @Test("of a zone come for its records, and for those of one type if asked for")
  func zone() async throws {
    let devices = try await devices()
    try await devices.database.save(subscription("all", .zone(notes, recordType: nil)))
    try await devices.database.save(subscription("tags", .zone(notes, recordType: "Tag")))
    try await devices.database.save(note("a"))
    try await devices.database.save(note("x", in: .default))
    let tag = DraftRecord(recordType: "Tag", recordID: id("t"))
    try await devices.database.save(tag)
    #expect(devices.tablet.notifications.map(\.subscriptionID) == ["all", "all", "tags"])
    #expect(devices.tablet.notifications.allSatisfy { $0.kind == .recordZone(notes) })
  }

  @Test("of a query come for each matching record and kind of change")
  func queries() async throws {
    let devices = try await devices()
    try await devices.database.save(
      subscription("q", query("text = 'yes'", on: [.create, .delete])))
    var saved = try await devices.database.save(note("a", in: notes, "yes"))
    try await devices.database.save(note("b", in: notes, "no"))
    var draft = DraftRecord(saved)
    draft["other"] = 1
    saved = try await devices.database.save(draft)
    try await devices.database.modifyRecords(saving: [], deleting: [id("a"), id("b")])
    #expect(
      devices.tablet.notifications.map(\.kind) == [
        .query(id("a"), reason: .create, recordFields: [:]),
        .query(id("a"), reason: .delete, recordFields: [:]),
      ])
  }

  @Test("end with the first one of a subscription that fires once")
  func firesOnce() async throws {
    let devices = try await devices()
    try await devices.database.save(subscription("q", query(on: [.create], once: true)))
    try await devices.database.modifyRecords(saving: [note("a"), note("b")], deleting: [])
    try await devices.database.save(note("c"))
    #expect(
      devices.tablet.notifications.map(\.kind) == [
        .query(id("a"), reason: .create, recordFields: [:])
      ])
    #expect(try await devices.database.allSubscriptions().isEmpty)
  }

  @Test("carry fields, texts with their arguments, and a badge; never encrypted values")
  func contents() async throws {
    let devices = try await devices()
    try await devices.database.save(
      subscription("q", query(on: [.create])) { info in
        info.alertLocalizationKey = "%1$@ of %2$@, %3$@"
        info.alertLocalizationArgs = ["text", "size", "secret"]
        info.title = "New"
        info.desiredKeys = ["size", "secret", "tags"]
        info.shouldBadge = true
        info.soundName = "ding"
        info.category = "note"
        info.collapseIDKey = "c"
      })
    for name in ["a", "b"] {
      var draft = note(name, in: notes, "Hello")
      draft["size"] = 12
      draft["tags"] = ["a list is no part of a notification"]
      draft.encryptedValues["secret"] = "hidden"
      try await devices.database.save(draft)
    }
    let last = try #require(devices.tablet.notifications.last)
    let fields: [String: RecordValue] = ["size": .int64(12)]
    #expect(last.kind == .query(id("b"), reason: .create, recordFields: fields))
    #expect(
      last.alert
        == .init(localizationKey: "%1$@ of %2$@, %3$@", localizationArgs: ["Hello", "12", ""]))
    #expect(last.title == .init("New") && last.subtitle == nil)
    #expect(devices.tablet.notifications.map(\.badge) == [1, 2])
    #expect(last.soundName == "ding" && last.category == "note" && last.collapseID == "c")
  }

  @Test(
    "arrive as the rule for their delivery says",
    arguments: [
      (.each, 3, 3), (.doubledForChildren, 4, 4), (.coalesced, 1, 2),
      (.dropped, 0, 0),
    ] as [(ServerRules.Delivery, Int, Int)])
  func delivery(delivery: ServerRules.Delivery, untaken: Int, taken: Int) async throws {
    for takes in [false, true] {
      var rules = ServerRules.native
      rules.delivery = delivery
      let devices = try await devices(rules)
      try await devices.database.save(subscription())
      try await devices.database.save(note("a"))
      if takes { _ = devices.tablet.takeNotifications() }
      try await devices.database.save(note("b"))
      try await devices.database.save(note("c", below: "a"))
      #expect(devices.tablet.notifications.count == (takes ? taken : untaken), "\(takes)")
    }
  }

  @Test("are a sequence, and are taken once")
  func sequence() async throws {
    let devices = try await devices()
    try await devices.database.save(subscription())
    let incoming = devices.tablet.incomingNotifications()
    let reader = Task {
      var kinds: [CloudNotification.Kind] = []
      for await notification in incoming {
        kinds.append(notification.kind)
        if kinds.count == 2 { break }
      }
      return kinds
    }
    try await devices.database.save(note("a"))
    try await devices.database.save(note("b"))
    #expect(await reader.value == [.database, .database])
    #expect(devices.tablet.takeNotifications().count == 2)
    #expect(devices.tablet.takeNotifications().isEmpty)
    #expect(devices.tablet.notifications.count == 2)
  }

  @Test("of purged zones and of deferred deletions come to all devices")
  func ofTheServer() async throws {
    let devices = try await devices()
    try await devices.database.save(subscription())
    try await devices.database.modifyRecords(
      saving: [note("a", in: .default), note("b", ownedBy: "a", in: .default)], deleting: [])
    try await devices.database.deleteRecord(withID: id("a", in: .default))
    let before = (devices.phone.notifications.count, devices.tablet.notifications.count)
    #expect(before == (0, 2))
    try await devices.phone.container.finishDeferredDeletions()
    try await devices.phone.container.purgeRecordZone(withID: notes)
    let after = (devices.phone.notifications.count, devices.tablet.notifications.count)
    #expect(after == (2, 4))
  }

  // MARK: Rules of subscriptions

  @Test("have only the kinds of subscriptions that a database supports")
  func kinds() async throws {
    let container = try await makeDatabase().container
    let wrong: [(MockDatabase, CloudSubscription.Kind)] = [
      (container.sharedCloudDatabase, try query(on: [.create])),
      (container.publicCloudDatabase, .database(recordType: nil)),
      (container.publicCloudDatabase, .zone(.default, recordType: nil)),
      (container.privateCloudDatabase, try query(on: [])),
    ]
    for (database, kind) in wrong {
      let error = await cloudError { try await database.save(subscription("s", kind)) }
      #expect(error?.code == .invalidArguments, "\(kind)")
    }
    try await container.sharedCloudDatabase.save(subscription())
    try await container.publicCloudDatabase.save(subscription("s", query(on: [.create])))
  }

  @Test("have no second subscription that is the same to the server")
  func duplicates() async throws {
    for identity in ServerRules.SubscriptionIdentity.allCases {
      var rules = ServerRules.native
      rules.subscriptionIdentity = identity
      let database = try await makeDatabase(rules: rules)
      try await database.save(subscription("s", query("text = 'a'", on: [.create])))
      try await database.save(subscription("s", query("text = 'b'", on: [.create])))
      var error = await cloudError {
        try await database.save(subscription("t", query("text = 'b'", on: [.create])))
      }
      #expect(error == CloudError(.serverRejectedRequest, "subscription is duplicate of 's'"))
      error = await cloudError {
        try await database.save(subscription("t", query("text = 'c'", on: [.create])))
      }
      #expect((error == nil) == (identity == .wholeSubscription))
    }
  }

  @Test("have no subscription in production before the schema was deployed")
  func production() async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(environment: .production))
    let database = container.privateCloudDatabase
    let error = await cloudError { try await database.save(subscription()) }
    #expect(
      error
        == CloudError(
          .invalidArguments, "attempting to create a subscription in a production container"))
    var info = try container.store.info()
    info.schema = "DEFINE SCHEMA"
    try container.store.setInfo(info)
    try await database.save(subscription())
  }
}

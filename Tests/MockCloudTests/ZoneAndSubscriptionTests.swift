import CloudInterface
import MockCloud
import RecordModel
import Testing

struct ZoneAndSubscriptionTests {
  @Test("a zone is saved, fetched and deleted; saving it again keeps its records")
  func zones() async throws {
    let database = try await makeDatabase()
    try await database.save(note("a"))
    try await database.save(RecordZone(zoneID: notes))
    #expect(try database.names() == ["a"])
    #expect(try await database.allRecordZones().map(\.zoneID) == [notes, .default].sorted())
    #expect(try await database.recordZone(for: notes).zoneID == notes)
    try await database.deleteRecordZone(withID: notes)
    #expect(try database.names() == [])
    #expect(await cloudError { try await database.recordZone(for: notes) }?.code == .zoneNotFound)
    try await database.deleteRecordZone(withID: notes)
  }

  @Test("deleting what does not exist succeeds, unless the rules say that it fails")
  func missingDeletions() async throws {
    var rules = ServerRules.native
    rules.missingZoneDeletion = .fails
    rules.missingRecordDeletion = .fails
    let database = try await makeDatabase(rules: rules)
    let gone = ZoneID(zoneName: "Gone")
    let zoneError = await cloudError { try await database.deleteRecordZone(withID: gone) }
    #expect(zoneError?.code == .zoneNotFound)
    let error = await cloudError { try await database.deleteRecord(withID: id("gone")) }
    #expect(error?.code == .unknownItem)
    let lenient = try await makeDatabase()
    try await lenient.deleteRecordZone(withID: gone)
    try await lenient.deleteRecord(withID: id("gone"))
  }

  @Test("each zone of a request has a result of its own")
  func zoneResults() async throws {
    let database = try await makeDatabase()
    let (good, bad) = (ZoneID(zoneName: "Good"), ZoneID(zoneName: "_bad"))
    let answer = try await database.modifyRecordZones(
      saving: [RecordZone(zoneID: good), RecordZone(zoneID: bad)],
      deleting: [.default, notes, ZoneID(zoneName: "Gone")])
    #expect(answer.saveResults[good]?.isSuccess == true)
    #expect(answer.saveResults[bad]?.cloudError?.code == .invalidArguments)
    #expect(answer.deleteResults[.default]?.cloudError?.code == .invalidArguments)
    #expect(answer.deleteResults[notes]?.isSuccess == true)
    #expect(answer.deleteResults[ZoneID(zoneName: "Gone")]?.isSuccess == true)
  }

  @Test("zones are saved in private databases only")
  func scopes() async throws {
    let container = try await makeDatabase().container
    let zone = RecordZone(zoneName: "New")
    #expect(
      await cloudError { try await container.publicCloudDatabase.save(zone) }?.code
        == .invalidArguments)
    #expect(
      await cloudError { try await container.sharedCloudDatabase.save(zone) }
        == CloudError(.invalidArguments, "Only shared zones can be accessed in the shared DB"))
    let others = RecordZone(zoneID: ZoneID(zoneName: "New", ownerName: "_ada"))
    #expect(
      await cloudError { try await container.sharedCloudDatabase.save(others) }?.code
        == .permissionFailure)
  }

  @Test("a subscription is saved, fetched and deleted")
  func subscriptions() async throws {
    let database = try await makeDatabase()
    let all = CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil))
    let gone = CloudSubscription(
      subscriptionID: "gone", kind: .zone(ZoneID(zoneName: "Gone"), recordType: nil))
    let answer = try await database.modifySubscriptions(saving: [all, gone], deleting: [])
    #expect(answer.saveResults["all"]?.isSuccess == true)
    #expect(answer.saveResults["gone"]?.cloudError?.code == .zoneNotFound)
    #expect(try await database.allSubscriptions() == [all])
    #expect(try await database.subscription(for: "all") == all)
    #expect(
      await cloudError { try await database.subscription(for: "gone") }?.code == .unknownItem)
    try await database.deleteSubscription(withID: "all")
    #expect(try await database.allSubscriptions() == [])
  }

  @Test("notifications have at most three fields of a record, and only those of queries have any")
  func notificationFields() async throws {
    let database = try await makeDatabase()
    func error(_ kind: CloudSubscription.Kind, _ keys: [String]) async -> CloudError? {
      let subscription = CloudSubscription(
        subscriptionID: "s", kind: kind, notificationInfo: NotificationInfo(desiredKeys: keys))
      return await cloudError { try await database.save(subscription) }
    }
    let query = CloudSubscription.Kind.query(
      RecordQuery(recordType: "Note"), zoneID: nil, firesOn: [.create], firesOnce: false)
    #expect(await error(query, ["a", "b", "c"]) == nil)
    #expect(await error(query, ["a", "b", "c", "d"])?.code == .invalidArguments)
    for kind in [CloudSubscription.Kind.zone(notes, recordType: nil), .database(recordType: nil)] {
      #expect(
        await error(kind, ["a"])
          == CloudError(
            .invalidArguments, "cannot add additionalFields to this subscription type"))
      #expect(await error(kind, []) == nil)
    }
  }

  @Test("a fetch of zones or subscriptions has a limited number of items")
  func manyItems() async throws {
    var rules = ServerRules.native
    rules.maxItems = 2
    let database = try await makeDatabase(rules: rules)
    let ids = ["a", "b", "c"]
    #expect(
      await cloudError { try await database.subscriptions(for: ids) }?.code == .limitExceeded)
    let zones = ids.map { ZoneID(zoneName: $0) }
    #expect(await cloudError { try await database.recordZones(for: zones) }?.code == .limitExceeded)
    #expect(try await database.recordZones(for: [zones[0], zones[1]]).count == 2)
  }

  @Test("several subscriptions are saved and deleted in one request")
  func severalSubscriptions() async throws {
    let database = try await makeDatabase()
    let kinds: [CloudSubscription.Kind] = [
      .database(recordType: nil), .database(recordType: "Note"), .zone(notes, recordType: nil),
    ]
    let subscriptions = kinds.enumerated().map {
      CloudSubscription(subscriptionID: "s\($0)", kind: $1)
    }
    let saved = try await database.modifySubscriptions(saving: subscriptions, deleting: [])
    #expect(saved.saveResults.count == 3)
    for result in saved.saveResults.values { _ = try result.get() }
    let more = CloudSubscription(subscriptionID: "s3", kind: .zone(notes, recordType: "Note"))
    let same = CloudSubscription(subscriptionID: "s4", kind: kinds[1])
    let changed = try await database.modifySubscriptions(
      saving: [more, same], deleting: ["s0", "s2"])
    #expect(changed.saveResults["s4"]?.cloudError?.code == .serverRejectedRequest)
    #expect(try await database.allSubscriptions().map(\.subscriptionID) == ["s1", "s3"])
  }

  @Test("fetched records have the desired fields, and each its own result")
  func desiredKeys() async throws {
    let database = try await makeDatabase()
    var draft = note("a")
    draft["title"] = "title"
    draft.encryptedValues["secret"] = "word"
    try await database.save(draft)
    let results = try await database.records(
      for: [id("a"), id("b")], desiredKeys: ["title", "secret"])
    #expect(try results[id("a")]?.get().allKeys() == ["secret", "title"])
    #expect(results[id("b")]?.cloudError?.code == .unknownItem)
    #expect(try await database.record(for: id("a")).allKeys() == ["secret", "text", "title"])
    #expect(try await database.records(ofType: "Note").map(\.recordID) == [id("a")])
    #expect(try await database.records(ofType: "Note", inZoneWith: .default) == [])
  }
}

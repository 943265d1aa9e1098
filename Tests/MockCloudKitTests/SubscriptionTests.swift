#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import MockCloud
import RecordModel
import Testing

@Suite struct SubscriptionTests {
  @Test func aSubscriptionThatCannotBeSentFailsByItself() async throws {
    let fixture = try await Fixture.withZone()
    let silent = CKRecordZoneSubscription(zoneID: fixture.zone, subscriptionID: "silent")
    let good = CKDatabaseSubscription(subscriptionID: "good")
    good.notificationInfo = CKSubscription.NotificationInfo()
    good.notificationInfo?.shouldSendContentAvailable = true
    let results = try await fixture.database.modifySubscriptions(
      saving: [silent, good], deleting: []
    ).saveResults
    #expect(name(results["silent"]?.failure) == "invalidArguments")
    #expect(try results["good"]?.get().subscriptionID == "good")
  }

  @Test func aSubscriptionEqualsItselfWhateverItsPredicate() {
    let subscription = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(format: "text LIKE 'a*'", argumentArray: nil),
      subscriptionID: "s", options: .firesOnRecordCreation)
    #expect(subscription.isEqual(subscription))
  }

  @Test func aQuerySubscriptionGoesThereAndBack() async throws {
    let fixture = try await Fixture.withZone()
    let subscription = CKQuerySubscription(
      recordType: "Note",
      predicate: NSPredicate(format: "count > %d AND ANY tags = %@", argumentArray: [3, "x"]),
      subscriptionID: "s", options: [.firesOnRecordCreation, .firesOnRecordDeletion, .firesOnce])
    subscription.zoneID = fixture.zone
    subscription.notificationInfo = CKSubscription.NotificationInfo(
      alertBody: "Hello", titleLocalizationKey: "T", titleLocalizationArgs: ["title"],
      desiredKeys: ["count"], shouldBadge: true, category: "c")
    _ = try await fixture.database.save(subscription)

    let stored = try await fixture.mock.privateCloudDatabase.subscription(for: "s")
    let query = RecordQuery(
      recordType: "Note",
      filters: [
        QueryFilter("count", .greaterThan, .int64(3)),
        QueryFilter("tags", .listContains, .string("x")),
      ])
    #expect(
      stored.kind
        == .query(
          query, zoneID: ZoneID(zoneName: "Notes"), firesOn: [.create, .delete], firesOnce: true))
    #expect(stored.notificationInfo?.alertBody == "Hello")
    #expect(stored.notificationInfo?.titleLocalizationArgs == ["title"])

    let fetched = try await fixture.database.subscription(for: "s")
    let same = try #require(fetched as? CKQuerySubscription)
    #expect(same.subscriptionType == .query)
    #expect(same.recordType == "Note")
    #expect(same.zoneID == fixture.zone)
    #expect(same.querySubscriptionOptions == subscription.querySubscriptionOptions)
    #expect(same.predicate.description == "count > 3 AND tags CONTAINS \"x\"")
    #expect(same.notificationInfo?.desiredKeys == ["count"])
    #expect(same.notificationInfo?.shouldBadge == true)
    #expect(same.notificationInfo?.alertLocalizationArgs == nil)
  }

  @Test func otherSubscriptionsGoThereAndBack() async throws {
    let fixture = try await Fixture.withZone()
    let zone = CKRecordZoneSubscription(zoneID: fixture.zone, subscriptionID: "z")
    zone.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
    let database = CKDatabaseSubscription(subscriptionID: "d")
    database.recordType = "Note"
    database.notificationInfo = CKSubscription.NotificationInfo()
    let answer = try await fixture.database.modifySubscriptions(saving: [zone], deleting: [])
    _ = try await fixture.database.save(database)
    #expect(try answer.saveResults["z"]?.get().subscriptionType == .recordZone)
    let all = try await fixture.database.allSubscriptions()
    #expect(Set(all.map(\.subscriptionID)) == ["z", "d"])
    let same = all.first { $0.subscriptionID == "d" } as? CKDatabaseSubscription
    #expect(same?.recordType == "Note")
    try await fixture.database.deleteSubscription(withID: "z")
    let left = try await fixture.database.subscriptions(for: ["z", "d"])
    let error = await ckError { try left["z"]?.get() }
    #expect(error?.code == .unknownItem)
    #expect(try left["d"]?.get().subscriptionID == "d")
  }

  @available(*, deprecated)
  @Test func subscriptionsWithoutANameGetOne() async throws {
    let fixture = try await Fixture.withZone()
    let subscriptions = [
      CKDatabaseSubscription(), CKRecordZoneSubscription(zoneID: fixture.zone),
      CKQuerySubscription(
        recordType: "Note", predicate: NSPredicate(value: true), options: .firesOnRecordCreation),
    ]
    for subscription in subscriptions {
      subscription.notificationInfo = CKSubscription.NotificationInfo(
        shouldSendContentAvailable: true)
    }
    _ = try await fixture.database.modifySubscriptions(saving: subscriptions, deleting: [])
    let all = try await fixture.database.allSubscriptions()
    #expect(all.count == 3 && Set(all) == Set(subscriptions))
  }

  @Test func aSubscriptionNeedsANotification() async throws {
    let fixture = try Fixture()
    let error = await ckError {
      try await fixture.database.save(CKDatabaseSubscription(subscriptionID: "d"))
    }
    #expect(error?.code == .invalidArguments)
  }
}

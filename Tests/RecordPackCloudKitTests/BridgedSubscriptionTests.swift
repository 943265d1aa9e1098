#if os(Linux)
  import CloudInterface
  import CloudKit
  import MockCloud
  import RecordArchive
  import RecordModel
  import RecordPackCloudKit
  import TestSupport
  import Testing

  @Suite("Subscriptions of CloudKit, behind the bridge")
  struct BridgedSubscriptionTests {
    private static let zoneID = ZoneID(zoneName: "Notes")

    private static let subscriptions: [CloudSubscription] = {
      var info = NotificationInfo(
        alertBody: "new", soundName: "ping", shouldBadge: true, shouldSendContentAvailable: true)
      info.alertLocalizationKey = "NEW"
      info.alertLocalizationArgs = ["title", "author"]
      info.alertActionLocalizationKey = "OPEN"
      info.alertLaunchImage = "image"
      info.title = "Notes"
      info.titleLocalizationKey = "TITLE"
      info.titleLocalizationArgs = ["a"]
      info.subtitle = "sub"
      info.subtitleLocalizationKey = "SUBTITLE"
      info.subtitleLocalizationArgs = ["b"]
      info.category = "note"
      info.collapseIDKey = "notes"
      info.shouldSendMutableContent = true
      let query = RecordQuery(
        recordType: "Note",
        filters: [QueryField("stars") > Int64(2), QueryField("tags").contains("trip")])
      let all = Set(CloudSubscription.ChangeType.allCases)
      return [
        CloudSubscription(
          subscriptionID: "all", kind: .database(recordType: nil), notificationInfo: info),
        CloudSubscription(subscriptionID: "type", kind: .database(recordType: "Note")),
        CloudSubscription(subscriptionID: "zone", kind: .zone(zoneID, recordType: nil)),
        CloudSubscription(
          subscriptionID: "zoneType", kind: .zone(zoneID, recordType: "Note"),
          notificationInfo: NotificationInfo(shouldSendContentAvailable: true)),
        CloudSubscription(
          subscriptionID: "query",
          kind: .query(query, zoneID: zoneID, firesOn: all, firesOnce: false),
          notificationInfo: NotificationInfo(alertBody: "new", desiredKeys: ["title"])),
        CloudSubscription(
          subscriptionID: "once",
          kind: .query(
            RecordQuery(recordType: "Note"), zoneID: nil, firesOn: [.delete], firesOnce: true)),
      ]
    }()

    @Test("are the same after a conversion to CloudKit and back", arguments: subscriptions)
    func converted(subscription: CloudSubscription) throws {
      #expect(try CloudSubscription(subscription.ckSubscription()) == subscription)
    }

    /// A subscription that a container can have, and the bridge does not read.
    private static let unknown = CloudSubscription(
      subscriptionID: "unreadable",
      kind: .query(
        RecordQuery(
          recordType: "Note",
          // A list is compared, here with a text.
          filters: [QueryFilter("title", .in, .string("a"))]),
        zoneID: zoneID, firesOn: [.create], firesOnce: false),
      notificationInfo: NotificationInfo(shouldSendContentAvailable: true))

    @Test("are fetched without one that cannot be read, whose error is told, also by a download")
    func unreadable() async throws {
      let containers = try TwinContainers()
      let mock = containers.twin.privateCloudDatabase
      try await mock.save(RecordZone(zoneID: Self.zoneID))
      // The store does not judge.
      try containers.twin.store.transaction { transaction in
        for subscription in Self.subscriptions.prefix(2) + [Self.unknown] {
          try transaction.save(subscription, in: .private)
        }
      }
      let container = containers.bridged
      let all = try await container.privateCloudDatabase.allSubscriptions()
      #expect(Set(all.map(\.subscriptionID)) == ["all", "type"])
      let results = try await container.privateCloudDatabase.allSubscriptionResults()
      #expect(results.count == 3)
      let failed = results.first { $0.subscriptionID == "unreadable" }
      #expect(throws: CloudError.self) { try failed?.result.get() }
      let folder = try TestFolder()
      let (report, _) = try await Archiver().export(
        downloading: container, by: ContainerDownload(), to: folder.path("a.recordpack"))
      #expect(report.subscriptions == 2 && !report.isComplete)
      #expect(report.problems.map(\.subject) == [.subscription("unreadable")])
    }

    @Test("are saved, fetched and deleted as by the mock")
    func database() async throws {
      let containers = try TwinContainers()
      // CloudKit saves no subscription without the content of its notifications.
      let subscriptions = Self.subscriptions.map { subscription in
        var subscription = subscription
        subscription.notificationInfo =
          subscription.notificationInfo ?? NotificationInfo(shouldSendContentAvailable: true)
        return subscription
      }
      func run(_ database: some CloudDatabase) async throws -> [[CloudSubscription]] {
        try await database.save(RecordZone(zoneID: Self.zoneID))
        let saved = try await database.modifySubscriptions(
          saving: subscriptions, deleting: [])
        let all = try await database.allSubscriptions()
        let some = try await database.subscriptions(for: ["zone", "none"])
        #expect(throws: CloudError.self) { try some["none"]?.get() }
        let deleted = try await database.modifySubscriptions(
          saving: [], deleting: ["all", "query"])
        let left = try await database.allSubscriptions()
        return [
          saved.saveResults.values.compactMap { try? $0.get() }, all,
          some.values.compactMap { try? $0.get() },
          deleted.deleteResults.keys.map {
            CloudSubscription(subscriptionID: $0, kind: .database(recordType: nil))
          }, left,
        ].map { $0.sorted { $0.subscriptionID < $1.subscriptionID } }
      }
      let expected = try await run(containers.mock.privateCloudDatabase)
      let found = try await run(containers.bridged.privateCloudDatabase)
      #expect(found == expected)
      #expect(found[1].count == Self.subscriptions.count)
    }

    @Test("with a filter that no predicate can express are not saved")
    func refused() async throws {
      let containers = try TwinContainers()
      let query = RecordQuery(
        recordType: "Note", filters: [QueryFilter("f", .containsAnyTokens, .string("a"))])
      let subscription = CloudSubscription(
        subscriptionID: "q",
        kind: .query(query, zoneID: nil, firesOn: [.create], firesOnce: false))
      let error = await #expect(throws: CloudError.self) {
        try await containers.bridged.privateCloudDatabase.modifySubscriptions(
          saving: [subscription], deleting: [])
      }
      #expect(error?.code == .invalidArguments)
    }
  }
#endif

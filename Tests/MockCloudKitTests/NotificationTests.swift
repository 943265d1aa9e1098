import CloudInterface
import MockCloud
import RecordModel
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

@Suite struct NotificationTests {
  private struct Devices {
    let phone: CKContainer
    let tablet: MockDevice
    let zone = CKRecordZone.ID(zoneName: "Notes")

    init(_ subscription: (CKRecordZone.ID) -> CKSubscription) async throws {
      let mock = try MockContainer.inMemory(
        info: ContainerInfo(identifier: "iCloud.com.example.notes"))
      tablet = mock.device("Tablet")
      phone = CKContainer(mock: mock.device("Phone"))
      let database = phone.privateCloudDatabase
      _ = try await database.save(CKRecordZone(zoneID: zone))
      let made = subscription(zone)
      if made.notificationInfo == nil {
        made.notificationInfo = .init(shouldSendContentAvailable: true)
      }
      _ = try await database.save(made)
      let record = CKRecord(
        recordType: "Note", recordID: CKRecord.ID(recordName: "a", zoneID: zone))
      record["title"] = "Milk"
      record["count"] = 3
      _ = tablet.takeNotifications()
      _ = try await database.save(record)
    }

    func received() throws -> CKNotification? {
      let notification = try #require(tablet.takeNotifications().first)
      return CKNotification(
        fromRemoteNotificationDictionary: try notification.remoteNotificationDictionary)
    }
  }

  @Test func aQueryNotificationNamesTheRecord() async throws {
    let devices = try await Devices { zone in
      let subscription = CKQuerySubscription(
        recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "notes",
        options: .firesOnRecordCreation)
      subscription.zoneID = zone
      subscription.notificationInfo = CKSubscription.NotificationInfo(
        alertLocalizationKey: "ADDED", alertLocalizationArgs: ["title"], title: "Notes",
        soundName: "ping", desiredKeys: ["title", "count"], shouldBadge: true, category: "note")
      return subscription
    }
    let notification = try #require(try devices.received() as? CKQueryNotification)
    #expect(notification.notificationType == .query)
    #expect(notification.queryNotificationReason == .recordCreated)
    #expect(notification.recordID == CKRecord.ID(recordName: "a", zoneID: devices.zone))
    #expect(notification.recordFields?["title"] as? String == "Milk")
    #expect(notification.recordFields?["count"] as? Int == 3)
    #expect(notification.subscriptionID == "notes")
    #expect(notification.databaseScope == .private)
    #expect(notification.containerIdentifier == "iCloud.com.example.notes")
    #expect(notification.notificationID != nil && !notification.isPruned)
    let alert = notification as any AlertParts
    #expect(alert.alertLocalizationKey == "ADDED" && alert.alertLocalizationArgs == ["Milk"])
    #expect(alert.title == "Notes" && alert.badge == 1)
    #expect(alert.soundName == "ping" && alert.category == "note")
  }

  @Test func aZoneNotificationNamesTheZone() async throws {
    let devices = try await Devices { CKRecordZoneSubscription(zoneID: $0, subscriptionID: "z") }
    let notification = try #require(try devices.received() as? CKRecordZoneNotification)
    #expect(notification.notificationType == .recordZone)
    #expect(notification.recordZoneID == devices.zone)
    #expect(notification.databaseScope == .private && notification.subscriptionID == "z")
  }

  @Test func aDatabaseNotificationNamesTheDatabase() async throws {
    let devices = try await Devices { _ in CKDatabaseSubscription(subscriptionID: "all") }
    let notification = try #require(try devices.received() as? CKDatabaseNotification)
    #expect(notification.notificationType == .database)
    #expect(notification.databaseScope == .private && notification.subscriptionID == "all")
  }

  @Test func otherPushesAreNotOfCloudKit() {
    #expect(CKNotification(fromRemoteNotificationDictionary: ["aps": ["alert": "Hi"]]) == nil)
    #expect(CKNotification(fromRemoteNotificationDictionary: ["ck": "value"]) == nil)
    let payload: [AnyHashable: Any] = ["ck": ["met": ["dbs": 3, "sid": "s"], "cid": "c"]]
    #expect(CKQueryNotification(fromRemoteNotificationDictionary: payload) == nil)
    let database = CKDatabaseNotification(fromRemoteNotificationDictionary: payload)
    #expect(database?.databaseScope == .shared)
  }
}

/// The deprecated properties of the alert.
private protocol AlertParts {
  var alertLocalizationKey: String? { get }
  var alertLocalizationArgs: [String]? { get }
  var title: String? { get }
  var badge: NSNumber? { get }
  var soundName: String? { get }
  var category: String? { get }
}

extension CKNotification: AlertParts {}

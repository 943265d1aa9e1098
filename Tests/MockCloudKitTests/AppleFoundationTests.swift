#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import Testing

/// Declarations of Foundation that Linux lacks and code beside CloudKit calls.
@Suite struct AppleFoundationTests {
  @Test func anArrayIsReadFromAnArchive() throws {
    let ids = ["a", "b"].map { CKRecord.ID(recordName: $0) }
    let data = try NSKeyedArchiver.archivedData(withRootObject: ids, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: CKRecord.ID.self, from: data)
    #expect(read == ids)
    #expect(throws: (any Error).self) {
      try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: CKRecordZone.ID.self, from: data)
    }
  }

  @Test(.timeLimit(.minutes(20))) func notificationsComeAsASequence() async throws {
    let center = NotificationCenter()
    var notifications = center.notifications(named: .CKAccountChanged).makeAsyncIterator()
    center.post(name: .CKAccountChanged, object: nil, userInfo: ["number": 1])
    center.post(name: Notification.Name("Other"), object: nil)
    center.post(name: .CKAccountChanged, object: nil, userInfo: ["number": 2])
    #expect(await notifications.next()?.userInfo?["number"] as? Int == 1)
    #expect(await notifications.next()?.userInfo?["number"] as? Int == 2)
  }

  @Test func defaultsTakeAValueForAKey() throws {
    let defaults = try #require(UserDefaults(suiteName: "AppleFoundationTests"))
    defaults.setValue("token", forKey: "key")
    #expect(defaults.string(forKey: "key") == "token")
    defaults.setValue(nil, forKey: "key")
    #expect(defaults.string(forKey: "key") == nil)
    #expect(NSEC_PER_SEC == 1_000_000_000)
  }
}

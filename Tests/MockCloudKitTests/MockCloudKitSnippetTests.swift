import Foundation
import MockCloud
import MockSync
import RecordPackTesting
import Testing
import XCTest

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// What an app has: it saves notes in its own container.
private struct NoteStore {
  let container = CKContainer.default()

  func save(_ title: String) async throws {
    let note = CKRecord(recordType: "Note")
    note["title"] = title
    _ = try await container.privateCloudDatabase.save(note)
  }
}

// The code of the module's pages and doc comments.

@Suite(.emptyContainer()) struct NoteStoreTests {
  @Test func aNoteIsSaved() async throws {
    try await NoteStore().save("Milk")  // CKContainer.default() inside
    let notes = try await MockContainer.current.privateCloudDatabase.records(ofType: "Note")
    #expect(notes.count == 1)
  }
}

struct NoteTests {
  @Test(.emptyContainer()) func aNoteIsSaved() async throws {
    try await NoteStore().save("Milk")  // CKContainer.default() inside
  }
}

struct MockCloudKitSnippetTests {
  @Test(.emptyContainer()) func firstRecord() async throws {
    let database = CKContainer(identifier: "iCloud.com.example.notes").privateCloudDatabase
    let note = CKRecord(recordType: "Note")
    note["title"] = "Buy milk"
    let saved = try await database.save(note)
    #expect(saved.recordChangeTag != nil)
  }

  @Test(.emptyContainer()) func devicesAndUsers() async throws {
    let mock = try MockContainer.current
    let phone = CKContainer.withMock(mock.device("Phone")) { NoteStore() }
    let kenji = CKContainer.withMock(try mock.account("_kenji")) { NoteStore() }
    try await phone.save("Milk")
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let found = try await kenji.container.privateCloudDatabase.records(matching: query)
    #expect(found.matchResults.isEmpty)
  }

  @Test func devicesOfAContainer() async throws {
    let container = try MockContainer.inMemory()
    let phone = CKContainer.withMock(container.device("Phone")) { NoteStore() }
    let tablet = CKContainer.withMock(container.device("Tablet")) { NoteStore() }
    try await phone.save("Milk")
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let found = try await tablet.container.privateCloudDatabase.records(matching: query)
    #expect(found.matchResults.count == 1)
  }

  @Test(.emptyContainer()) func faults() async throws {
    let mock = try MockContainer.current
    let faulty = FaultInjectingContainer(mock.device("Phone"))
    faulty.faults.fail(.modifyRecords, with: .networkFailure(.afterServer))
    let store = CKContainer.withMock(faulty, clock: ManualClock()) { NoteStore() }
    await #expect(throws: CKError.self) { try await store.save("Milk") }
    #expect(try await mock.privateCloudDatabase.records(ofType: "Note").count == 1)
  }

  private actor App {
    private(set) var zones: [CKRecordZone.ID?] = []

    func didReceive(_ userInfo: sending [AnyHashable: Any]) {
      let notification = CKNotification(fromRemoteNotificationDictionary: userInfo)
      zones.append((notification as? CKRecordZoneNotification)?.recordZoneID)
    }
  }

  @Test(.emptyContainer()) func notifications() async throws {
    let (mock, app) = (try MockContainer.current, App())
    let phone = CKContainer(mock: mock.device("Phone")).privateCloudDatabase
    let zone = try await phone.save(CKRecordZone(zoneName: "Notes"))
    _ = mock.device("Tablet")
    let subscription = CKRecordZoneSubscription(zoneID: zone.zoneID, subscriptionID: "notes")
    subscription.notificationInfo = .init(shouldSendContentAvailable: true)
    _ = try await phone.save(subscription)
    _ = try await phone.save(
      CKRecord(recordType: "Note", recordID: .init(recordName: "a", zoneID: zone.zoneID)))
    for notification in mock.device("Tablet").takeNotifications() {
      await app.didReceive(try notification.remoteNotificationDictionary)
    }
    #expect(await app.zones == [zone.zoneID])
  }
}

/// Compiled only: the container of a process is not for tests that run at once.
private class NoteTestsOfXCTest: XCTestCase {
  override func setUp() async throws {
    CKContainer.setMock(try MockContainer.inMemory())
    CKContainer.onException = { XCTFail($0) }
  }
}

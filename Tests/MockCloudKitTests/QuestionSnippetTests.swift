import Foundation
import RecordPackTesting
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

// The code of the page "Questions and errors".

/// Keeps each note until the server has it.
actor NoteQueue {
  private(set) var unsent: [CKRecord] = []
  private(set) var storageIsFull = false
  private let database = CKContainer.default().privateCloudDatabase

  func save(_ note: CKRecord) async throws {
    unsent.append(note)
    try await send()
  }

  /// Called after each edit and at each launch.
  func send() async throws {
    storageIsFull = false
    while let note = unsent.first {
      do {
        _ = try await database.save(note)
        unsent.removeFirst()
      } catch let error as CKError where error.code == .quotaExceeded {
        storageIsFull = true  // tell the user, and keep the note
        return
      }
    }
  }
}

@Suite("Questions and errors") struct QuestionSnippetTests {
  /// Adds the list that each installation begins with.
  func addInbox(to database: CKDatabase) async throws {
    let id = CKRecord.ID(recordName: "inbox")  // the same name on each device
    let list = CKRecord(recordType: "List", recordID: id)
    list["title"] = "Inbox"
    do {
      _ = try await database.save(list)
    } catch let error as CKError where error.code == .serverRecordChanged {
      // Another installation has added it. The record of the server stays.
    }
  }

  @Test(.emptyContainer()) func aReinstallAddsNoSecondInbox() async throws {
    let database = CKContainer.default().privateCloudDatabase
    try await addInbox(to: database)
    try await addInbox(to: database)  // the app was deleted, and installed again
    let lists = try await MockContainer.current.privateCloudDatabase.records(ofType: "List")
    #expect(lists.count == 1)
  }

  @Test(.emptyContainer()) func aFullStorageLosesNoNote() async throws {
    let faulty = FaultInjectingContainer(try MockContainer.current)
    faulty.faults.fail(.modifyRecords, with: .quotaExceeded)  // the next save fails
    let queue = CKContainer.withMock(faulty) { NoteQueue() }
    try await queue.save(CKRecord(recordType: "Note"))
    #expect(await queue.storageIsFull)
    #expect(await queue.unsent.count == 1)

    try await queue.send()  // the user has bought storage
    #expect(await queue.unsent.isEmpty)
  }

  @Test(.emptyContainer()) func theTabletGetsAPush() async throws {
    let mock = try MockContainer.current
    let phone = CKContainer(mock: mock.device("Phone")).privateCloudDatabase
    let tablet = mock.device("Tablet")
    let subscription = CKDatabaseSubscription(subscriptionID: "all-changes")
    subscription.notificationInfo = .init(shouldSendContentAvailable: true)
    _ = try await phone.save(subscription)
    _ = try await phone.save(CKRecordZone(zoneName: "Notes"))

    let pushes = tablet.takeNotifications().filter { $0.subscriptionID == "all-changes" }
    let userInfo = try #require(pushes.first).remoteNotificationDictionary
    let notification = CKNotification(fromRemoteNotificationDictionary: userInfo)
    #expect(notification?.subscriptionID == "all-changes")

    // For `xcrun simctl push booted com.example.App push.apns`.
    let file = try JSONSerialization.data(withJSONObject: userInfo)
    #expect(file.contains(UInt8(ascii: "{")))
  }
}

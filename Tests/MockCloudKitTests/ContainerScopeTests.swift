import Foundation
import MockCloud
import RecordModel
import RecordPackTesting
import Synchronization
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// An app whose container is made once in a process, as in Apple's samples.
private enum App {
  static let container = CKContainer(identifier: "iCloud.com.example.app")
}

@Suite(.timeLimit(.minutes(20))) struct ContainerScopeTests {
  private func inScope(
    of mock: MockContainer, failures: @escaping @Sendable (String) -> Void = { _ in },
    _ body: () async throws -> Void
  ) async rethrows {
    let scope = TestScope(container: { mock }, recordFailure: failures)
    try await TestScope.$current.withValue(scope) { try await body() }
  }

  private func zones(_ mock: MockContainer) async throws -> [String] {
    try await mock.privateCloudDatabase.allRecordZones().map(\.zoneID.zoneName).sorted()
  }

  @Test func aContainerInAStaticPropertyBelongsToTheRunningTest() async throws {
    let (first, second) = (try MockContainer.inMemory(), try MockContainer.inMemory())
    try await inScope(of: first) {
      _ = try await App.container.privateCloudDatabase.save(CKRecordZone(zoneName: "A"))
    }
    try await inScope(of: second) {
      _ = try await App.container.privateCloudDatabase.save(CKRecordZone(zoneName: "B"))
      #expect(App.container.containerIdentifier == "iCloud.com.example.app")
    }
    #expect(try await zones(first) == ["A", "_defaultZone"])
    #expect(try await zones(second) == ["B", "_defaultZone"])
  }

  @Test func operationsAndHandlersStayInTheTest() async throws {
    let mock = try MockContainer.inMemory()
    try await inScope(of: mock) {
      let operation = CKModifyRecordZonesOperation(
        recordZonesToSave: [CKRecordZone(zoneName: "A")])
      await run(operation)
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        App.container.privateCloudDatabase.save(CKRecordZone(zoneName: "B")) { _, error in
          continuation.resume(with: error.map { .failure($0) } ?? .success(()))
        }
      }
      // A detached task does not inherit the test; a container that the test made is still its own.
      let container = CKContainer.default()
      try await Task.detached {
        _ = try await container.privateCloudDatabase.save(CKRecordZone(zoneName: "C"))
      }.value
    }
    #expect(try await zones(mock) == ["A", "B", "C", "_defaultZone"])
  }

  @Test func devicesAreChosenForPartsOfATest() async throws {
    let mock = try MockContainer.inMemory()
    let phone = CKContainer.withMock(mock.device("Phone")) { CKContainer.default() }
    _ = try await phone.privateCloudDatabase.save(CKRecord(recordType: "Note"))
    let kenji = try mock.account("_kenji")
    let user = try await CKContainer.withMock(kenji) {
      try await CKContainer.default().userRecordID()
    }
    #expect(user.recordName == "_kenji")
    let record = try #require(
      try await mock.privateCloudDatabase.records(ofType: "Note").first)
    #expect(record.systemFields.modified?.deviceID == "Phone")
  }

  @Test func aContainerIsSetForXCTest() async throws {
    let mock = try MockContainer.inMemory()
    let id = "iCloud.com.example.\(UUID().uuidString)"
    let container = CKContainer(identifier: id)
    CKContainer.setMock(mock, forIdentifier: id)
    _ = try await container.privateCloudDatabase.save(CKRecordZone(zoneName: "A"))
    let next = try MockContainer.inMemory()
    CKContainer.setMock(next, forIdentifier: id)
    _ = try await container.privateCloudDatabase.save(CKRecordZone(zoneName: "B"))
    #expect(try await zones(mock) == ["A", "_defaultZone"])
    #expect(try await zones(next) == ["B", "_defaultZone"])
  }

  @Test func aTestThatHasEndedHasNoContainer() async throws {
    let (mock, common) = (try MockContainer.inMemory(), try MockContainer.inMemory())
    let id = "iCloud.com.example.\(UUID().uuidString)"
    let scope = TestScope(container: { mock }) { _ in }
    let container = TestScope.$current.withValue(scope) { CKContainer(identifier: id) }
    CKContainer.setMock(common, forIdentifier: id)
    _ = try await container.privateCloudDatabase.save(CKRecordZone(zoneName: "A"))
    scope.end()
    _ = try await container.privateCloudDatabase.save(CKRecordZone(zoneName: "B"))
    #expect(try await zones(mock) == ["A", "_defaultZone"])
    #expect(try await zones(common) == ["B", "_defaultZone"])
  }

  @Test func anExceptionIsAFailureOfTheTestWhichGoesOn() async throws {
    let failures = Mutex<[String]>([])
    await inScope(of: try MockContainer.inMemory()) { message in
      failures.withLock { $0.append(message) }
    } _: {
      let operation = CKFetchRecordsOperation(recordIDs: [])
      await run(operation)
      operation.start()
      #expect(CKRecord(recordType: "").recordType.isEmpty)
      let record = CKRecord(recordType: "Note")
      record.parent = CKRecord.Reference(recordID: record.recordID, action: .deleteSelf)
      #expect(record.parent == nil)
      let reference = CKRecord.Reference(recordID: record.recordID, action: .none)
      let asset = CKAsset(fileURL: URL(fileURLWithPath: "/dev/null"))
      for value: any CKRecordValue in [reference, asset, [reference] as NSArray] {
        record.encryptedValues["secret"] = value
        #expect(record.encryptedValues["secret"] == nil)
      }
      _ = CKQuerySubscription(
        recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "s",
        options: .firesOnce)
    }
    let encrypted = "assets and references cannot be encrypted values"
    #expect(
      failures.withLock { $0 } == [
        "an operation was started that has been started before",
        "a record type must not be empty",
        "a parent reference has the action none",
        encrypted, encrypted, encrypted,
        "a query subscription fires on a creation, an update or a deletion",
      ])
  }

  @Test func aParticipantOfAnotherShareIsAFailureOfTheTest() async throws {
    let failures = Mutex<[String]>([])
    let mock = try MockContainer.inMemory()
    _ = try mock.account("_kenji", emailAddress: "kenji@example.com")
    try await inScope(of: mock) { message in
      failures.withLock { $0.append(message) }
    } _: {
      let first = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "A"))
      let second = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "B"))
      let kenji = try await CKContainer.default().shareParticipant(
        forEmailAddress: "kenji@example.com")
      first.addParticipant(kenji)
      second.addParticipant(kenji)
      #expect(second.participants.count == 1)
      second.removeParticipant(kenji)
      let open = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "C"))
      open.publicPermission = .readOnly
      let again = try await CKContainer.default().shareParticipant(
        forEmailAddress: "kenji@example.com")
      open.addParticipant(again)
      #expect(open.participants.count == 1)
      // A refused participant belongs to no share, and one of the first share still to that one.
      second.addParticipant(again)
      #expect(second.participants.count == 2)
      second.addParticipant(kenji)
    }
    #expect(
      failures.withLock { $0 } == [
        "a participant cannot be added to a second share",
        "the share has no such participant",
        "a share with a public permission takes no private participants",
        "a participant cannot be added to a second share",
      ])
  }
}

@Suite(.emptyContainer(), .timeLimit(.minutes(20))) struct ContainerOfATestTests {
  @Test(arguments: ["A", "B"]) func eachTestHasItsOwn(zone: String) async throws {
    _ = try await App.container.privateCloudDatabase.save(CKRecordZone(zoneName: zone))
    let zones = try await MockContainer.current.privateCloudDatabase.allRecordZones()
    #expect(zones.map(\.zoneID.zoneName).sorted() == [zone, "_defaultZone"])
  }

  @Test func anExceptionIsAnIssueOfTheTest() async {
    let operation = CKFetchRecordsOperation(recordIDs: [])
    await run(operation)
    withKnownIssue { operation.start() }
  }
}

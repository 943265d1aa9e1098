#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import MockCloud
import Testing

@Suite struct ContainerTests {
  @Test func theAccountStatusIsTheMocks() async throws {
    let fixture = try Fixture()
    #expect(try await fixture.container.accountStatus() == .available)
    fixture.mock.setAccountStatus(.noAccount)
    #expect(try await fixture.container.accountStatus() == .noAccount)
    let error = await ckError { try await fixture.container.userRecordID() }
    #expect(error?.code == .notAuthenticated)
  }

  @Test func aNewContainerHasTheRecordOfItsUser() async throws {
    let container = try Fixture().container
    let id = try await container.userRecordID()
    for database in [container.publicCloudDatabase, container.privateCloudDatabase] {
      let record = try await database.record(for: id)
      #expect(record.recordType == CKRecord.SystemType.userRecord)
      #expect(record.recordID.recordName == id.recordName)
    }
  }

  @Test(.timeLimit(.minutes(20))) func aChangeOfTheAccountIsPosted() async throws {
    let fixture = try Fixture()
    // The container starts to listen when it is made.
    let posted = AsyncStream<Void> { continuation in
      nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
        forName: .CKAccountChanged, object: nil, queue: nil
      ) { _ in continuation.yield() }
      continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token) }
    }
    fixture.mock.setAccountStatus(.restricted)
    var iterator = posted.makeAsyncIterator()
    let first: Void? = await iterator.next()
    #expect(first != nil)
  }

  @Test func containersAreFoundByTheirIdentifiers() async throws {
    let mock = try MockContainer.inMemory()
    CKContainer.setMock(mock, forIdentifier: "iCloud.com.example.named")
    let container = CKContainer(identifier: "iCloud.com.example.named")
    _ = try await container.privateCloudDatabase.save(CKRecordZone(zoneName: "A"))
    let zones = try await mock.privateCloudDatabase.allRecordZones()
    #expect(zones.contains { $0.zoneID.zoneName == "A" })
    #expect(CKContainer.default().containerIdentifier != nil)
  }
}

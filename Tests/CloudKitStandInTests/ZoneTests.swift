import CloudKit
import MockCloud
import Testing

@Suite struct ZoneTests {
  @Test func zonesAreSavedFetchedAndDeleted() async throws {
    let fixture = try Fixture()
    let zone = CKRecordZone(zoneName: "Notes")
    #expect(zone.capabilities == [])
    let answer = try await fixture.database.modifyRecordZones(saving: [zone], deleting: [])
    let saved = try #require(try answer.saveResults[zone.zoneID]?.get())
    #expect(saved.capabilities.contains([.fetchChanges, .atomic, .sharing, .zoneWideSharing]))
    #expect(saved.share == nil)
    let all = try await fixture.database.allRecordZones()
    #expect(all.contains { $0.zoneID == zone.zoneID })
    #expect(all.contains { $0.zoneID == .default })
    let missing = CKRecordZone.ID(zoneName: "None")
    let found = try await fixture.database.recordZones(for: [zone.zoneID, missing])
    #expect(try found[zone.zoneID]?.get().zoneID == zone.zoneID)
    let error = await ckError { try found[missing]?.get() }
    #expect(error?.code == .zoneNotFound)
    let deleted = try await fixture.database.modifyRecordZones(
      saving: [], deleting: [zone.zoneID])
    let isDeleted: Void? = try deleted.deleteResults[zone.zoneID]?.get()
    #expect(isDeleted != nil)
    let after = await ckError { try await fixture.database.recordZone(for: zone.zoneID) }
    #expect(after?.code == .zoneNotFound)
  }

  @Test func databasesHaveTheirScopes() throws {
    let fixture = try Fixture()
    #expect(fixture.container.privateCloudDatabase.databaseScope == .private)
    #expect(fixture.container.publicCloudDatabase.databaseScope == .public)
    #expect(fixture.container.database(with: .shared).databaseScope == .shared)
  }
}

@Suite struct ContainerTests {
  @Test func theAccountStatusIsTheMocks() async throws {
    let fixture = try Fixture()
    #expect(try await fixture.container.accountStatus() == .available)
    fixture.mock.setAccountStatus(.noAccount)
    #expect(try await fixture.container.accountStatus() == .noAccount)
    let error = await ckError { try await fixture.container.userRecordID() }
    #expect(error?.code == .notAuthenticated)
  }

  @Test func aChangeOfTheAccountIsPosted() async throws {
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

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
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

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import MockCloud
import Testing

@Suite struct ChangeTests {
  @Test func aZonesChangesComeOnce() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["title"] = "x"
    _ = try await fixture.database.save(record)
    let first = try await fixture.database.recordZoneChanges(inZoneWith: fixture.zone, since: nil)
    let modification = try first.modificationResultsByID[record.recordID]?.get()
    #expect(modification?.record["title"] == "x")
    #expect(!first.moreComing)
    try await fixture.database.deleteRecord(withID: record.recordID)
    let second = try await fixture.database.recordZoneChanges(
      inZoneWith: fixture.zone, since: first.changeToken, desiredKeys: nil, resultsLimit: 10)
    #expect(second.modificationResultsByID.isEmpty)
    #expect(second.deletions.map(\.recordID) == [record.recordID])
    #expect(second.deletions.map(\.recordType) == ["Note"])
  }

  @Test func aDatabasesChangesAreItsZones() async throws {
    let fixture = try await Fixture.withZone()
    let first = try await fixture.database.databaseChanges(since: nil)
    #expect(first.modifications.map(\.zoneID) == [fixture.zone])
    try await fixture.mock.purgeRecordZone(
      withID: .init(zoneName: "Notes"), for: .encryptedDataReset)
    let second = try await fixture.database.databaseChanges(since: first.changeToken)
    #expect(second.deletions.map(\.zoneID) == [fixture.zone])
    #expect(second.deletions.map(\.reason) == [.encryptedDataReset])
    #expect(!second.moreComing)
  }

  @Test func aTokenCanBeStored() async throws {
    let fixture = try await Fixture.withZone()
    let token = try await fixture.database.databaseChanges(since: nil).changeToken
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data))
    #expect(copy == token)
    let changes = try await fixture.database.databaseChanges(since: copy, resultsLimit: nil)
    #expect(changes.modifications.isEmpty)
  }
}

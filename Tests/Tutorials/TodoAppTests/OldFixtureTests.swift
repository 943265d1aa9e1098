import Foundation
import RecordPack
import Testing

struct OldFixtureTests {
  let container: MockContainer

  init() throws {
    let fixtures = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let bundle = try BundleReader(url: fixtures.appending(path: "Todos.recordpack"))
    let plans = try MigrationDirectory(path: fixtures.appending(path: "Schemas").path)
    let migrator = try Migrator(plans.chain(from: "v1", to: "v2"))
    container = try MockContainer.inMemory()
    try Archiver().migrate(.bundle(bundle), with: migrator, into: .container(container))
  }

  @Test("Records of version 1 have a position and a priority")
  func migrated() async throws {
    let bicycle = RecordID(recordName: "bicycle", zoneID: ZoneID(zoneName: "Todos"))
    let record = try await container.privateCloudDatabase.record(for: bicycle)
    #expect(record["position"] == 1)
    #expect(record["priority"] == 1)
    #expect(record["order"] == nil)
  }
}

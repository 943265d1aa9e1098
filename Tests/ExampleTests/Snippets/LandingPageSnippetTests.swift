import Foundation
import RecordPack
import Testing

/// The code of the landing page, run.
struct LandingPageSnippetTests {
  @Test("a fixture of the tutorials")
  func fixture() async throws {
    let fixture = Place.package
      .appending(path: "Tests/Tutorials/TodoAppTests/Fixtures/Todos.recordpack")
    let container = try MockContainer.inMemory()
    try Archiver().importBundle(BundleReader(url: fixture), into: container)

    let bicycle = RecordID(recordName: "bicycle", zoneID: ZoneID(zoneName: "Todos"))
    let record = try await container.privateCloudDatabase.record(for: bicycle)
    print(record["title"] as String? ?? "untitled")
    #expect(record["title"] == "Repair the bicycle")
  }
}

import Foundation
import RecordPack
import RecordPackTesting
import Testing

struct AppStoreTraitTests {
  @Test(.appStore("Fixtures/Notes.store", filling: "Fixtures/Empty.store"))
  func `the store has the objects of the fixture`() throws {
    let url = try AppStoreTrait.url
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test(
    .appStore("Fixtures/Notes.store", filling: "Fixtures/Empty.store"),
    .container("Fixtures/Notes.store"))
  func `a store and a container have the same records`() async throws {
    let store = try ArchiveSource.open([try AppStoreTrait.url.path])
    var titles: [String] = []
    try store.forEachRecord { record, _ in
      if let title: String = record["CD_title"] { titles.append(title) }
    }
    #expect(titles.sorted() == ["Grüße", "Letter", "Plans"])
    let zone = ZoneID(zoneName: "com.apple.coredata.cloudkit.zone")
    let changes = try await MockContainer.current.privateCloudDatabase.recordZoneChanges(
      inZoneWith: zone, since: nil)
    #expect(changes.modificationResultsByID.count == 12)
  }
}

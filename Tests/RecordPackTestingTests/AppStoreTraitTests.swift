import Foundation
import RecordPackTesting
import Testing

struct NotesTests {
  @Test(.appStore("Fixtures/Notes.recordpack", filling: "Fixtures/Empty.store"))
  func `the store has the notes of the fixture`() throws {
    let store = try ArchiveSource.open([try AppStoreTrait.url.path])
    var titles: [String] = []
    try store.forEachRecord { record, _ in
      if let title: String = record["CD_title"] { titles.append(title) }
    }
    #expect(titles.sorted() == ["Grüße", "Letter", "Plans"])
  }
}

struct AppStoreTraitTests {
  @Test(
    .appStore("Fixtures/Notes.store", filling: "Fixtures/Empty.store"),
    .container("Fixtures/Notes.store"))
  func `a store and a container have the same records`() async throws {
    let store = try ArchiveSource.open([try AppStoreTrait.url.path])
    var names: Set<String> = []
    try store.forEachRecord { record, _ in names.insert(record.recordID.recordName) }
    let zone = ZoneID(zoneName: "com.apple.coredata.cloudkit.zone")
    let changes = try await MockContainer.current.privateCloudDatabase.recordZoneChanges(
      inZoneWith: zone, since: nil)
    #expect(changes.modificationResultsByID.count == 12)
    #expect(names.count == 12)
  }
}

import Foundation
import RecordPack
import TestSupport
import Testing

@Suite("Change tokens")
struct ChangeTokenArchiveTests {
  private let zoneID = ZoneID(zoneName: "Notes")
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func note(_ name: String, in zoneID: ZoneID? = nil, text: String = "") -> DraftRecord {
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: name, zoneID: zoneID ?? self.zoneID))
    draft["text"] = text
    return draft
  }

  private func copy(_ container: MockContainer, _ archiver: Archiver = Archiver()) throws
    -> MockContainer
  {
    try container.copied(by: folder.path("a.recordpack"), archiver)
  }

  /// A container whose first token is older than some of its changes.
  private func makeContainer() async throws -> (MockContainer, ServerChangeToken) {
    let container = try MockContainer.inMemory()
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneID: zoneID))
    try await database.modifyRecords(
      saving: [note("a"), note("b"), note("c"), note("d")], deleting: [])
    let token = try await database.recordZoneChanges(inZoneWith: zoneID, since: nil).changeToken
    try await database.modifyRecords(
      saving: [note("b", text: "new")], deleting: [], savePolicy: .allKeys)
    try await database.deleteRecord(withID: note("c").recordID)
    try await database.save(note("e"))
    return (container, token)
  }

  private func changes(
    _ container: MockContainer, since token: ServerChangeToken?
  ) async throws -> (saved: [String], deleted: [String], token: ServerChangeToken) {
    let page = try await container.privateCloudDatabase.recordZoneChanges(
      inZoneWith: zoneID, since: token)
    return (
      page.modificationResultsByID.keys.map(\.recordName).sorted(),
      page.deletions.map(\.recordID.recordName).sorted(), page.changeToken
    )
  }

  private func expectExpired(_ container: MockContainer, _ token: ServerChangeToken) async {
    await #expect(
      performing: { try await changes(container, since: token) },
      throws: {
        ($0 as? CloudError)?.code == .changeTokenExpired
      })
  }

  @Test("of a zone go on in a copy that was exported and imported")
  func zone() async throws {
    let (container, old) = try await makeContainer()
    let new = try await changes(container, since: old).token
    let copy = try copy(container)
    let missed = try await changes(copy, since: old)
    #expect(missed.saved == ["b", "e"] && missed.deleted == ["c"])
    let nothing = try await changes(copy, since: new)
    #expect(nothing.saved == [] && nothing.deleted == [])
    try await copy.privateCloudDatabase.deleteRecord(withID: note("a").recordID)
    let later = try await changes(copy, since: new)
    #expect(later.saved == [] && later.deleted == ["a"])
  }

  @Test("of a database know which zones were changed, deleted and purged before the export")
  func database() async throws {
    let container = try MockContainer.inMemory()
    let database = container.privateCloudDatabase
    for name in ["Quiet", "Busy", "Gone", "Purged", "Early"] {
      try await database.save(RecordZone(zoneName: name))
    }
    try await database.deleteRecordZone(withID: ZoneID(zoneName: "Early"))
    let token = try await database.databaseChanges(since: nil).changeToken
    try await database.save(note("a", in: ZoneID(zoneName: "Busy")))
    try await database.deleteRecordZone(withID: ZoneID(zoneName: "Gone"))
    try await container.purgeRecordZone(withID: ZoneID(zoneName: "Purged"))
    try await database.save(RecordZone(zoneName: "New"))
    let expected = try await database.databaseChanges(since: token)
    let found = try await copy(container).privateCloudDatabase.databaseChanges(since: token)
    #expect(found.modifications == expected.modifications && found.deletions == expected.deletions)
    #expect(found.changeToken == expected.changeToken)
    let reasons = found.deletions.map { $0.reason }
    #expect(reasons == [.deleted, .purged])
    #expect(found.modifications.map { $0.zoneID.zoneName } == ["Busy", "New"])
  }

  @Test("of an earlier zone with the same name are expired in a copy, too")
  func recreatedZone() async throws {
    let (container, old) = try await makeContainer()
    try await container.privateCloudDatabase.deleteRecordZone(withID: zoneID)
    try await container.privateCloudDatabase.save(RecordZone(zoneID: zoneID))
    let copy = try copy(container)
    await expectExpired(copy, old)
  }

  @Test("are expired in a copy of a part, which does not have all changes")
  func part() async throws {
    let (container, old) = try await makeContainer()
    let new = try await changes(container, since: old).token
    var archiver = Archiver()
    archiver.filter = RecordFilter(zoneIDs: [zoneID])
    let copy = try copy(container, archiver)
    for token in [old, new] {
      await expectExpired(copy, token)
    }
    let first = try await changes(copy, since: nil)
    #expect(first.saved == ["a", "b", "d", "e"])
    let again = try await changes(self.copy(copy), since: first.token)
    #expect(again.saved == [] && again.deleted == [])
  }

  @Test("know what a later import changed, which has tags of its own")
  func laterImport() async throws {
    let (container, old) = try await makeContainer()
    let new = try await changes(container, since: old).token
    let other = try MockContainer.inMemory()
    try await other.privateCloudDatabase.save(RecordZone(zoneID: zoneID))
    try await other.privateCloudDatabase.save(note("z"))
    try Archiver().export(other, to: folder.path("other.recordpack"))
    try Archiver().importBundle(
      BundleReader(path: folder.path("other.recordpack")), into: container)
    #expect(try await changes(container, since: new).saved == ["z"])
    let found = try await changes(copy(container), since: new)
    #expect(found.saved.contains("z"))
    let last = try await changes(container, since: new).token
    #expect(try await changes(copy(container), since: last).saved == [])
  }

  @Test("need no history in a bundle whose container was only filled")
  func filledOnly() async throws {
    let (container, _) = try await makeContainer()
    let first = try copy(container)
    let bundle = try #require(FileManager.default.contents(atPath: folder.path("a.recordpack")))
    #expect(try BundleReader(path: folder.path("a.recordpack")).container.history != nil)
    let second = try copy(first)
    #expect(FileManager.default.contents(atPath: folder.path("a.recordpack")) == bundle)
    let token = try await changes(second, since: nil).token
    #expect(try await changes(container, since: token).saved == [])
    // What others wrote has no history, and gets none.
    let writer = try BundleWriter(path: folder.path("b.recordpack"), container: ContainerInfo())
    try writer.write(RecordZone(zoneID: zoneID), database: .private)
    for (name, tag) in [("x", "k3"), ("y", nil)] {
      try writer.write(RecordID(recordName: name, zoneID: zoneID), tag: tag)
    }
    _ = try writer.finish()
    let foreign = try MockContainer.inMemory()
    try Archiver().importBundle(BundleReader(path: folder.path("b.recordpack")), into: foreign)
    let copied = try copy(foreign)
    #expect(try BundleReader(path: folder.path("a.recordpack")).container.history == nil)
    let last = try await changes(foreign, since: nil).token
    #expect(try await changes(copied, since: last).saved == [])
    try await copied.privateCloudDatabase.save(note("w"))
    #expect(try await changes(copied, since: last).saved == ["w"])
  }
}

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

  // MARK: Copies with the same contents

  @Test("of a container that was only filled go on in a copy, also after its first change")
  func filled() async throws {
    let (original, _) = try await makeContainer()
    let container = try copy(original)
    let bundle = try #require(FileManager.default.contents(atPath: folder.path("a.recordpack")))
    let token = try await changes(container, since: nil).token
    let second = try copy(container)
    #expect(FileManager.default.contents(atPath: folder.path("a.recordpack")) == bundle)
    try await container.privateCloudDatabase.save(note("w"))
    try await second.privateCloudDatabase.deleteRecord(withID: note("a").recordID)
    let here = try await changes(container, since: token)
    #expect(here.saved == ["w"] && here.deleted == [])
    let there = try await changes(second, since: token)
    #expect(there.saved == [] && there.deleted == ["a"])
    // Each container has its own history now, with the same numbers.
    await expectExpired(second, here.token)
    await expectExpired(container, there.token)
    #expect(try await changes(container, since: here.token).saved == [])
  }

  @Test("go on in a copy of records that others wrote, with and without tags")
  func foreign() async throws {
    let writer = try BundleWriter(path: folder.path("b.recordpack"), container: ContainerInfo())
    try writer.write(RecordZone(zoneID: zoneID), database: .private)
    for (name, tag) in [("x", "k3"), ("y", nil)] {
      try writer.write(RecordID(recordName: name, zoneID: zoneID), tag: tag)
    }
    _ = try writer.finish()
    let foreign = try MockContainer.inMemory()
    try Archiver().importBundle(BundleReader(path: folder.path("b.recordpack")), into: foreign)
    let copied = try copy(foreign)
    let last = try await changes(foreign, since: nil).token
    #expect(try await changes(copied, since: last).saved == [])
    try await copied.privateCloudDatabase.save(note("w"))
    #expect(try await changes(copied, since: last).saved == ["w"])
  }

  @Test("of two containers with the same contents are the same if a conflict was resolved")
  func resolved() async throws {
    let paths = [folder.path("1.recordpack"), folder.path("2.recordpack")]
    for (path, text) in zip(paths, ["first", "second"]) {
      let writer = try BundleWriter(path: path, container: ContainerInfo())
      try writer.write(RecordZone(zoneID: zoneID), database: .private)
      try writer.write(RecordID(recordName: "x", zoneID: zoneID), tag: "7", text: text)
      _ = try writer.finish()
    }
    var archiver = Archiver()
    archiver.conflictPolicy = .replace
    let both = try MockContainer.inMemory()
    try archiver.importBundles(paths.map { try BundleReader(path: $0) }, into: both)
    let second = try MockContainer.inMemory()
    try archiver.importBundle(BundleReader(path: paths[1]), into: second)
    let token = try await changes(both, since: nil).token
    #expect(try await changes(second, since: token).saved == [])
  }

  // MARK: Copies of changed containers

  @Test("of a changed container are expired in a copy, which goes on with its own")
  func changed() async throws {
    let (container, old) = try await makeContainer()
    let new = try await changes(container, since: old).token
    let copy = try copy(container)
    for token in [old, new] { await expectExpired(copy, token) }
    let first = try await changes(copy, since: nil)
    #expect(first.saved == ["a", "b", "d", "e"])
    let again = try await changes(self.copy(copy), since: first.token)
    #expect(again.saved == [] && again.deleted == [])
  }

  @Test("of a container whose changes left no trace are expired in a copy, too")
  func changedWithoutTrace() async throws {
    let (original, _) = try await makeContainer()
    let container = try copy(original)
    // A zone that is saved again gets a number, and stays the same.
    try container.store.transaction { try $0.save(RecordZone(zoneID: zoneID), in: .private) }
    let token = try await changes(container, since: nil).token
    let copy = try copy(container)
    await expectExpired(copy, token)
    try await copy.privateCloudDatabase.save(note("w"))
    await expectExpired(copy, token)
  }

  @Test("of a database are expired in a copy of a changed container")
  func database() async throws {
    let container = try MockContainer.inMemory()
    let database = container.privateCloudDatabase
    for name in ["Quiet", "Busy", "Gone"] { try await database.save(RecordZone(zoneName: name)) }
    let token = try await database.databaseChanges(since: nil).changeToken
    try await database.save(note("a", in: ZoneID(zoneName: "Busy")))
    try await database.deleteRecordZone(withID: ZoneID(zoneName: "Gone"))
    let copy = try copy(container)
    let error = await #expect(throws: CloudError.self) {
      try await copy.privateCloudDatabase.databaseChanges(since: token)
    }
    #expect(error?.code == .changeTokenExpired)
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
    for token in [old, new] { await expectExpired(copy, token) }
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
    await expectExpired(try copy(container), new)
  }
}

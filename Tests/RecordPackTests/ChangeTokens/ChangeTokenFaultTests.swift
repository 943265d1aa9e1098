import Foundation
import RecordPack
import TestSupport
import Testing

/// Faults that an attack on change tokens found.
@Suite("Change tokens of parts, mixtures and copies of copies")
struct ChangeTokenFaultTests {
  private let folder: TestFolder
  private let zoneA = ZoneID(zoneName: "A")

  init() throws { folder = try TestFolder() }

  // MARK: Tools

  /// Writes a bundle as another program would: records as (name, type, tag), all in the zone A.
  private func bundle(
    _ name: String, zones: [String] = ["A"], subscriptions: [String] = [],
    _ records: [(String, String, String?)] = [], tombstones: [(String, String?)] = []
  ) throws -> BundleReader {
    let writer = try BundleWriter(path: folder.path(name), container: ContainerInfo())
    for zone in zones { try writer.write(RecordZone(zoneName: zone), database: .private) }
    for id in subscriptions { try writer.write(subscription: id) }
    for (name, type, tag) in records.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) {
      try writer.write(
        RecordID(recordName: name, zoneID: zoneA), type: type, tag: tag,
        text: "\(name) \(tag ?? "")")
    }
    for (name, tag) in tombstones {
      try writer.write(
        DeletedRecord(recordID: RecordID(recordName: name, zoneID: zoneA), recordChangeTag: tag),
        database: .private)
    }
    _ = try writer.finish()
    return try BundleReader(path: folder.path(name))
  }

  private func filled(_ bundles: BundleReader..., archiver: Archiver = Archiver()) throws
    -> MockContainer
  {
    let container = try MockContainer.inMemory()
    try archiver.run(from: bundles.map(ArchiveSource.bundle), into: .container(container))
    return container
  }

  private func export(_ container: MockContainer, _ archiver: Archiver = Archiver()) throws
    -> BundleReader
  {
    let path = folder.path(UUID().uuidString)
    try archiver.export(container, to: path)
    return try BundleReader(path: path)
  }

  private func copy(_ container: MockContainer, _ archiver: Archiver = Archiver()) throws
    -> MockContainer
  {
    try container.copied(by: folder.path(UUID().uuidString), archiver)
  }

  private func save(_ name: String, in zone: ZoneID? = nil, _ container: MockContainer) async throws
  {
    let database = container.privateCloudDatabase
    let recordID = RecordID(recordName: name, zoneID: zone ?? zoneA)
    try await database.modifyRecords(
      saving: [DraftRecord(recordType: "Note", recordID: recordID)], deleting: [],
      savePolicy: .allKeys)
  }

  private func token(of container: MockContainer) async throws -> ServerChangeToken {
    try await container.privateCloudDatabase.recordZoneChanges(inZoneWith: zoneA, since: nil)
      .changeToken
  }

  /// The names of the changed records after a token, or nil if it has expired.
  private func changes(
    _ container: MockContainer, since token: ServerChangeToken?
  ) async throws -> [String]? {
    do {
      let page = try await container.privateCloudDatabase.recordZoneChanges(
        inZoneWith: zoneA, since: token)
      return
        (page.modificationResultsByID.keys.map(\.recordName)
        + page.deletions.map { "-" + $0.recordID.recordName }).sorted()
    } catch CloudError.changeTokenExpired {
      return nil
    }
  }

  private func zones(
    _ container: MockContainer, since token: ServerChangeToken?, limit: Int? = nil
  ) async throws -> (names: [String]?, token: ServerChangeToken?) {
    do {
      let page = try await container.privateCloudDatabase.databaseChanges(
        since: token, resultsLimit: limit)
      return (
        page.modifications.map(\.zoneID.zoneName) + page.deletions.map { "-" + $0.zoneID.zoneName },
        page.changeToken
      )
    } catch CloudError.changeTokenExpired {
      return (nil, nil)
    }
  }

  /// Expects that a token of a container knows what is saved in its copy, or is expired there.
  private func expectNewRecords(
    inCopyOf container: MockContainer, since token: ServerChangeToken,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let copy = try copy(container)
    let names = (10..<30).map { "n\($0)" }
    for name in names { try await save(name, copy) }
    let found = try await changes(copy, since: token)
    #expect(found == nil || found == names, sourceLocation: sourceLocation)
  }

  // MARK: Parts and migrated copies of a container that was only filled

  @Test("expire in a part of a container that was only filled")
  func partOfFilled() async throws {
    let container = try filled(bundle("a", [("n", "Note", "5"), ("o", "Other", "4")]))
    let token = try await token(of: container)
    var archiver = Archiver()
    archiver.filter = RecordFilter(recordTypes: ["Note"])
    #expect(try await changes(copy(container, archiver), since: token) == nil)
  }

  @Test("expire in a migrated copy of a container that was only filled")
  func migratedFilled() async throws {
    let container = try filled(bundle("a", [("n", "Note", "5")]))
    let token = try await token(of: container)
    let migrator = try Migrator([
      Migration(
        from: "1", to: "2",
        steps: [MigrationStep("Note", .renameField("text", to: "body"))])
    ])
    let path = folder.path("migrated")
    _ = try Archiver().migrate(
      .container(container.store), with: migrator, into: .bundle(path: path))
    let found = try await changes(filled(BundleReader(path: path)), since: token)
    #expect(found == nil || found == ["n"])
  }

  // MARK: One import of several bundles

  @Test("do not miss the records of another bundle in one import")
  func severalBundles() async throws {
    let container = try MockContainer.inMemory()
    try await container.privateCloudDatabase.save(RecordZone(zoneID: zoneA))
    for name in ["a", "b", "c"] { try await save(name, container) }
    let token = try await token(of: container)
    let other = try bundle("other", [("y", "Note", nil), ("z", "Note", "3")])
    for bundles in [[try export(container), other], [other, try export(container)]] {
      let merged = try MockContainer.inMemory()
      try Archiver().run(from: bundles.map(ArchiveSource.bundle), into: .container(merged))
      let found = try await changes(merged, since: token)
      #expect(found == nil || found?.contains("y") == true && found?.contains("z") == true)
    }
  }

  @Test("do not miss the records of another bundle in one import of two filled ones")
  func severalFilled() async throws {
    let first = try bundle("a", [("a", "Note", "k")])
    let token = try await token(of: filled(first))
    let merged = try filled(first, bundle("b", [("b", "Note", "5")]))
    let found = try await changes(merged, since: token)
    #expect(found == nil || found?.contains("b") == true)
  }

  @Test(
    "leave an intact container in one import of a container that was merged, and another bundle")
  func mergedAndOther() throws {
    let container = try filled(bundle("a", [("a", "Note", nil)]))
    let untagged = ["m1", "m2", "m3", "m4"].map { ($0, "Note", nil as String?) }
    try Archiver().importBundle(bundle("more", untagged), into: container)
    _ = try container.store.verify { Issue.record("\($0)") }
    let merged = try filled(export(container), bundle("other", [("z", "Note", "3")]))
    _ = try merged.store.verify { Issue.record("\($0)") }
  }

  @Test("leave an intact container in one import of a zone's deletion and another bundle")
  func deletedZoneAndOther() async throws {
    let container = try filled(bundle("a", zones: ["A", "B"]))
    try await container.privateCloudDatabase.deleteRecordZone(withID: ZoneID(zoneName: "B"))
    let merged = try filled(export(container), bundle("other", [("z", "Note", "1")]))
    _ = try merged.store.verify { Issue.record("\($0)") }
  }

  @Test("that a part has let expire stay so in one import of it and another bundle")
  func partAndOther() async throws {
    let container = try MockContainer.inMemory()
    try await container.privateCloudDatabase.save(RecordZone(zoneID: zoneA))
    try await container.privateCloudDatabase.modifyRecords(
      saving: [
        DraftRecord(recordType: "Other", recordID: RecordID(recordName: "o", zoneID: zoneA))
      ], deleting: [])
    for name in ["a", "b", "c"] { try await save(name, container) }
    let token = try await token(of: container)
    var archiver = Archiver()
    archiver.filter = RecordFilter(recordTypes: ["Note"])
    let merged = try filled(export(container, archiver), bundle("other", [("z", "Note", "3")]))
    let found = try await changes(merged, since: token)
    #expect(found == nil)
  }

  @Test("of one part are expired in another part")
  func twoParts() async throws {
    let container = try MockContainer.inMemory()
    try await container.privateCloudDatabase.save(RecordZone(zoneID: zoneA))
    try await save("a", container)
    var draft = DraftRecord(
      recordType: "Other", recordID: RecordID(recordName: "o", zoneID: zoneA))
    draft["text"] = "x"
    try await container.privateCloudDatabase.modifyRecords(saving: [draft], deleting: [])
    var (notes, others) = (Archiver(), Archiver())
    notes.filter = RecordFilter(recordTypes: ["Note"])
    others.filter = RecordFilter(recordTypes: ["Other"])
    let token = try await token(of: copy(container, notes))
    let found = try await changes(copy(container, others), since: token)
    #expect(found == nil || found == ["o"])
  }

  // MARK: Numbers that a copy does not get again

  @Test("in the middle of the zones of a filled container go on in a copy without a zone")
  func deletedZone() async throws {
    let container = try filled(bundle("a", zones: ["A", "B", "C"]))
    let (first, token) = try await zones(container, since: nil, limit: 2)
    #expect(first == ["A", "B"])
    try await container.privateCloudDatabase.deleteRecordZone(withID: zoneA)
    #expect(try await zones(container, since: token).names == ["C", "-A"])
    let found = try await zones(copy(container), since: token).names
    #expect(found == nil || found?.contains("C") == true)
  }

  @Test("in the middle of the zones of two bundles go on in a copy")
  func zonesOfTwo() async throws {
    let container = try filled(bundle("b", zones: ["B"]), bundle("a", zones: ["A"]))
    let (first, token) = try await zones(container, since: nil, limit: 1)
    #expect(first == ["A"])
    #expect(try await zones(container, since: token).names == ["B"])
    let found = try await zones(copy(container), since: token).names
    #expect(found == nil || found?.contains("B") == true)
  }

  @Test("are of no later state than that of a copy of a filled container: with a subscription less")
  func deletedSubscriptions() async throws {
    let ids = ["s1", "s2", "s3", "s4"]
    let container = try filled(bundle("a", subscriptions: ids))
    let token = try await token(of: container)
    try await container.privateCloudDatabase.modifySubscriptions(saving: [], deleting: ids)
    try await expectNewRecords(inCopyOf: container, since: token)
  }

  @Test("... of two bundles with records of one name", arguments: [true, false])
  func keptRecord(replaces: Bool) async throws {
    var archiver = Archiver()
    archiver.conflictPolicy = replaces ? .replace : .keep
    let low = try bundle("low", [("r", "Note", "5"), ("s", "Note", "6")])
    let high = try bundle("high", [("r", "Note", "k"), ("t", "Note", "6")])
    let container =
      try replaces
      ? filled(high, low, archiver: archiver) : filled(low, high, archiver: archiver)
    try await expectNewRecords(inCopyOf: container, since: token(of: container))
  }

  @Test("... with a deleted record of one bundle that another has")
  func revivedRecord() async throws {
    let container = try filled(
      bundle("dead", tombstones: [("t", "k")]), bundle("alive", [("t", "Note", "6")]))
    try await expectNewRecords(inCopyOf: container, since: token(of: container))
  }

  // MARK: Long numbers and headers

  @Test("go on where tags have 12 digits")
  func longTags() async throws {
    let container = try filled(bundle("a", [("r", "Note", "zzzzzzzzzzz")]))
    try await save("n1", container)
    let token = try await token(of: container)
    try await save("n2", container)
    #expect(try await changes(container, since: token) == ["n2"])
    #expect(try await changes(copy(container), since: token) == nil)
  }

  @Test("do not claim that a recovered part is whole")
  func recovered() async throws {
    let container = try MockContainer.inMemory()
    try await container.privateCloudDatabase.save(RecordZone(zoneID: zoneA))
    for index in 0..<40 {
      var draft = DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: "r\(10 + index)", zoneID: zoneA))
      draft["text"] = UUID().uuidString + UUID().uuidString
      try await container.privateCloudDatabase.modifyRecords(saving: [draft], deleting: [])
    }
    let token = try await token(of: container)
    var archiver = Archiver()
    archiver.bundleOptions.frameSize = 1024
    let path = folder.path("damaged")
    try archiver.export(container, to: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 3] ^= 0xFF
    try bytes.write(to: URL(fileURLWithPath: path))
    let saved = folder.path("saved")
    let report = try BundleRecovery.recover([path], to: saved)
    #expect(!report.isComplete)
    #expect(try await changes(filled(BundleReader(path: saved)), since: token) == nil)
  }

  // MARK: What an import takes from a participant

  @Test("of a shared database expire when an import deletes a zone: who saw it is not known")
  func deletedSharedZone() async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    let (mira, kenji) = (try container.account("_mira"), try container.account("_kenji"))
    try await container.privateCloudDatabase.save(RecordZone(zoneID: zoneA))
    try await save("root", container)
    try await mira.share(RecordID(recordName: "root", zoneID: zoneA), with: kenji)
    let token = try await kenji.sharedCloudDatabase.databaseChanges(since: nil).changeToken
    let writer = try BundleWriter(path: folder.path("gone"), container: ContainerInfo())
    try writer.write(DeletedZone(zoneID: zoneA), database: .private)
    _ = try writer.finish()
    var archiver = Archiver()
    archiver.conflictPolicy = .replace
    try archiver.importBundle(BundleReader(path: folder.path("gone")), into: container)
    #expect(try await kenji.sharedCloudDatabase.allRecordZones().isEmpty)
    let error = await #expect(throws: CloudError.self) {
      try await kenji.sharedCloudDatabase.databaseChanges(since: token)
    }
    #expect(error?.code == .changeTokenExpired)
  }
}

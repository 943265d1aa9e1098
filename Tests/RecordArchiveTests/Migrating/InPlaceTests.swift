import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordArchive

@Suite("A container that is migrated in its place")
struct InPlaceTests {
  private static let zone = ZoneID(zoneName: "Chats")
  private static let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private func migrator(_ steps: MigrationStep...) throws -> Migrator {
    try Migrator([Migration(from: "1", to: "2", steps: steps)])
  }

  /// Fills a container in memory with what another holds.
  private func copy(_ container: ContainerStore, in folder: String) throws -> ContainerStore {
    let path = folder + "/\(UUID().uuidString).recordpack"
    try Archiver().export(container, to: path)
    let copy = try ContainerStore.inMemory()
    try Archiver().importBundle(BundleReader(path: path), into: copy)
    return copy
  }

  private func tombstones(_ source: ArchiveSource) throws -> [String: String] {
    var found: [String: String] = [:]
    try source.forEachTombstone { tombstone, database in
      found["\(database) \(tombstone.recordID)"] = tombstone.recordType ?? ""
    }
    return found
  }

  private func differences(_ first: ArchiveSource, _ second: ArchiveSource) throws -> [String] {
    var comparison = ArchiveComparison(first, second)
    comparison.recordsOnly = true
    comparison.ignoredSystemFields = [.recordChangeTag, .created, .modified]
    var found: [String] = []
    _ = try comparison.run { found.append("\($0)") }
    return found
  }

  /// Everything but the examples, which are the first that were met.
  private func counts(_ report: MigrationReport) -> MigrationReport {
    var report = report
    for index in report.steps.indices { report.steps[index].examples = [] }
    return report
  }

  @Test(
    "comes to what the other forms come to, in a file and in memory, with traces of deletions",
    arguments: SeededGenerator.seeds(8))
  func sameEverywhere(seed: UInt64) throws {
    try withFolder { folder in
      var random = SeededGenerator(seed &+ 700)
      try RandomContainer(of: 120, &random).write(to: folder + "/a.recordpack", frameSize: 4096)
      let container = try ContainerStore.open(path: folder + "/a.recordpack.sqlite")
      try container.importTransaction { writer in
        for (number, type) in ["Chat", "Message", "Mark", "Feedback"].enumerated() {
          let id = RecordID(recordName: "gone\(number)", zoneID: Self.zone)
          try writer.add(DeletedRecord(recordID: id, recordType: type), to: .private)
        }
      }
      let steps = try RandomContainer.steps(&random, changingIdentity: true)
      let merging = MigrationStep("Mark", .renameType(to: "Sign"), misfit: .skip)
      let migrator = try Migrator([Migration(from: "1", to: "2", steps: steps + [merging])])
      let memory = try copy(container, in: folder)
      var archiver = Archiver()
      archiver.threads = 3
      let source = ArchiveSource.container(container)
      let written = try archiver.migrate(source, with: migrator, to: folder + "/b.recordpack")
      let bundle = ArchiveSource.bundle(try BundleReader(path: folder + "/b.recordpack"))
      let fromMemory = try archiver.migrate(
        .container(memory), with: migrator, creating: folder + "/c.sqlite")
      let created = ArchiveSource.container(try ContainerStore.open(path: folder + "/c.sqlite"))
      #expect(try differences(bundle, created) == [])
      #expect(counts(fromMemory.report) == counts(written.report))
      let left = try tombstones(bundle)
      for place in [container, memory] {
        let report = try archiver.migrate(inPlace: place, with: migrator)
        #expect(counts(report) == counts(written.report))
        #expect(try differences(bundle, .container(place)) == [])
        let found = try tombstones(.container(place))
        for (name, type) in left { #expect(found[name] == type, "\(name)") }
        #expect(try place.info().schemaVersion == "2")
      }
    }
  }

  @Test("saves what changes as an app would, and nothing else")
  func stamps() throws {
    let container = try ContainerStore.inMemory(
      info: ContainerInfo(schemaVersion: "1", currentUserRecordName: "_me"), now: { Self.now })
    let date = Date(timeIntervalSinceReferenceDate: 1)
    let stamp = RecordStamp(date: date, userRecordName: "_other", deviceID: "phone")
    try container.importTransaction { writer in
      try writer.add(RecordZone(zoneID: Self.zone), to: .private)
      for name in ["a", "b", "c", "d \"e\""] {
        var system = SystemFields(
          recordID: RecordID(recordName: name, zoneID: Self.zone), recordType: "T",
          recordChangeTag: "7", created: stamp, modified: stamp)
        if name == "b" { (system.created, system.recordChangeTag) = (nil, nil) }
        let fields = name == "c" ? [] : [Field(name: "old", value: .string("x"))]
        try writer.add(ResultRecord(systemFields: system, fields: fields), to: .private)
      }
    }
    let database = container.database(.private)
    let before = try database.record(for: RecordID(recordName: "c", zoneID: Self.zone))
    let last = try container.snapshot { try $0.lastChange(in: .private) }
    let custom = MigrationAction.CustomStep("fresh") { draft in
      guard draft.recordID.recordName == "d \"e\"" else { return [draft] }
      var fresh = DraftRecord(recordType: "T", recordID: draft.recordID)
      fresh["fresh"] = 1
      var copy = DraftRecord(
        recordType: "T", recordID: RecordID(recordName: "f", zoneID: Self.zone))
      copy["fresh"] = 2
      return [fresh, copy]
    }
    _ = try Archiver().migrate(
      inPlace: container,
      with: migrator(
        MigrationStep("T", .renameField("old", to: "new")), MigrationStep("T", .custom(custom))))
    func record(_ name: String) throws -> ResultRecord {
      try database.record(for: RecordID(recordName: name, zoneID: Self.zone))
    }
    #expect(try record("c") == before)
    let own = RecordStamp(date: Self.now, userRecordName: "_me")
    let expected: [(String, RecordStamp?)] = [
      ("a", stamp), ("b", nil), ("d \"e\"", stamp), ("f", own),
    ]
    for (index, (name, created)) in expected.enumerated() {
      let system = try record(name).systemFields
      #expect(system.created == created, "\(name)")
      #expect(system.modified == own, "\(name)")
      #expect(system.recordChangeTag == String(last + 1 + Int64(index), radix: 36), "\(name)")
    }
    #expect(try record("a")["new"] as String? == "x")
    #expect(try record("d \"e\"")["fresh"] as Int? == 1)
    var faults: [String] = []
    _ = try container.verify { faults.append("\($0)") }
    #expect(faults == [])
  }

  @Test("refuses what no app could save, and is as it was then")
  func limits() throws {
    let container = try ContainerStore.inMemory(info: ContainerInfo(schemaVersion: "1"))
    try container.importTransaction { writer in
      for (name, text) in [("a", "x"), ("b", String(repeating: "x", count: 1_100_000))] {
        try writer.add(
          ResultRecord(
            systemFields: SystemFields(recordID: RecordID(recordName: name), recordType: "T"),
            fields: [Field(name: "old", value: .string(text))]), to: .private)
      }
    }
    let renaming = try migrator(MigrationStep("T", .renameField("old", to: "new")))
    let error = #expect(throws: CloudError.self) {
      try Archiver().migrate(inPlace: container, with: renaming)
    }
    #expect(error?.message.contains("change the plan, or write another file") == true)
    let record = try container.database(.private).record(for: RecordID(recordName: "a"))
    #expect(record["old"] as String? == "x")
  }

  @Test("saves a record under the name that it has, even if CloudKit allows no new one of it")
  func storedNames() throws {
    let container = try ContainerStore.inMemory(info: ContainerInfo(schemaVersion: "1"))
    let recordID = RecordID(recordName: "ü")
    try container.importTransaction { writer in
      try writer.add(
        ResultRecord(
          systemFields: SystemFields(recordID: recordID, recordType: "T"),
          fields: [Field(name: "old", value: .int64(1))]), to: .private)
    }
    let renaming = try migrator(MigrationStep("T", .renameField("old", to: "new")))
    _ = try Archiver().migrate(inPlace: container, with: renaming)
    #expect(try container.database(.private).record(for: recordID)["new"] as Int? == 1)
  }

  // MARK: Assets

  private func withAssets(_ container: ContainerStore, count: Int) throws {
    try container.database(.private).save([RecordZone(zoneID: Self.zone)])
    try container.database(.private).save(
      (0..<count).map { number in
        var draft = DraftRecord(
          recordType: "Photo", recordID: RecordID(recordName: "p\(100 + number)", zoneID: Self.zone)
        )
        let size = number == 0 ? 0 : number == 1 ? 700_000 : 100 + number
        draft["image"] = Asset(
          data: Data(repeating: UInt8(truncatingIfNeeded: number), count: size))
        return draft
      })
  }

  @Test("the bytes of assets are found in a bundle, in a file, in memory and in place")
  func assets() throws {
    try withFolder { folder in
      let info = ContainerInfo(schemaVersion: "1")
      let file = try ContainerStore.open(path: folder + "/a.sqlite", mode: .create, info: info)
      let memory = try ContainerStore.inMemory(info: info)
      for container in [file, memory] { try withAssets(container, count: 40) }
      var archiver = Archiver()
      archiver.threads = 3
      archiver.bundleOptions.frameSize = 4096
      try archiver.export(file, to: folder + "/a.recordpack")
      let migrator = try migrator(
        MigrationStep("Photo", .convert("image", Conversion(to: .bytes, from: .asset))))
      let bundle = ArchiveSource.bundle(try BundleReader(path: folder + "/a.recordpack"))
      let sources = [bundle, .container(file), .container(memory)]
      for (number, source) in sources.enumerated() {
        _ = try archiver.migrate(source, with: migrator, creating: "\(folder)/\(number).sqlite")
        #expect(try archiver.dryRun(source, with: migrator).steps[0].changed == 40)
      }
      for container in [file, memory] {
        _ = try archiver.migrate(inPlace: container, with: migrator)
        let container = ArchiveSource.container(container)
        #expect(try container.assets() == [])
      }
      let results = try (0..<3).map { number in
        ArchiveSource.container(try ContainerStore.open(path: "\(folder)/\(number).sqlite"))
      }
      let first = try results[0].records(named: "p101")[0].record
      #expect((first["image"] as Data?)?.count == 700_000)
      for other in results.dropFirst() + [.container(file), .container(memory)] {
        #expect(try differences(results[0], other) == [])
      }
    }
  }

  @Test("an asset whose bytes are not there is a misfit, wherever it is read from")
  func missingAssets() throws {
    try withFolder { folder in
      let digest = String(repeating: "ab", count: 32)
      try ContainerStore.build(path: folder + "/a.sqlite", info: ContainerInfo(schemaVersion: "1"))
      {
        let asset = Asset(sha256: digest, size: 3)
        try $0.add(
          ResultRecord(
            systemFields: SystemFields(recordID: RecordID(recordName: "p"), recordType: "Photo"),
            fields: [Field(name: "image", value: .asset(asset))]), to: .private)
      }
      let container = try ContainerStore.open(path: folder + "/a.sqlite")
      try Archiver().export(container, to: folder + "/a.recordpack")
      let migrator = try migrator(
        MigrationStep("Photo", .convert("image", Conversion(to: .bytes, from: .asset))))
      let bundle = ArchiveSource.bundle(try BundleReader(path: folder + "/a.recordpack"))
      for source in [bundle, .container(container)] {
        let report = try Archiver().dryRun(source, with: migrator)
        #expect(report.steps[0].failed == 1, "\(report)")
      }
    }
  }
}

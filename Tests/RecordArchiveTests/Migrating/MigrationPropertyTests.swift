import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import Testing

@testable import RecordArchive

@Suite("Any plan on any bundle")
struct MigrationPropertyTests {
  private func migrator(_ random: inout SeededGenerator, changingIdentity: Bool) throws -> Migrator
  {
    let steps = try RandomContainer.steps(&random, changingIdentity: changingIdentity)
    let more = try RandomContainer.steps(&random, changingIdentity: changingIdentity)
    return try Migrator([
      Migration(from: "1", to: "2", steps: steps), Migration(from: "2", to: "3", steps: more),
    ])
  }

  private func archiver(threads: Int) -> Archiver {
    var archiver = Archiver()
    archiver.threads = threads
    archiver.bundleOptions.frameSize = 8192
    return archiver
  }

  private func differences(
    _ first: ArchiveSource, _ second: ArchiveSource,
    ignoring ignored: Set<RecordDifference.SystemField> = []
  ) throws -> [String] {
    var comparison = ArchiveComparison(first, second)
    comparison.recordsOnly = true
    comparison.ignoredSystemFields = ignored
    var found: [String] = []
    _ = try comparison.run { found.append("\($0)") }
    return found
  }

  @Test(
    "is the same file at every number of threads and size of frames",
    arguments: SeededGenerator.seeds(3))
  func deterministic(seed: UInt64) throws {
    try withFolder { folder in
      var random = SeededGenerator(seed &+ 100)
      let container = RandomContainer(of: 200, &random)
      let migrator = try migrator(&random, changingIdentity: true)
      try container.write(to: folder + "/small.recordpack", frameSize: 2048)
      try container.write(to: folder + "/large.recordpack", frameSize: 1 << 20)
      var expected: (bytes: Data, report: MigrationReport)?
      for name in ["small", "large"] {
        for threads in [1, 2, 5] {
          let bundle = try BundleReader(path: "\(folder)/\(name).recordpack")
          let (_, report) = try archiver(threads: threads).migrate(
            .bundle(bundle), with: migrator, to: folder + "/out.recordpack")
          let found = (try bytes(of: folder + "/out.recordpack"), report)
          if let expected {
            #expect(found == expected, "\(name), \(threads) threads")
          } else {
            expected = found
          }
          let tried = try archiver(threads: threads).dryRun(.bundle(bundle), with: migrator)
          #expect(counts(tried) == counts(report))
        }
      }
      #expect(try BundleReader(path: folder + "/out.recordpack").verify().findings.isEmpty)
    }
  }

  @Test(
    "is the same in a new container, and in a container in its place",
    arguments: SeededGenerator.seeds(3))
  func sameEverywhere(seed: UInt64) throws {
    try withFolder { folder in
      var random = SeededGenerator(seed &+ 200)
      try RandomContainer(of: 150, &random).write(to: folder + "/a.recordpack", frameSize: 4096)
      let migrator = try migrator(&random, changingIdentity: true)
      let bundle = try BundleReader(path: folder + "/a.recordpack")
      let (_, report) = try archiver(threads: 2).migrate(
        .bundle(bundle), with: migrator, to: folder + "/b.recordpack")
      let migrated = ArchiveSource.bundle(try BundleReader(path: folder + "/b.recordpack"))
      let created = try archiver(threads: 2).migrate(
        .bundle(bundle), with: migrator, creating: folder + "/b.sqlite")
      #expect(counts(created.report) == counts(report))
      let container = try ContainerStore.open(path: folder + "/b.sqlite")
      #expect(try differences(migrated, .container(container)) == [])
      let inPlace = try ContainerStore.open(path: folder + "/a.recordpack.sqlite")
      let saved = try archiver(threads: 2).migrate(inPlace: inPlace, with: migrator)
      #expect(counts(saved) == counts(report))
      let stamps: Set<RecordDifference.SystemField> = [.recordChangeTag, .created, .modified]
      #expect(try differences(migrated, .container(inPlace), ignoring: stamps) == [])
    }
  }

  /// Migrates each of some parts of a container alone, and puts the results together.
  private func migrateShards(
    _ container: RandomContainer, _ shard: (ResultRecord) -> Int, count: Int,
    _ migrator: Migrator, in folder: String
  ) throws -> (container: ContainerStore, report: MigrationReport) {
    var parts: [BundleReader] = []
    var report = migrator.emptyReport()
    for number in 0..<count {
      let path = "\(folder)/shard\(number).recordpack"
      try container.write(to: path, frameSize: 2048) { shard($0) == number }
      let bundle = try BundleReader(path: path)
      let output = "\(folder)/migrated\(number).recordpack"
      report.add(
        try archiver(threads: 2).migrate(.bundle(bundle), with: migrator, to: output).report)
      parts.append(try BundleReader(path: output))
    }
    try Archiver().importBundles(parts, creating: folder + "/together.sqlite")
    return (try ContainerStore.open(path: folder + "/together.sqlite"), report)
  }

  @Test(
    "is the same in shards where no record changes its name or zone",
    arguments: SeededGenerator.seeds(3))
  func shards(seed: UInt64) throws {
    try withFolder { folder in
      var random = SeededGenerator(seed &+ 300)
      let container = RandomContainer(of: 150, &random)
      let migrator = try migrator(&random, changingIdentity: false)
      try container.write(to: folder + "/a.recordpack", frameSize: 4096)
      let (_, report) = try archiver(threads: 2).migrate(
        .bundle(BundleReader(path: folder + "/a.recordpack")), with: migrator,
        to: folder + "/b.recordpack")
      let shards = Dictionary(
        uniqueKeysWithValues: container.records.map { ($0.record.recordID, random.below(3)) })
      let together = try migrateShards(
        container, { shards[$0.recordID] ?? 0 }, count: 3, migrator, in: folder)
      let whole = ArchiveSource.bundle(try BundleReader(path: folder + "/b.recordpack"))
      #expect(try differences(whole, .container(together.container)) == [])
      #expect(counts(together.report) == counts(report))
    }
  }

  /// Everything but the examples, which are the first that were met, and the references to records
  /// left behind, of which a shard alone does not know those in other shards.
  private func counts(_ report: MigrationReport) -> MigrationReport {
    var report = report
    report.danglingReferences = 0
    for index in report.steps.indices { report.steps[index].examples = [] }
    return report
  }

  /// A shard alone does not know the new names and zones of records of other shards.
  @Test(
    "in shards alone differs in nothing but references to other shards",
    arguments: SeededGenerator.seeds(3))
  func referencesAcrossShards(seed: UInt64) throws {
    try withFolder { folder in
      var random = SeededGenerator(seed &+ 400)
      let container = RandomContainer(of: 150, &random)
      let migrator = try Migrator([
        Migration(from: "1", to: "2") {
          MigrationStep("Chat", .renameRecords(try RecordExpression("'chat-' + recordName")))
          MigrationStep("Mark", .move(to: ZoneID(zoneName: "Marks")))
          MigrationStep("Message", .encrypt("text"))
        }
      ])
      try container.write(to: folder + "/a.recordpack", frameSize: 4096)
      _ = try archiver(threads: 2).migrate(
        .bundle(BundleReader(path: folder + "/a.recordpack")), with: migrator,
        to: folder + "/b.recordpack")
      var shards: [String: Int] = [:]
      for (_, record) in container.records {
        shards[record.recordID.recordName] = random.below(3)
      }
      let together = try migrateShards(
        container, { shards[$0.recordID.recordName] ?? 0 }, count: 3, migrator, in: folder)
      let whole = try records(.bundle(BundleReader(path: folder + "/b.recordpack")))
      let parts = try records(.container(together.container))
      #expect(Set(whole.keys) == Set(parts.keys))
      var stale = 0
      for (recordID, record) in parts {
        let expected = try #require(whole[recordID])
        let own = shards[Self.oldName(recordID)]
        for (found, wanted) in zip(Self.references(record), Self.references(expected)) {
          #expect(found == wanted || shards[found.recordName] != own)
          if found != wanted { stale += 1 }
        }
        #expect(Self.others(record) == Self.others(expected))
      }
      #expect(stale > 0)
    }
  }

  private func records(_ source: ArchiveSource) throws -> [RecordID: ResultRecord] {
    var records: [RecordID: ResultRecord] = [:]
    try source.forEachRecord { record, _ in records[record.recordID] = record }
    return records
  }

  private static func oldName(_ recordID: RecordID) -> String {
    recordID.recordName.replacingOccurrences(of: "chat-", with: "")
  }

  private static func references(_ record: ResultRecord) -> [RecordID] {
    let values = record.fields.flatMap { $0.value.elements ?? [$0.value] }
    return [record.parent?.recordID].compactMap { $0 }
      + values.compactMap { value in
        guard case .reference(let reference) = value else { return nil }
        return reference.recordID
      }
  }

  private static func others(_ record: ResultRecord) -> [Field] {
    record.fields.filter { field in
      switch field.value {
      case .reference, .referenceList: false
      default: true
      }
    }
  }
}

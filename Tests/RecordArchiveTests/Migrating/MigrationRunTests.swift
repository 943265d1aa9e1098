import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordArchive

@Suite("Migrations of containers and bundles")
struct MigrationRunTests {
  private static let zone = SampleContainer.chats

  private func migrator(_ steps: MigrationStep...) throws -> Migrator {
    try Migrator([Migration(from: "1", to: "2", steps: steps)])
  }

  /// The sample container, and the bundle of it.
  private func sample(_ folder: String) throws -> (ContainerStore, BundleReader) {
    let container = try SampleContainer.make(at: folder + "/a.sqlite")
    try Archiver().export(container, to: folder + "/a.recordpack")
    return (container, try BundleReader(path: folder + "/a.recordpack"))
  }

  /// What makes records change places in every way there is.
  private func moving() throws -> Migrator {
    try migrator(
      MigrationStep("Message", .renameRecords(try RecordExpression("'m' + text(1000 - number)"))),
      MigrationStep(
        "Message", .move(to: ZoneID(zoneName: "Archive"), from: Self.zone),
        where: try RecordExpression("number % 2 == 0")),
      MigrationStep("Chat", .renameType(to: "Room")),
      MigrationStep(
        "Message", .renameType(to: "Letter"), where: try RecordExpression("number % 3 == 0")))
  }

  @Test("records that change places come out in order, and references follow them")
  func moves() throws {
    try withFolder { folder in
      let (container, bundle) = try sample(folder)
      let path = folder + "/b.recordpack"
      var archiver = Archiver()
      archiver.bundleOptions.frameSize = 4096
      let (summary, _) = try archiver.migrate(.bundle(bundle), with: moving(), to: path)
      #expect(summary.records == bundle.recordCount)
      let migrated = try BundleReader(path: path)
      #expect(try migrated.verify().findings.isEmpty)
      let zones = try migrated.zones().map(\.zone.zoneID.zoneName)
      #expect(zones.contains("Archive"))
      _ = try Archiver().migrate(
        .container(container), with: moving(), creating: folder + "/b.sqlite")
      let created = try ContainerStore.open(path: folder + "/b.sqlite")
      #expect(
        try SampleContainer.differences(.bundle(migrated), .container(created)).filter {
          !$0.contains("zoneTombstone")
        } == [])
      _ = try Archiver().migrate(inPlace: container, with: moving())
      var comparison = ArchiveComparison(.container(created), .container(container))
      comparison.recordsOnly = true
      comparison.ignoredSystemFields = [.recordChangeTag, .modified, .created]
      var differences: [String] = []
      _ = try comparison.run { differences.append("\($0)") }
      #expect(differences == [])
      let photo: Asset? = try container.database(.private).record(
        for: RecordID(recordName: "m990", zoneID: ZoneID(zoneName: "Archive")))["photo"]
      let sha256 = try #require(photo?.sha256)
      #expect(try container.assetData(sha256: sha256).count == 300_010)
    }
  }

  @Test("references to renamed records follow everywhere")
  func references() throws {
    try withFolder { folder in
      let (_, bundle) = try sample(folder)
      let path = folder + "/b.recordpack"
      let (_, report) = try Archiver().migrate(
        .bundle(bundle),
        with: migrator(
          MigrationStep("Chat", .renameRecords(try RecordExpression("'room-' + recordName")))),
        to: path)
      #expect(report.rewrittenReferences == 2 * 39)
      try BundleReader(path: path).forEachRecord { record, database in
        guard record.recordType == "Message" else { return }
        #expect(record.parent?.recordID.recordName == "room-chat")
        let related: [Reference]? = record["relatedRecords"]
        #expect(related?.map(\.recordID.recordName) == ["room-chat"])
      }
    }
  }

  @Test("two records that would get one name end the migration, and nothing is written")
  func collisions() throws {
    try withFolder { folder in
      let (container, bundle) = try sample(folder)
      let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/a.recordpack"))
      for name in ["'same'", "'chat'"] {
        let migrator = try migrator(
          MigrationStep(
            "Message", .renameRecords(try RecordExpression(name)),
            where: try RecordExpression(name == "'chat'" ? "number == 3" : "number < 9")))
        for attempt in 0..<3 {
          let error = #expect(throws: MigrationError.self) {
            switch attempt {
            case 0:
              _ = try Archiver().migrate(
                .bundle(bundle), with: migrator, to: folder + "/b.recordpack")
            case 1:
              _ = try Archiver().migrate(
                .bundle(bundle), with: migrator, creating: folder + "/b.sqlite")
            default: _ = try Archiver().migrate(inPlace: container, with: migrator)
            }
          }
          #expect("\(try #require(error))".contains("would both be"))
        }
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.hasPrefix("b")
      }
      #expect(left == [])
      try Archiver().export(container, to: folder + "/after.recordpack")
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/after.recordpack")) == before)
    }
  }

  @Test("a misfit names the record, and leaves everything as it was")
  func misfit() throws {
    try withFolder { folder in
      let (container, bundle) = try sample(folder)
      let migrator = try migrator(
        MigrationStep("Message", .convert("text", Conversion(to: .int64))))
      let error = #expect(throws: MigrationError.self) {
        try Archiver().migrate(inPlace: container, with: migrator)
      }
      #expect("\(try #require(error))".contains("Message 'Chats:message-0', field 'text'"))
      #expect(
        try SampleContainer.differences(.bundle(bundle), .container(container)) == [])
      let report = try Archiver().dryRun(.bundle(bundle), with: migrator)
      #expect(report.steps[0].failed == 39 && report.steps[0].examples.count == 5)
    }
  }

  @Test("assets that no record holds any longer do not come along")
  func assets() throws {
    try withFolder { folder in
      let (_, bundle) = try sample(folder)
      let path = folder + "/b.recordpack"
      _ = try Archiver().migrate(
        .bundle(bundle),
        with: migrator(
          MigrationStep("Message", .dropField("photo"), where: try RecordExpression("number > 5"))),
        to: path)
      let migrated = try BundleReader(path: path)
      #expect(migrated.sections.reduce(0) { $0 + $1.assets } == 1)
      #expect(try migrated.verify().findings.isEmpty)
    }
  }

  @Test("what is on the disk in the middle of a migration in place is the container as it was")
  func killed() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: folder + "/a.sqlite", messages: 600)
      try Archiver().export(container, to: folder + "/before.recordpack")
      var copies: [String] = []
      var archiver = Archiver()
      let lock = NSLock()
      nonisolated(unsafe) var made: [String] = []
      nonisolated(unsafe) var calls = 0
      archiver.progress = { _ in
        try lock.withLock {
          // At first often, then ever more seldom: each copy is a whole container.
          calls += 1
          guard calls & (calls - 1) == 0 else { return }
          let name = "copy\(made.count).sqlite"
          for ending in ["", "-wal"] {
            let source = folder + "/a.sqlite" + ending
            guard FileManager.default.fileExists(atPath: source) else { continue }
            try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/\(name)\(ending)")
          }
          made.append(name)
        }
      }
      let migrator = try migrator(MigrationStep("Message", .renameField("text", to: "body")))
      _ = try archiver.migrate(inPlace: container, with: migrator)
      copies = made
      #expect(!copies.isEmpty)
      for copy in copies {
        let opened = try ContainerStore.open(path: "\(folder)/\(copy)")
        #expect(
          try SampleContainer.differences(
            .bundle(BundleReader(path: folder + "/before.recordpack")), .container(opened)) == [])
      }
    }
  }

  @Test("subscriptions and traces of deleted records get the new names too")
  func others() throws {
    try withFolder { folder in
      let (_, bundle) = try sample(folder)
      let path = folder + "/b.recordpack"
      _ = try Archiver().migrate(
        .bundle(bundle),
        with: migrator(
          MigrationStep("Message", .renameField("text", to: "body")),
          MigrationStep("Message", .renameType(to: "Letter"))), to: path)
      var types: [String?] = []
      try BundleReader(path: path).forEachItem(of: [.subscription, .tombstone]) { item in
        switch item {
        case .subscription(let subscription, _):
          guard case .query(let query, _, _, _) = subscription.kind else { return }
          types.append(query.recordType)
          #expect(query.filters.map(\.fieldName) == ["body"])
        case .tombstone(let tombstone, _): types.append(tombstone.recordType)
        default: break
        }
      }
      #expect(types == ["Letter", "Letter"])
    }
  }
}

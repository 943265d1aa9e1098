import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import RecordSchema
import StoreTestSupport
import Testing

@testable import RecordArchive

@Suite("Imports of bundles that are migrated on the way")
struct ImportMigratingTests {
  private static let zone = SampleContainer.chats

  private func migration(_ from: String, _ to: String, _ steps: MigrationStep...) -> Migration {
    Migration(from: from, to: to, steps: steps)
  }

  /// Chats get other names.
  private func renaming(_ from: String, _ to: String, _ prefix: String = "room-") throws
    -> Migration
  {
    migration(
      from, to,
      MigrationStep("Chat", .renameRecords(try RecordExpression("'\(prefix)' + recordName"))))
  }

  /// A bundle of some types of the sample container.
  private func bundle(
    _ folder: String, _ name: String, types: NameSet? = nil, version: String? = nil,
    schema: String? = nil
  ) throws -> BundleReader {
    let path = "\(folder)/\(name).recordpack"
    let container = try ContainerStore.open(path: "\(folder)/source.sqlite")
    defer { _ = try? container.close() }
    var archiver = Archiver()
    archiver.filter = RecordFilter(recordTypes: types)
    let plain = "\(folder)/\(name)-plain.recordpack"
    try archiver.export(container, to: plain)
    let reader = try BundleReader(path: plain)
    var info = reader.container
    info.schemaVersion = version
    info.schema = schema
    let writer = try BundleWriter(path: path, container: info)
    try reader.forEachItem(of: [.zone]) {
      if case .zone(let zone, let database) = $0 { try writer.write(zone, database: database) }
    }
    try reader.forEachRecord { try writer.write($0, database: $1) }
    try reader.forEachItem(of: [.asset]) {
      guard case .asset(let chunk) = $0 else { return }
      try chunk.data.withUnsafeBytes {
        try writer.writeAssetChunk(
          sha256: chunk.sha256, assetSize: chunk.assetSize, offset: chunk.offset, bytes: $0)
      }
    }
    _ = try writer.finish()
    return try BundleReader(path: path)
  }

  private func withSource<R>(_ body: (String) throws -> R) throws -> R {
    try withFolder { folder in
      try SampleContainer.make(at: folder + "/source.sqlite").close()
      return try body(folder)
    }
  }

  private func chatNames(of container: ContainerStore) throws -> Set<String> {
    var names: Set<String> = []
    try ArchiveSource.container(container).forEachRecord { record, _ in
      guard record.recordType == "Message" else { return }
      if let parent = record.parent { names.insert(parent.recordID.recordName) }
      let related: [Reference]? = record["relatedRecords"]
      names.formUnion(related?.map(\.recordID.recordName) ?? [])
    }
    return names
  }

  @Test("references follow records that another bundle brings; parts give what the whole gives")
  func references() throws {
    try withSource { folder in
      let migrator = try Migrator([try renaming("1", "2"), try renaming("2", "3", "x-")])
      let whole = try bundle(folder, "whole")
      let parts = try [["Message"], ["Chat"], ["Feedback"]].map {
        try bundle(folder, "part-\($0[0])", types: NameSet($0))
      }
      try Archiver().importBundles(
        [.init(whole, with: migrator)], creating: folder + "/whole.sqlite")
      try Archiver().importBundles(
        parts.map { .init($0, with: migrator) }, creating: folder + "/parts.sqlite")
      let (a, b) = (
        try ContainerStore.open(path: folder + "/whole.sqlite"),
        try ContainerStore.open(path: folder + "/parts.sqlite")
      )
      #expect(try chatNames(of: b) == ["x-room-chat"])
      #expect(try SampleContainer.differences(.container(a), .container(b)) == [])
    }
  }

  @Test("bundles of several versions take a migration together that both must take")
  func versions() throws {
    try withSource { folder in
      let first = migration("1", "2", MigrationStep("Chat", .renameField("title", to: "name")))
      let last = try renaming("2", "3")
      let chats = try bundle(folder, "chats", types: ["Chat"], version: "1")
      let messages = try bundle(folder, "messages", types: ["Message"], version: "2")
      let done = try bundle(folder, "done", types: ["Feedback"], version: "3")
      let (imported, migrations) = try Archiver().importBundles(
        [
          .init(messages, with: try Migrator([last])),
          .init(chats, with: try Migrator([first, last])), .init(done, with: nil),
        ], creating: folder + "/all.sqlite")
      #expect(imported.added == 41)
      #expect(migrations.map { $0?.records } == [39, 1, nil])
      #expect(migrations[0]?.rewrittenReferences == 78)
      let container = try ContainerStore.open(path: folder + "/all.sqlite")
      #expect(try chatNames(of: container) == ["room-chat"])
      #expect(try container.info().schemaVersion == "3")
    }
  }

  @Test("the files of a split bundle are one bundle, beside others, in any order")
  func shards() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: folder + "/source.sqlite", messages: 400)
      var archiver = Archiver()
      try archiver.export(container, to: folder + "/whole.recordpack")
      archiver.bundleOptions.splitSize = 1 << 16
      try archiver.export(container, to: folder + "/part.recordpack")
      try container.close()
      let parts = try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasPrefix("part") }.sorted().map { folder + "/" + $0 }
      #expect(parts.count > 2)
      let chats = try bundle(folder, "chats", types: ["Chat"])
      let bundles = try BundleReader.open(parts.reversed() + chats.fileNames)
      #expect(bundles.count == 2)
      let migrator = try Migrator([try renaming("1", "2")])
      let (imported, _) = try Archiver().importBundles(
        bundles.map { .init($0, with: migrator) }, creating: folder + "/parts.sqlite")
      #expect(imported.identical == 1)
      let whole = try BundleReader(path: folder + "/whole.recordpack")
      try Archiver().importBundles([.init(whole, with: migrator)], creating: folder + "/a.sqlite")
      #expect(
        try SampleContainer.differences(
          .container(try ContainerStore.open(path: folder + "/parts.sqlite")),
          .container(try ContainerStore.open(path: folder + "/a.sqlite"))) == [])
    }
  }

  @Test("references follow records that the filter leaves out")
  func filtered() throws {
    try withSource { folder in
      var archiver = Archiver()
      archiver.filter = RecordFilter(recordTypes: ["Message"])
      let migrator = try Migrator([
        migration(
          "1", "2",
          MigrationStep("Chat", .renameRecords(try RecordExpression("'room-' + recordName"))),
          MigrationStep("Message", .renameType(to: "Letter")))
      ])
      let (imported, _) = try archiver.importBundles(
        [.init(try bundle(folder, "whole"), with: migrator)], creating: folder + "/a.sqlite")
      #expect(imported.added == 39)
      let container = try ContainerStore.open(path: folder + "/a.sqlite")
      var parents: Set<String> = []
      try ArchiveSource.container(container).forEachRecord { record, _ in
        #expect(record.recordType == "Letter", "the filter speaks of the source's records")
        parents.insert(record.parent?.recordID.recordName ?? "")
      }
      #expect(parents == ["room-chat"])
    }
  }

  @Test("it is all or nothing, also where the last bundle fails")
  func atomic() throws {
    try withSource { folder in
      let good = try bundle(folder, "good", types: ["Chat"])
      let bad = try bundle(folder, "bad", types: ["Message"])
      let migrator = try Migrator([
        migration("1", "2", MigrationStep("Message", .convert("text", Conversion(to: .int64))))
      ])
      let sources: [Archiver.MigratedBundle] = [
        .init(good, with: migrator), .init(bad, with: migrator),
      ]
      #expect(throws: MigrationError.self) {
        try Archiver().importBundles(sources, creating: folder + "/new.sqlite")
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "/new.sqlite"))
      let container = try ContainerStore.open(path: folder + "/there.sqlite", mode: .create)
      #expect(throws: MigrationError.self) {
        try Archiver().importBundles(sources, into: container)
      }
      var count = 0
      try ArchiveSource.container(container).forEachRecord { _, _ in count += 1 }
      #expect(count == 0)
      #expect(try container.info() == ContainerInfo())
    }
  }

  @Test("bundles that would come out in two versions are refused")
  func mixture() throws {
    try withSource { folder in
      let a = try bundle(folder, "a", version: "1")
      let b = try bundle(folder, "b", version: "3")
      let migrator = try Migrator([try renaming("1", "2")])
      let error = #expect(throws: MigrationError.self) {
        try Archiver().importBundles(
          [.init(a, with: migrator), .init(b, with: nil)], creating: folder + "/x.sqlite")
      }
      let text = "\(try #require(error))"
      #expect(text.contains("'2'") && text.contains("'3'"), "\(text)")
      #expect(throws: ArchiveError.self) {
        try Archiver().importBundles([Archiver.MigratedBundle](), creating: folder + "/x.sqlite")
      }
    }
  }

  @Test(
    "a record that is there already is a matter of policy",
    arguments: [Archiver.ConflictPolicy.fail, .keep, .replace])
  func conflicts(_ policy: Archiver.ConflictPolicy) throws {
    try withSource { folder in
      let path = folder + "/there.sqlite"
      let source = try bundle(folder, "chats", types: ["Chat"])
      let migrator = try Migrator([try renaming("1", "2")])
      let container = try ContainerStore.open(path: path, mode: .create)
      try container.database(.private).save([RecordZone(zoneID: Self.zone)])
      var draft = DraftRecord(
        recordType: "Chat", recordID: RecordID(recordName: "room-chat", zoneID: Self.zone))
      draft["title"] = "mine"
      _ = try container.database(.private).save([draft])
      var archiver = Archiver()
      archiver.conflictPolicy = policy
      func title() throws -> String? {
        let id = RecordID(recordName: "room-chat", zoneID: Self.zone)
        return try container.database(.private).record(for: id)["title"]
      }
      switch policy {
      case .fail:
        #expect(throws: ArchiveError.self) {
          try archiver.importBundles([.init(source, with: migrator)], into: container)
        }
        #expect(try title() == "mine")
      case .keep:
        let (imported, _) = try archiver.importBundles(
          [.init(source, with: migrator)], into: container)
        #expect(imported.kept == 1)
        #expect(try title() == "mine")
      case .replace:
        let (imported, _) = try archiver.importBundles(
          [.init(source, with: migrator)], into: container)
        #expect(imported.replaced == 1)
        #expect(try title() == "A chat")
      }
    }
  }

  @Test(
    "two records of one bundle that get one name are refused under any policy",
    arguments: [Archiver.ConflictPolicy.fail, .keep, .replace],
    [
      "'same'", "if(number == 2, 'message-3', recordName)",
      "if(number == 3, 'message-2', recordName)",
    ])
  func collisions(_ policy: Archiver.ConflictPolicy, name: String) throws {
    try withSource { folder in
      let source = try bundle(folder, "messages", types: ["Message"])
      let migrator = try Migrator([
        migration(
          "1", "2", MigrationStep("Message", .renameRecords(try RecordExpression(name))))
      ])
      var archiver = Archiver()
      archiver.conflictPolicy = policy
      let error = #expect(throws: MigrationError.self) {
        try archiver.importBundles([.init(source, with: migrator)], creating: folder + "/a.sqlite")
      }
      #expect("\(try #require(error))".contains("two records would both be"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/a.sqlite"))
      let container = try ContainerStore.open(path: folder + "/b.sqlite", mode: .create)
      #expect(throws: MigrationError.self) {
        try archiver.importBundles([.init(source, with: migrator)], into: container)
      }
    }
  }

  @Test("one record that would get two names in two bundles is refused")
  func contradiction() throws {
    try withSource { folder in
      let first = try bundle(folder, "first", types: ["Chat"])
      do {
        let container = try ContainerStore.open(path: folder + "/source.sqlite")
        let id = RecordID(recordName: "chat", zoneID: Self.zone)
        var draft = DraftRecord(try container.database(.private).record(for: id))
        draft["title"] = "Another"
        _ = try container.database(.private).save([draft])
        try container.close()
      }
      let second = try bundle(folder, "second", types: ["Chat"])
      let migrator = try Migrator([
        migration(
          "1", "2", MigrationStep("Chat", .renameRecords(try RecordExpression("lower(title)"))))
      ])
      let error = #expect(throws: MigrationError.self) {
        try Archiver().importBundles(
          [first, second].map { .init($0, with: migrator) }, creating: folder + "/a.sqlite")
      }
      #expect("\(try #require(error))".contains("another'"))
    }
  }

  @Test("results are validated: against the target's schema, or the one that is named")
  func validation() throws {
    try withSource { folder in
      let grant = "GRANT READ TO \"_world\""
      func schema(_ chat: String) throws -> CloudSchema {
        try SchemaDocument(
          parsing: "DEFINE SCHEMA RECORD TYPE Chat (\(chat), \(grant));"
        ).validSchema()
      }
      let source = try bundle(folder, "chats", types: ["Chat"], version: "1")
      let steps = [MigrationStep("Chat", .renameField("title", to: "name"))]
      let migrator = try Migrator([
        Migration(from: "1", to: "2", steps: steps, toSchema: try schema("name STRING"))
      ])
      func run(_ validation: Archiver.Validation, _ destination: ArchiveDestination) throws {
        try Archiver().run(
          from: [.bundle(source)], through: [.migrate(with: migrator), .validate(validation)],
          into: destination)
      }
      try run(.init(), .newContainer(path: folder + "/a.sqlite"))
      let older = SchemaDocument(
        parsing: "DEFINE SCHEMA RECORD TYPE Chat (title STRING, \(grant));")
      let error = #expect(throws: ArchiveError.self) {
        try run(.init(schema: older), .newContainer(path: folder + "/b.sqlite"))
      }
      guard case .validationFailed(let report)? = error else {
        Issue.record("no report: \(String(describing: error))")
        return
      }
      #expect(report.findings.contains { $0.rule.rawValue == "RECORD_FIELD_UNKNOWN" })
      #expect(!FileManager.default.fileExists(atPath: folder + "/b.sqlite"))
      let path = folder + "/b.recordpack"
      #expect(throws: ArchiveError.self) {
        try run(.init(schema: older), .bundle(path: path))
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      try run(.init(), .bundle(path: path))
      let (migrated, _) = try Archiver().migrate(
        .bundle(source), with: migrator, to: folder + "/c.recordpack")
      #expect(try BundleReader(path: path).contentHash == migrated.contentHash)
      // Before the migration, the source is validated.
      let before = [ArchiveStage.validate(.init(schema: older)), .migrate(with: migrator)]
      try Archiver().run(
        from: [.bundle(source)], through: before, into: .bundle(path: folder + "/d.recordpack"))
    }
  }
}

import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordArchive

@Suite("Tact's five versions")
struct TactChainTests {
  private func migrator(_ from: String, _ to: String, reverse: Bool = false) throws -> Migrator {
    try Migrator(
      MigrationDirectory(path: TactGenerator.folder).chain(from: from, to: to, reverse: reverse))
  }

  @Test("the folder knows its versions, the newest, and the shortest way")
  func directory() throws {
    let directory = try MigrationDirectory(path: TactGenerator.folder)
    #expect(directory.versions == ["v1", "v2", "v3", "v4", "v5"])
    #expect(try directory.newestVersion() == "v5")
    #expect(try directory.chain(from: "1", to: "v5").map(\.to) == ["v2", "v3", "v4", "v5"])
    let error = #expect(throws: MigrationError.self) { try directory.chain(from: "v7", to: "v5") }
    #expect("\(try #require(error))".contains("it has v1, v2, v3, v4, v5"))
  }

  @Test("v1 becomes v5, and every record has the schema of v5")
  func forward() throws {
    try withFolder { folder in
      let (old, new) = (folder + "/old.recordpack", folder + "/new.recordpack")
      try TactGenerator.writeVersion1(to: old, chats: 12, messagesPerChat: 30)
      let (summary, report) = try Archiver().migrate(
        .bundle(BundleReader(path: old)), with: migrator("v1", "v5"), to: new)
      #expect(summary.records == 12 + 360 + 4 + 12)
      #expect(report.records == summary.records && report.results == summary.records)
      #expect(report.steps.first { $0.title == "convert Chat.messageCount" }?.kept == 2)
      let bundle = try BundleReader(path: new)
      #expect(try bundle.verify().findings.isEmpty)
      #expect(bundle.container.schemaVersion == "v5")
      let zones = Set(bundle.sections.compactMap { $0.zoneID?.zoneName })
      #expect(zones == ["Chats", "Private"])
      var message: ResultRecord?
      try bundle.forEachRecord { record, _ in
        if record.recordID.recordName == "message-000001-000003" { message = record }
      }
      let found = try #require(message)
      let text: String? = found.encryptedValues["text"]
      #expect(text?.isEmpty == false)
      #expect(found.parent?.recordID.recordName == "chat-000001")
      let photo: Asset? = found["photo"]
      #expect(photo?.sha256?.count == 64)
      let related: [Reference]? = found["relatedRecords"]
      #expect(related?.count == 1)
    }
  }

  @Test("to v4 and back is the same bundle, but for what was kept aside")
  func backAndForth() throws {
    try withFolder { folder in
      let paths = ["a", "b", "c"].map { "\(folder)/\($0).recordpack" }
      try TactGenerator.writeVersion1(to: paths[0], chats: 9, messagesPerChat: 21)
      _ = try Archiver().migrate(
        .bundle(BundleReader(path: paths[0])), with: migrator("v1", "v5"), to: paths[1])
      let (_, report) = try Archiver().migrate(
        .bundle(BundleReader(path: paths[1])), with: migrator("v5", "v1", reverse: true),
        to: paths[2])
      #expect(!report.hasFailures)
      let differences = try SampleContainer.differences(
        .bundle(BundleReader(path: paths[0])), .bundle(BundleReader(path: paths[2])))
      // The zone stays, and so do the words in which the schema is printed.
      #expect(differences.filter { !$0.contains("Private") && !$0.hasPrefix("info") } == [])
      #expect(differences.count <= 2)
    }
  }

  @Test("a container in its place, a new container and a bundle come to the same records")
  func sameEverywhere() throws {
    try withFolder { folder in
      let old = folder + "/old.recordpack"
      try TactGenerator.writeVersion1(to: old, chats: 10, messagesPerChat: 25)
      let bundle = try BundleReader(path: old)
      let migrator = try migrator("v1", "v5")
      _ = try Archiver().migrate(.bundle(bundle), with: migrator, to: folder + "/new.recordpack")
      let (imported, _) = try Archiver().migrate(
        .bundle(bundle), with: migrator, creating: folder + "/new.sqlite")
      #expect(imported.records == bundle.recordCount)
      let container = try ContainerStore.open(path: folder + "/new.sqlite")
      #expect(
        try SampleContainer.differences(
          .bundle(BundleReader(path: folder + "/new.recordpack")), .container(container)) == [])

      try Archiver().importBundle(bundle, creating: folder + "/place.sqlite")
      let inPlace = try ContainerStore.open(path: folder + "/place.sqlite")
      let before = try inPlace.snapshot { try $0.lastChange(in: .private) }
      let report = try Archiver().migrate(inPlace: inPlace, with: migrator)
      #expect(report.results == bundle.recordCount)
      #expect(try inPlace.info().schemaVersion == "v5")
      #expect(try inPlace.snapshot { try $0.lastChange(in: .private) } > before)
      var comparison = ArchiveComparison(.container(container), .container(inPlace))
      comparison.recordsOnly = true
      comparison.ignoredSystemFields = [.recordChangeTag, .modified, .created]
      var differences: [String] = []
      _ = try comparison.run { differences.append("\($0)") }
      #expect(differences == [])
      let tombstones = try inPlace.database(.private).tombstones().map(\.recordID.recordName)
      #expect(tombstones.count == 1 + 10 + 4, "what moved to another zone leaves a trace")
    }
  }

  @Test("a dry run counts without writing, and tells of each step")
  func dryRun() throws {
    try withFolder { folder in
      let old = folder + "/old.recordpack"
      try TactGenerator.writeVersion1(to: old, chats: 10, messagesPerChat: 25)
      let before = try FileManager.default.contentsOfDirectory(atPath: folder)
      let report = try Archiver().dryRun(
        .bundle(BundleReader(path: old)), with: migrator("v1", "v5"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == before)
      #expect(report.results == report.records)
      let encrypt = try #require(report.steps.first { $0.title == "encrypt Message.text" })
      #expect(encrypt.changed == 250)
      let count = try #require(report.steps.first { $0.title == "convert Chat.messageCount" })
      #expect(count.changed == 8 && count.kept == 2)
      #expect(count.examples.first?.contains("a string that is not a 64-bit integer") == true)
    }
  }

  @Test("shards migrated one by one are the whole, migrated", arguments: [1, 3])
  func shards(threads: Int) throws {
    try withFolder { folder in
      let old = folder + "/old.recordpack"
      try TactGenerator.writeVersion1(to: old, chats: 12, messagesPerChat: 20)
      let migrator = try migrator("v1", "v5")
      var archiver = Archiver()
      archiver.threads = threads
      archiver.bundleOptions.frameSize = 4096
      let bundle = try BundleReader(path: old)
      _ = try archiver.migrate(.bundle(bundle), with: migrator, to: folder + "/whole.recordpack")
      var parts: [BundleReader] = []
      for type in ["Chat", "Message", "PrivateName", "ReadMarker"] {
        archiver.filter.recordTypes = [type]
        let path = "\(folder)/\(type).recordpack"
        _ = try archiver.migrate(.bundle(bundle), with: migrator, to: path)
        parts.append(try BundleReader(path: path))
      }
      var merger = Archiver()
      merger.conflictPolicy = .replace
      try merger.importBundles(parts, creating: folder + "/parts.sqlite")
      var comparison = ArchiveComparison(
        .bundle(try BundleReader(path: folder + "/whole.recordpack")),
        .container(try ContainerStore.open(path: folder + "/parts.sqlite")))
      comparison.recordsOnly = true
      #expect(try comparison.run { _ in }.isEmpty)
    }
  }

  @Test("a bundle of another version is refused, and nothing is written")
  func wrongSource() throws {
    try withFolder { folder in
      let old = folder + "/old.recordpack"
      try TactGenerator.writeVersion1(to: old, chats: 2, messagesPerChat: 2)
      let error = #expect(throws: MigrationError.self) {
        try Archiver().migrate(
          .bundle(BundleReader(path: old)), with: migrator("v3", "v5"),
          to: folder + "/new.recordpack")
      }
      #expect("\(try #require(error))".contains("starts from 'v3'"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/new.recordpack"))
    }
  }
}

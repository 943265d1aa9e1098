import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import RecordSchema
import Testing

@testable import RecordArchive

@Suite("Records that are left behind, or should not be there")
struct LeftBehindTests {
  private static let zone = ZoneID(zoneName: "Chats")

  private func record(_ type: String, _ name: String, _ fields: [Field], parent: String? = nil)
    -> ResultRecord
  {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: Self.zone), recordType: type,
        recordChangeTag: "1", parent: parent.map(reference)), fields: fields)
  }

  private func reference(_ name: String) -> Reference {
    Reference(recordID: RecordID(recordName: name, zoneID: Self.zone))
  }

  /// Three chats with two messages each; each message refers to its chat three times.
  private func write(to path: String) throws {
    let writer = try BundleWriter(path: path, container: ContainerInfo(schemaVersion: "1"))
    try writer.write(RecordZone(zoneID: Self.zone), database: .private)
    for name in ["a", "b", "c"] {
      let title = Field(name: "title", value: .string(name == "b" ? "old" : "new"))
      try writer.write(record("Chat", name, [title]), database: .private)
    }
    for name in ["a1", "a2", "b1", "b2", "c1", "c2"] {
      let chat = String(name.prefix(1))
      try writer.write(
        record(
          "Message", name,
          [
            Field(name: "chat", value: .reference(reference(chat))),
            Field(
              name: "relatedRecords",
              value: .referenceList([reference(chat), reference("\(chat)1")])),
          ], parent: chat), database: .private)
    }
    _ = try writer.finish()
  }

  private func dangling(_ step: MigrationStep, in folder: String) throws -> Set<Int> {
    Set(try reports(of: [step], in: folder).map(\.danglingReferences))
  }

  /// The reports of each way to migrate.
  private func reports(of steps: [MigrationStep], in folder: String) throws -> [MigrationReport] {
    let path = folder + "/a.recordpack"
    let bundle = try BundleReader(path: path)
    let source = ArchiveSource.bundle(bundle)
    let migrator = try Migrator([Migration(from: "1", to: "2", steps: steps)])
    let archiver = Archiver()
    let inPlace = folder + "/c.sqlite"
    try archiver.importBundle(bundle, creating: inPlace)
    let container = try ContainerStore.open(path: inPlace)
    return [
      try archiver.dryRun(source, with: migrator),
      try archiver.migrate(source, with: migrator, to: folder + "/b.recordpack").report,
      try archiver.migrate(source, with: migrator, creating: folder + "/b.sqlite").report,
      try archiver.migrate(inPlace: container, with: migrator),
    ]
  }

  @Test("are counted by the references that lead to them")
  func counted() throws {
    let old = try RecordExpression("title == 'old'")
    try withFolder { folder in
      try write(to: folder + "/a.recordpack")
      // Two messages, with a field, an element of a list and a parent each.
      #expect(try dangling(MigrationStep("Chat", .leaveBehind, where: old), in: folder) == [6])
    }
    try withFolder { folder in
      try write(to: folder + "/a.recordpack")
      #expect(try dangling(MigrationStep("Chat", .deleteType), in: folder) == [18])
    }
    try withFolder { folder in
      try write(to: folder + "/a.recordpack")
      // The messages leave with each other: nobody else refers to them.
      #expect(try dangling(MigrationStep("Message", .deleteType), in: folder) == [0])
    }
    try withFolder { folder in
      try write(to: folder + "/a.recordpack")
      let step = MigrationStep(
        "Chat", .convert("title", Conversion(to: .int64, from: .string)), misfit: .skip)
      #expect(try dangling(step, in: folder) == [18])
    }
  }

  @Test("are named where relationships of Core Data lead to them")
  func relationships() throws {
    func write(_ path: String) throws {
      let writer = try BundleWriter(path: path, container: ContainerInfo(schemaVersion: "1"))
      try writer.write(RecordZone(zoneID: Self.zone), database: .private)
      func write(_ type: String, _ name: String, _ texts: KeyValuePairs<String, String>) throws {
        let fields = texts.map { Field(name: $0.key, value: .string($0.value)) }
        try writer.write(record(type, name, fields), database: .private)
      }
      try write(
        "CDMR", "L",
        [
          "CD_entityNames": "Folder:Tag", "CD_recordNames": "B:T",
          "CD_relationships": "tags:folders",
        ])
      try write("CD_Folder", "A", ["CD_entityName": "Folder", "CD_name": "new"])
      try write("CD_Folder", "B", ["CD_entityName": "Folder", "CD_name": "old"])
      try write("CD_Note", "N1", ["CD_entityName": "Note", "CD_folder": "A"])
      try write("CD_Note", "N2", ["CD_entityName": "Note", "CD_folder": "B"])
      try write("CD_Tag", "T", ["CD_entityName": "Tag"])
      _ = try writer.finish()
    }
    let leave = MigrationStep(
      "CD_Folder", .leaveBehind, where: try RecordExpression("CD_name == 'old'"))
    try withFolder { folder in
      try write(folder + "/a.recordpack")
      for report in try reports(of: [leave], in: folder) {
        #expect(
          report.danglingRelationships.examples == [
            "CDMR 'Chats:L': 'CD_recordNames' leads to 'Chats:B'",
            "CD_Note 'Chats:N2': 'CD_folder' leads to 'Chats:B'",
          ])
        #expect(report.danglingRelationships.count == 2)
      }
    }
    try withFolder { folder in
      try write(folder + "/a.recordpack")
      let drop = MigrationStep("CD_Note", .dropField("CD_folder"))
      let links = MigrationStep("CDMR", .deleteType)
      for report in try reports(of: [leave, drop, links], in: folder) {
        #expect(report.danglingRelationships.count == 0)
      }
    }
  }

  @Test("are found by the schema the migrations begin with, and nothing is written")
  func source() throws {
    let text = """
      DEFINE SCHEMA
          RECORD TYPE Chat ( title STRING );
          RECORD TYPE Message ( chat REFERENCE );
      """
    let schema = try SchemaDocument(parsing: text, name: "v1.ckdb").validSchema()
    let migration = Migration(from: "1", to: "2", steps: [], fromSchema: schema)
    let migrator = try Migrator([migration])
    try withFolder { folder in
      try write(to: folder + "/a.recordpack")
      let source = ArchiveSource.bundle(try BundleReader(path: folder + "/a.recordpack"))
      let report = try Archiver().dryRun(source, with: migrator)
      #expect(report.sourceMismatches.count == 6 && report.hasFailures)
      let example = try #require(report.sourceMismatches.examples.first)
      #expect(example.contains("Message 'Chats:a1'") && example.contains("'relatedRecords'"))
      #expect {
        try Archiver().migrate(source, with: migrator, to: folder + "/b.recordpack")
      } throws: { error in
        "\(error)".contains("Message 'Chats:a1' does not match the schema of version '1'")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.recordpack"])
    }
  }

  @Test("leave nothing of a bundle in memory, nor its file open")
  func released() throws {
    try withFolder { folder in
      try write(to: folder + "/a.recordpack")
      weak var known: BundleReader?
      do {
        let bundle = try BundleReader(path: folder + "/a.recordpack")
        known = bundle
        let step = MigrationStep("Chat", .renameField("title", to: "name"))
        let migrator = try Migrator([Migration(from: "1", to: "2", steps: [step])])
        _ = try Archiver().migrate(
          .bundle(bundle), with: migrator, creating: folder + "/b.sqlite")
        try Archiver().importBundle(bundle, creating: folder + "/c.sqlite")
        let container = try ContainerStore.open(path: folder + "/c.sqlite")
        _ = try Archiver().dryRun(.container(container), with: migrator)
      }
      #expect(known == nil)
    }
  }
}

import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema
import Testing

@testable import RecordArchive

@Suite("Any source, through any stages, into any destination")
struct RunTests {
  /// The same content as a container, a bundle and responses.
  private func sources(in folder: String) throws -> [ArchiveSource] {
    let path = folder + "/plain.sqlite"
    let container = try MockContainer.open(
      path: path, mode: .create, now: { Date(timeIntervalSinceReferenceDate: 700_000_000) })
    let zone = ZoneID(zoneName: "Chats")
    try container.database(.private).save([RecordZone(zoneID: zone)])
    try container.database(.private).save(
      (0..<60).map { number in
        var draft = DraftRecord(
          recordType: number % 3 == 0 ? "Chat" : "Message",
          recordID: RecordID(recordName: "r\(number)", zoneID: zone))
        draft["title"] = "title \(number)"
        return draft
      })
    try Archiver().export(container, to: folder + "/plain.recordpack")
    var text = Data()
    try Archiver().exportResponse(.container(container)) { text += $0 }
    let response = text
    return [
      .container(container), .bundle(try BundleReader(path: folder + "/plain.recordpack")),
      .responses(ResponseSet([ResponseSource(name: "page") { response }])),
    ]
  }

  private func result(
    _ sources: [ArchiveSource], _ stages: [ArchiveStage], _ archiver: Archiver, in folder: String,
    _ destination: (String) -> ArchiveDestination
  ) throws -> ArchiveSource {
    let path = "\(folder)/\(UUID().uuidString)"
    let result = try archiver.run(from: sources, through: stages, into: destination(path))
    switch destination(path) {
    case .bundle:
      #expect(result.bundle.files.count == 1)
      return try .open([path])
    case .response(let dialect, _, _):
      #expect(result.response.records > 0)
      return .responses(ResponseSet(try ResponseSource.sources(at: path, dialect: dialect)))
    case .newContainer: return try .open([path])
    case .container(let container): return .container(container)
    case .responseText: throw CocoaError(.featureUnsupported)
    }
  }

  private func destinations() throws -> [(String) -> ArchiveDestination] {
    let memory = try MockContainer.inMemory()
    return [
      { .bundle(path: $0) }, { .response(.webServices, path: $0) }, { .newContainer(path: $0) },
      { _ in .container(memory) },
    ]
  }

  private func records(_ source: ArchiveSource) throws -> [ResultRecord] {
    var found: [ResultRecord] = []
    try source.forEachRecord { record, _ in found.append(record) }
    return found
  }

  @Test("gives the same records, filtered, migrated and validated")
  func all() throws {
    try withFolder { folder in
      let sources = try sources(in: folder)
      var archiver = Archiver()
      archiver.filter = RecordFilter(recordTypes: ["Message"])
      let grants = "GRANT READ TO \"_world\""
      let before = SchemaDocument(
        parsing: "DEFINE SCHEMA RECORD TYPE Message (title STRING, \(grants));")
      let after = SchemaDocument(
        parsing: "DEFINE SCHEMA RECORD TYPE Letter (name STRING, \(grants));")
      let migrator = try Migrator([
        Migration(
          from: "1", to: "2",
          steps: [
            MigrationStep("Message", .renameField("title", to: "name")),
            MigrationStep("Message", .renameType(to: "Letter")),
          ])
      ])
      let plain = try records(sources[0]).filter { $0.recordType == "Message" }
      let migrated = try plain.flatMap { try migrator.migrate($0, in: .private) }
      #expect(plain.count == 40 && migrated.count == 40)
      let ways: [(stages: [ArchiveStage], expected: [ResultRecord])] = [
        ([], plain), ([.validate(.init(schema: before))], plain),
        ([.migrate(with: migrator)], migrated),
        (
          [
            .validate(.init(schema: before)), .migrate(with: migrator),
            .validate(.init(schema: after)),
          ], migrated
        ),
      ]
      for source in sources {
        for (stages, expected) in ways {
          for destination in try destinations() {
            let written = try result([source], stages, archiver, in: folder, destination)
            #expect(try records(written) == expected)
          }
        }
        for wrong in [
          [.validate(.init(schema: after))],
          [.migrate(with: migrator), .validate(.init(schema: before))],
          [.validate(.init(schema: after)), .migrate(with: migrator)],
        ] as [[ArchiveStage]] {
          for destination in try destinations() {
            #expect(throws: RecordValidationError.self) {
              try result([source], wrong, archiver, in: folder, destination)
            }
          }
        }
      }
    }
  }

  @Test("several sources become one bundle, and equal records one")
  func merged() throws {
    try withFolder { folder in
      let sources = try sources(in: folder)
      for destination in try destinations() {
        let written = try result(sources, [], Archiver(), in: folder, destination)
        #expect(try records(written) == records(sources[0]))
      }
      let other = try MockContainer.inMemory()
      try other.database(.private).save([RecordZone(zoneName: "Chats")])
      var draft = DraftRecord(
        recordType: "Chat",
        recordID: RecordID(recordName: "r0", zoneID: ZoneID(zoneName: "Chats")))
      draft["title"] = "another"
      try other.database(.private).save([draft])
      let path = folder + "/conflict.recordpack"
      #expect(throws: ImportError.self) {
        try Archiver().run(from: sources + [.container(other)], into: .bundle(path: path))
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      var replacing = Archiver()
      replacing.conflictPolicy = .replace
      try replacing.run(from: sources + [.container(other)], into: .bundle(path: path))
      let written = try BundleReader(path: path)
      #expect(try written.verify().findings.isEmpty)
      #expect(try written.records(named: "r0").first?.record["title"] == "another")
    }
  }

  @Test("a run without sources, or with two migrations, is refused")
  func refused() throws {
    try withFolder { folder in
      let destination = ArchiveDestination.newContainer(path: folder + "/x.sqlite")
      #expect(throws: BundleError.self) { try Archiver().run(from: [], into: destination) }
      let migrator = try Migrator([])
      let twice = [ArchiveStage.migrate(with: migrator), .migrate(with: migrator)]
      #expect(throws: MigrationError.self) {
        try Archiver().run(
          from: [.container(.inMemory())], through: twice, into: destination)
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "/x.sqlite"))
    }
  }
}

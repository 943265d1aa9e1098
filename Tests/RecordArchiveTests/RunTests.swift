import Foundation
import RecordStore
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema
import StoreTestSupport
import Testing

@testable import RecordArchive

@Suite("Any source, through any stages, into any destination")
struct RunTests {
  /// The same content as a container, a bundle and responses.
  private func sources(in folder: String) throws -> [ArchiveSource] {
    let path = folder + "/plain.sqlite"
    let container = try ContainerStore.open(
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
    case .container(let container): return .container(container.store)
    case .appStore, .responseText: throw CocoaError(.featureUnsupported)
    }
  }

  private func destinations() throws -> [(String) -> ArchiveDestination] {
    let memory = try ContainerStore.inMemory()
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
            #expect(throws: ArchiveError.self) {
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
      let other = try ContainerStore.inMemory()
      try other.database(.private).save([RecordZone(zoneName: "Chats")])
      var draft = DraftRecord(
        recordType: "Chat",
        recordID: RecordID(recordName: "r0", zoneID: ZoneID(zoneName: "Chats")))
      draft["title"] = "another"
      try other.database(.private).save([draft])
      let path = folder + "/conflict.recordpack"
      #expect(throws: ArchiveError.self) {
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
      #expect(throws: ArchiveError.self) { try Archiver().run(from: [], into: destination) }
      let migrator = try Migrator([])
      let twice = [ArchiveStage.migrate(with: migrator), .migrate(with: migrator)]
      #expect(throws: ArchiveError.self) {
        try Archiver().run(
          from: [.container(.inMemory())], through: twice, into: destination)
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "/x.sqlite"))
    }
  }

  private func page(_ records: String...) -> ResponseSource {
    let text = #"{"records":["# + records.joined(separator: ",") + "]}"
    return ResponseSource(name: "page") { Data(text.utf8) }
  }

  private func record(_ name: String, _ field: String, _ value: String) -> String {
    #"{"recordName":"\#(name)","recordType":"T","fields":{"\#(field)":{"value":"\#(value)","type":"STRING"}}}"#
  }

  @Test("of responses, the census has every version of a record, the bundle the last")
  func versions() throws {
    try withFolder { folder in
      let pages = [
        page(record("a", "old", "x"), record("b", "b", "x")), page(record("a", "new", "y")),
        page(#"{"recordName":"b","deleted":true}"#),
      ]
      let set = ResponseSet(pages)
      let census = try ArchiveSource.responses(set).census(named: "pages")
      let fields = SchemaInference().infer(from: census).schema.recordType(named: "T")?.fields ?? []
      #expect(fields.map(\.name).filter { !$0.hasPrefix("_") }.sorted() == ["b", "new", "old"])
      let path = folder + "/a.recordpack"
      let other = ArchiveSource.container(try .inMemory())
      for sources in [[.responses(set)], [.responses(set), other]] {
        let result = try Archiver().run(from: sources, into: .bundle(path: path))
        #expect(result.imported == ImportReport())
        let records = try records(.open([path]))
        #expect(records.map(\.recordID.recordName) == ["a"])
        #expect(records.first?["new"] == "y")
      }
    }
  }

  @Test("assets without bytes are counted, whichever form the source has")
  func missingAssets() throws {
    try withFolder { folder in
      let sha256 = String(repeating: "ab", count: 32)
      let asset =
        #"{"recordName":"a","recordType":"T","fields":{"f":{"type":"ASSETID","value":"#
        + #"{"sha256":"\#(sha256)","size":3}}}}"#
      let container = try ContainerStore.inMemory()
      try Archiver().run(
        from: [.responses(ResponseSet([page(asset)]))], into: .container(container))
      let path = folder + "/a.recordpack"
      #expect(try Archiver().export(container, to: path).missingAssets == 1)
      let copy = try Archiver().run(
        from: [.open([path])], into: .bundle(path: folder + "/b.recordpack"))
      #expect(copy.bundle.missingAssets == 1)
      #expect(try bytes(of: path) == bytes(of: folder + "/b.recordpack"))
    }
  }

  @Test("a response has the zones of its own database")
  func zoneOfDatabase() throws {
    let container = try ContainerStore.inMemory()
    for (database, type) in [(DatabaseScope.private, "REGULAR"), (.shared, "OTHER")] {
      let page =
        #"{"zones":[{"zoneID":{"zoneName":"Z"},"zoneType":"\#(type)"}],"records":["#
        + #"{"recordName":"a","recordType":"T","zoneID":{"zoneName":"Z"},"fields":{}}]}"#
      let source = ResponseSource(name: "page") { Data(page.utf8) }
      try Archiver().run(
        from: [.responses(ResponseSet([source], database: database))], into: .container(container))
    }
    for (database, type) in [(DatabaseScope.private, "REGULAR"), (.shared, "OTHER")] {
      var archiver = Archiver()
      archiver.filter.databases = [database]
      var text = Data()
      try archiver.exportResponse(.container(container)) { text += $0 }
      #expect(String(decoding: text, as: UTF8.self).contains(type))
    }
  }

  @Test("several sources are opened in the order of their paths")
  func order() throws {
    try withFolder { folder in
      let paths = ["b.recordpack", "a.sqlite", "c.recordpack"].map { "\(folder)/\($0)" }
      let container = try ContainerStore.open(path: paths[1], mode: .create)
      for path in [paths[0], paths[2]] { try Archiver().export(container, to: path) }
      try container.close()
      #expect(try ArchiveSource.open(each: paths).map(\.name) == paths)
      #expect(try ArchiveSource.open(each: paths.reversed()).map(\.name) == paths.reversed())
    }
  }
}

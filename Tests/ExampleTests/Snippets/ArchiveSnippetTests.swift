import Foundation
import RecordPack
import Testing

/// The code of the articles of RecordArchive, run.
struct ArchiveSnippetTests {
  private func container(title: String = "Hiking club") throws -> ContainerStore {
    let container = try ContainerStore.inMemory()
    var draft = DraftRecord(recordType: "Chat", recordID: RecordID(recordName: "hiking"))
    draft["title"] = title
    try container.transaction { try $0.save([draft], in: .private) }
    return container
  }

  @Test("export and import")
  func exportAndImport() throws {
    let folder = try TestFolder()
    let (bundlePath, partPath) = (folder.path("all.recordpack"), folder.path("part.recordpack"))
    let copyPath = folder.path("copy.sqlite")
    let container = try container()
    let summary = try Archiver().export(container, to: bundlePath)
    print("\(summary.records) records, \(summary.size) bytes")
    #expect(summary.records == 1)

    var archiver = Archiver()
    archiver.filter = RecordFilter(databases: [.private], recordTypes: ["Chat", "Message"])
    archiver.bundleOptions.level = 9
    try archiver.export(container, to: partPath)

    let bundle = try BundleReader(path: bundlePath)
    let report = try Archiver().importBundle(bundle, creating: copyPath)
    #expect(report.added == 1)

    let fixture = try ContainerStore.inMemory()
    try Archiver().importBundle(BundleReader(path: bundlePath), into: fixture)
    var changed = DraftRecord(recordType: "Chat", recordID: RecordID(recordName: "hiking"))
    changed["title"] = "Another title"
    try fixture.transaction { try $0.save([changed], in: .private) }

    archiver.progress = { progress in
      if let fraction = progress.fraction { print(Int(fraction * 100), "%") }
    }
    archiver.conflictPolicy = .replace
    let merged = try archiver.importBundle(BundleReader(path: bundlePath), into: fixture)
    print(merged.replaced)
    #expect(merged.replaced == 1)
  }

  @Test("bundles of several schema versions")
  func migratedImport() throws {
    let folder = try TestFolder()
    let (plansPath, copyPath) = (Place.inPackage("Schemas/Tact"), folder.path("copy.sqlite"))
    let bundles = try ["v1", "v3", "v5"].map {
      try BundleReader(path: "\(plansPath)/\($0).recordpack")
    }

    let plans = try MigrationDirectory(path: plansPath)
    let migrate = ArchiveStage.migrate { source in
      let way = try plans.chain(from: source.info().schemaVersion ?? "v1", to: "v5")
      return way.isEmpty ? nil : try Migrator(way)
    }
    let result = try Archiver().run(
      from: bundles.map(ArchiveSource.bundle), through: [migrate],
      into: .newContainer(path: copyPath))
    #expect(result.imported.added == 88)
    #expect(result.migrations.map { $0?.results } == [86, 88, nil])
  }

  @Test("work in a task")
  func task() async throws {
    let folder = try TestFolder()
    let copyPath = folder.path("copy.recordpack")
    let (archiver, container) = (Archiver(), try container())
    let copied = try await archiver.perform { try $0.export(container, to: copyPath) }
    #expect(copied.records == 1)
  }

  @Test("held against a schema")
  func validation() throws {
    let folder = try TestFolder()
    let bundlePath = folder.path("all.recordpack")
    let schema = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE Chat (title STRING, GRANT READ TO \"_world\");")
    let container = try container()
    try container.setInfo(ContainerInfo(schema: SchemaPrinter().print(schema.schema)))
    let archiver = Archiver()
    try archiver.export(container, to: bundlePath)
    let bundle = try BundleReader(path: bundlePath)
    let fixture = try ContainerStore.inMemory()

    try archiver.run(
      from: [.bundle(bundle)], through: [.validate(Archiver.Validation())],
      into: .container(fixture))
    let other = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE Chat (name STRING, GRANT READ TO \"_world\");")
    for (validation, fits) in [
      (Archiver.Validation(schema: other), false),
      (Archiver.Validation(schema: other, environment: .development), true),
    ] {
      let result = Result {
        try archiver.run(
          from: [.bundle(bundle)], through: [.validate(validation)],
          into: .container(ContainerStore.inMemory()))
      }
      #expect((try? result.get()) != nil ? fits : !fits)
    }

    let census = try ArchiveSource.open([bundlePath]).census(named: "Todo")
    print(try SchemaChecker().validate(census, against: schema).text(as: .text))
    #expect(census.recordCount == 1)
  }

  @Test("responses of a real server")
  func webServices() throws {
    let container = try ContainerStore.inMemory()
    let record = try DraftRecord(
      recordType: "Chat", recordID: RecordID(recordName: "hiking")
    ).resultRecord()
    let response = try WebServicesWriter().page(records: [record])
    let sources = [ResponseSource(name: "response") { response }]
    try Archiver().run(
      from: [.responses(ResponseSet(sources, database: .private))], into: .container(container))
    #expect(
      try container.snapshot { try $0.record(for: RecordID(recordName: "hiking"), in: .private) }?
        .recordType == "Chat")

    var written = Data()
    let exported = try Archiver().run(
      from: [.container(container)], into: .responseText(.canopy) { written.append($0) }
    ).response
    print(exported.records, exported.losses.clauses)
    #expect(exported.losses.isEmpty && !written.isEmpty)
  }

  @Test("comparing")
  func comparing() throws {
    let folder = try TestFolder()
    let (bundlePath, copyPath) = (folder.path("a.recordpack"), folder.path("b.recordpack"))
    try Archiver().export(try container(), to: bundlePath)
    try Archiver().export(try container(title: "Another title"), to: copyPath)
    let comparison = ArchiveComparison(
      try ArchiveSource.open([bundlePath]), try ArchiveSource.open([copyPath]))
    let difference = try comparison.run { change in
      if case .recordChanged(let record, let type, let database) = change {
        print(database, type, record.recordID, record.fields.map(\.name))
      }
    }
    print(difference.isEmpty)
    #expect(difference.changed == 1 && !difference.isEmpty)
  }
}

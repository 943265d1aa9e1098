import Foundation
import RecordPack
import Testing

/// The code in the doc comments of archives, plans and fixtures, run. Paths in the comments are
/// relative, so a process of its own runs the code in an empty folder.
struct ArchiveCommentTests {
  #if os(macOS) || os(Linux)
    @Test("code with paths")
    func paths() async {
      await #expect(processExitsWith: .success) {
        let folder = try TestFolder()
        try #require(FileManager.default.changeCurrentDirectoryPath(folder.path))
        let code = PathCode()
        try await code.archives()
        try code.plans()
        try await code.downloads()
        try code.fixtures()
        withExtendedLifetime(folder) {}
      }
    }
  #endif

  @Test("a download into a container")
  func downloading() async throws {
    let container = try MockContainer.inMemory()
    let zone = ZoneID(zoneName: "Notes")
    try await container.privateCloudDatabase.save(RecordZone(zoneID: zone))
    try await container.privateCloudDatabase.save(DraftRecord(recordType: "Note", zoneID: zone))
    let store = try ContainerStore.inMemory()
    var download = ContainerDownload()
    download.progress = { print($0.records, "records") }
    let report = try await download.run(from: container, into: store)
    #expect(report.counts.records == 1)
  }

  @Test("a recipe")
  func recipe() throws {
    let schema = try SchemaDocument(parsing: "DEFINE SCHEMA RECORD TYPE Chat (title STRING);")
      .validSchema()
    let recipe = try FixtureRecipe(yaml: "{recordpack-recipe: 1, types: {Chat: {count: 10}}}")
    let generation = try Generation(schema: schema, recipe: recipe, seed: 42)
    let folder = try TestFolder()
    #expect(try generation.write(to: folder.path("chats.recordpack")).records == 10)
  }
}

/// Code that reads and writes files of the current folder.
private struct PathCode {
  private let files = FileManager.default

  func archives() async throws {
    let container = try ContainerStore.inMemory()
    try container.transaction { try $0.save([DraftRecord(recordType: "Note")], in: .private) }
    try export(container)
    #expect(files.fileExists(atPath: "copy.sqlite"))

    let source = try ArchiveSource.open(["Tact.recordpack"])
    try source.forEachRecord { record, database in print(database, record.recordID) }

    try files.copyItem(atPath: "Tact.recordpack", toPath: "a.recordpack")
    try files.copyItem(atPath: "copy.sqlite", toPath: "b.sqlite")
    let comparison = try ArchiveComparison(.open(["a.recordpack"]), .open(["b.sqlite"]))
    let difference = try comparison.run { change in print(change) }
    print(difference.isEmpty)
    #expect(difference.isEmpty)

    try files.removeItem(atPath: "Tact.recordpack")
    let summary = try await Archiver().perform { try $0.export(container, to: "Tact.recordpack") }
    #expect(summary.records == 1)
    try exportAfterATest(try MockContainer(container))
  }

  private func exportAfterATest(_ container: MockContainer) throws {
    try Archiver().export(container, to: "After.recordpack")
    #expect(files.fileExists(atPath: "After.recordpack"))
  }

  private func export(_ container: ContainerStore) throws {
    let archiver = Archiver()
    try archiver.export(container, to: "Tact.recordpack")
    try archiver.importBundle(BundleReader(path: "Tact.recordpack"), creating: "copy.sqlite")
  }

  func plans() throws {
    try files.copyItem(atPath: Place.inPackage("Schemas/Tact"), toPath: "Migrations")
    try files.moveItem(atPath: "Migrations/v2.yml", toPath: "Migrations/v1-v2.yml")
    try files.moveItem(atPath: "Migrations/v1.recordpack", toPath: "Old.recordpack")
    let directory = try MigrationDirectory(path: "Migrations")
    let migrator = try Migrator(directory.chain(from: "v1", to: directory.newestVersion()))
    try migrate(with: migrator)
    try plan()
    var records: [ResultRecord] = []
    try ArchiveSource.open(["Old.recordpack"]).forEachRecord { record, _ in records.append(record) }
    try migrate(#require(records.first))
  }

  private func migrate(with migrator: Migrator) throws {
    let result = try Archiver().run(
      from: [.bundle(try BundleReader(path: "Old.recordpack"))],
      through: [.migrate(with: migrator), .validate(.init())],
      into: .newContainer(path: "New.sqlite"))
    print(result.imported.added, "records")
    #expect(result.imported.added > 0)
  }

  private func migrate(_ old: ResultRecord) throws {
    let plans = try MigrationDirectory(path: "Migrations")
    let migrator = try Migrator(plans.chain(from: "v1", to: plans.newestVersion()))
    for record in try migrator.migrate(old) { print(record.recordType, record.allKeys()) }
  }

  private func plan() throws {
    let plan = try MigrationPlan(path: "Migrations/v1-v2.yml")
    let migrator = try Migrator([plan.migration])
    withExtendedLifetime(migrator) {}
    #expect(plan.migration.to == "v2")
  }

  func downloads() async throws {
    let container = try MockContainer.inMemory()
    try await container.privateCloudDatabase.save(DraftRecord(recordType: "Note"))
    let result = try await Archiver().export(downloading: container, to: "Notes.recordpack")
    for problem in result.download.problems { print(problem) }
    #expect(result.download.problems.isEmpty && files.fileExists(atPath: "Notes.recordpack"))
  }

  func fixtures() throws {
    let schema = try SchemaDocument(parsing: "DEFINE SCHEMA RECORD TYPE Chat (title STRING);")
      .validSchema()
    let generation = try Generation(schema: schema, seed: 42)
    let report = try generation.write(to: "chats.recordpack")
    print(report.records, report.contentHash)
    #expect(report.records > 0)
  }
}

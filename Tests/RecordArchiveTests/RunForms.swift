import Foundation
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordStore

@testable import RecordArchive

// Short forms of `Archiver.run` that only these tests need.

extension Archiver {
  /// A bundle, and the migrations to the schema version of the import.
  struct MigratedBundle: Sendable {
    let bundle: BundleReader
    let migrator: Migrator?

    init(_ bundle: BundleReader, with migrator: Migrator?) {
      self.bundle = bundle
      self.migrator = migrator
    }
  }

  @discardableResult
  func importBundles(
    _ sources: [MigratedBundle], into container: ContainerStore
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try importMigrated(sources, into: .container(container))
  }

  @discardableResult
  func importBundles(
    _ sources: [MigratedBundle], creating path: String
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try importMigrated(sources, into: .newContainer(path: path))
  }

  private func importMigrated(
    _ sources: [MigratedBundle], into destination: ArchiveDestination
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    let stage = ArchiveStage.migrate { source in
      guard case .bundle(let bundle) = source else { return nil }
      return sources.first { $0.bundle === bundle }?.migrator
    }
    let result = try run(
      from: sources.map { .bundle($0.bundle) }, through: [stage], into: destination)
    return (result.imported, result.migrations)
  }

  @discardableResult
  func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, into container: ContainerStore
  ) throws -> ImportReport {
    try run(from: [.responses(.init(sources, database: database))], into: .container(container))
      .imported
  }

  @discardableResult
  func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, creating path: String
  ) throws -> ImportReport {
    try run(
      from: [.responses(.init(sources, database: database))], into: .newContainer(path: path)
    ).imported
  }
}

extension Archiver {
  @discardableResult
  func importBundles(
    _ bundles: [BundleReader], into container: some StoredContainer
  ) throws -> ImportReport {
    try run(from: bundles.map(ArchiveSource.bundle), into: .container(container)).imported
  }

  @discardableResult
  func importBundles(_ bundles: [BundleReader], creating path: String) throws -> ImportReport {
    try run(from: bundles.map(ArchiveSource.bundle), into: .newContainer(path: path)).imported
  }

  @discardableResult
  func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices,
    output: @escaping (Data) throws -> Void
  ) throws -> ExportedResponse {
    try run(from: [source], into: .responseText(dialect, output)).response
  }

  @discardableResult
  func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to path: String
  ) throws -> (summary: BundleSummary, report: MigrationReport) {
    let (result, report) = try migrate(source, with: migrator, into: .bundle(path: path))
    return (result.bundle, report)
  }

  @discardableResult
  func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating path: String
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    let (result, report) = try migrate(source, with: migrator, into: .newContainer(path: path))
    return (result.imported, report)
  }

  @discardableResult
  func migrate(
    _ source: ArchiveSource, with migrator: Migrator, into container: some StoredContainer
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    let (result, report) = try migrate(source, with: migrator, into: .container(container))
    return (result.imported, report)
  }
}

/// An archiver whose runs validate.
struct ValidatingArchiver {
  var archiver = Archiver()
  var validation: Archiver.Validation

  private func run(
    _ source: ArchiveSource, _ destination: ArchiveDestination
  ) throws -> ArchiveResult {
    try archiver.run(from: [source], through: [.validate(validation)], into: destination)
  }

  func export(_ container: ContainerStore, to path: String) throws {
    _ = try run(.container(container), .bundle(path: path))
  }

  @discardableResult
  func importBundle(_ bundle: BundleReader, creating path: String) throws -> ImportReport {
    try run(.bundle(bundle), .newContainer(path: path)).imported
  }

  @discardableResult
  func importBundle(_ bundle: BundleReader, into container: ContainerStore) throws -> ImportReport {
    try run(.bundle(bundle), .container(container)).imported
  }

  func importResponses(_ sources: [ResponseSource], creating path: String) throws {
    _ = try run(.responses(.init(sources)), .newContainer(path: path))
  }
}

import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel

extension Archiver {
  /// Migrates a bundle or container into a new bundle.
  ///
  /// The source's schema is checked first, and every result against the target schema. Records are
  /// migrated on ``threads`` threads; memory is bounded by frames, and by the number of records that
  /// change their name or zone (about a hundred bytes each).
  ///
  /// - Parameters:
  ///   - path: where the bundle will lie; `-` is standard output.
  ///   - mustNotExist: refuse to replace an existing file.
  /// - Returns: what was written, and what each step has done.
  /// - Throws: `MigrationError`, or what reading and writing throw. Nothing stands under the name
  ///   then that was not there before.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to path: String, mustNotExist: Bool = false
  ) throws -> (summary: BundleSummary, report: MigrationReport) {
    let folder = try TemporaryFolder()
    let bundle = try self.bundle(of: source, in: folder)
    let job = try prepared(bundle, source.name, migrator, folder)
    let migration = try BundleMigration(self, job, path, mustNotExist: mustNotExist)
    let summary = try migration.run()
    return (summary, migration.report)
  }

  /// Migrates a bundle or container into a new container file.
  ///
  /// - Parameter path: where the container will lie; nothing may lie there.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating path: String
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    let folder = try TemporaryFolder()
    let job = try prepared(try bundle(of: source, in: folder), source.name, migrator, folder)
    var report = migrator.emptyReport()
    let imported = try naming {
      try build(path, job.info) {
        report = try fill($0, migrating: job)
        report.danglingReferences = try job.danglingReferences()
      }
    }
    return (imported, report)
  }

  /// Migrates a bundle or container, and imports the results into a container, in one transaction.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, into container: MockContainer
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    let folder = try TemporaryFolder()
    let job = try prepared(try bundle(of: source, in: folder), source.name, migrator, folder)
    var report = migrator.emptyReport()
    let imported = try transaction(into: container) {
      report = try fill($0, migrating: job)
      report.danglingReferences = try job.danglingReferences()
    }
    return (imported, report)
  }

  /// Migrates a container in its place, in one transaction.
  ///
  /// Each record that changes is saved as an app would save it: it gets the next change tag, the
  /// time of the migration and the signed-in user. A record that changes its name or zone is saved
  /// anew, and leaves a tombstone. Where anything fails, or the process ends, the container is as
  /// it was.
  public func migrate(
    inPlace container: MockContainer, with migrator: Migrator
  ) throws -> MigrationReport {
    try InPlaceMigration(archiver: self, migrator: migrator, container: container).run()
  }

  /// What a migration would do: nothing is written, and failures are counted.
  public func dryRun(
    _ source: ArchiveSource, with migrator: Migrator
  ) throws -> MigrationReport {
    let folder = try TemporaryFolder()
    var job = try prepared(try bundle(of: source, in: folder), source.name, migrator, folder)
    job.isDryRun = true
    var arrivals: Set<SideStore.ArrivalKey> = []
    var report = migrator.emptyReport()
    var done = ArchiveProgress(records: 0, bytes: 0)
    done.totalRecords = filter == .all ? job.bundle.recordCount : nil
    try job.run(Set(job.sections)) { frame in
      report.add(frame.report)
      for key in frame.arrivals where !arrivals.insert(key).inserted {
        report.collisions.add(
          "\(MigrationError.collision(key.recordID, "one that comes", "another one"))")
      }
      done.records += frame.report.records
      try self.report(done)
    }
    try job.findCollisions(arrivals, &report)
    report.danglingReferences = try job.danglingReferences()
    return report
  }

  /// Reports that work goes on of which nothing is counted.
  func pulse() throws { try report(ArchiveProgress(records: 0, bytes: 0)) }

  private func prepared(
    _ bundle: BundleReader, _ name: String, _ migrator: Migrator, _ folder: TemporaryFolder
  ) throws -> MigrationJob {
    var job = MigrationJob(bundle, named: name, migrator, self)
    try job.checkSource()
    job.environment = try environment(for: bundle, migrator, in: folder)
    try job.findIdentities()
    return job
  }

  /// A container is read by way of a bundle: migrating its frames takes all cores.
  private func bundle(
    of source: ArchiveSource, in folder: TemporaryFolder
  ) throws -> BundleReader {
    switch source {
    case .bundle(let bundle): return bundle
    case .container(let container):
      var exporter = Archiver()
      exporter.filter = filter
      exporter.threads = threads
      exporter.progress = { _ in try pulse() }
      exporter.bundleOptions.level = 1
      let path = folder.file("source.recordpack")
      try exporter.export(container, to: path)
      return try BundleReader(path: path)
    }
  }

  /// Where assets become bytes, their content must be found in any order: a container has it so.
  func environment(
    for bundle: BundleReader, _ migrator: Migrator, in folder: TemporaryFolder
  ) throws -> MigrationEnvironment {
    guard migrator.readsAssets else { return MigrationEnvironment() }
    let path = folder.file("assets.sqlite")
    var importer = Archiver()
    importer.threads = threads
    importer.progress = { _ in try pulse() }
    try importer.importBundle(bundle, creating: path)
    let container = try MockContainer.open(path: path, mode: .readOnly)
    return MigrationEnvironment { sha256 in
      do {
        return try container.assetData(sha256: sha256)
      } catch MockContainerError.assetNotFound {
        return nil
      }
    }
  }

  /// Two results of one name are the migration's fault, not the container's.
  private func naming<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch ImportError.conflict(let conflict) {
      throw MigrationError.collision(conflict.recordID, conflict.existing, conflict.incoming)
    }
  }
}

extension ArchiveSource {
  /// What messages call it.
  fileprivate var name: String {
    switch self {
    case .bundle(let bundle): bundle.fileNames.first ?? "the bundle"
    case .container(let container): container.name
    }
  }
}

extension MockContainer {
  /// What messages call it.
  var name: String { path.map { "'\($0)'" } ?? "the container" }
}

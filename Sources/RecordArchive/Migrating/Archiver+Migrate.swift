import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel

extension Archiver {
  /// Migrates a bundle or container to a new bundle.
  ///
  /// The source's schema is checked first, and each result against the target schema. Memory is
  /// bounded by batches, and by the number of records that are renamed or moved to another zone
  /// (about 100 bytes each).
  ///
  /// - Parameters:
  ///   - source: The bundle or container.
  ///   - migrator: The migrations.
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - mustNotExist: Whether to throw if the file exists.
  /// - Returns: A summary of the bundle, and the report of each step.
  /// - Throws: `MigrationError`, or errors of reading and writing. An existing file is then
  ///   unchanged, and no new one appears.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to path: String, mustNotExist: Bool = false
  ) throws -> (summary: BundleSummary, report: MigrationReport) {
    try source.read { reader in
      let job = try prepared(reader, migrator)
      let export = try BundleExport(
        self, reader, .migrated(job), info: job.info, to: path, mustNotExist: mustNotExist)
      let summary = try export.run()
      return (summary, export.report ?? migrator.emptyReport())
    }
  }

  /// Migrates a bundle or container to a new container file.
  ///
  /// - Parameters:
  ///   - source: The bundle or container.
  ///   - migrator: The migrations.
  ///   - path: The path of the container, where no file may exist.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating path: String
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    do {
      return try migrate(source, with: migrator, to: .creating(path))
    } catch ImportError.conflict(let conflict) {
      // Two results with the same name are an error of the migration, not a conflict.
      throw MigrationError.collision(conflict.recordID, conflict.existing, conflict.incoming)
    }
  }

  /// Migrates a bundle or container, and imports the results into a container in one transaction.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, into container: MockContainer
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    try migrate(source, with: migrator, to: .container(container))
  }

  private func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to target: ImportRun.Target
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    let (imported, reports) = try ImportRun.run([(source, migrator)], into: target, self)
    return (imported, reports.first.flatMap(\.self) ?? migrator.emptyReport())
  }

  /// Migrates a container in place, in one transaction.
  ///
  /// Each record that changes is saved as an app would save it, with the next change tag, the time
  /// of the migration and the signed-in user. A record that is renamed or moved to another zone is
  /// saved as a new one, and leaves a tombstone. If an error occurs or the process ends, the
  /// container is unchanged.
  public func migrate(
    inPlace container: MockContainer, with migrator: Migrator
  ) throws -> MigrationReport {
    try InPlaceMigration.run(container, migrator, self)
  }

  /// Returns the report of a migration without writing anything; failures are counted.
  public func dryRun(
    _ source: ArchiveSource, with migrator: Migrator
  ) throws -> MigrationReport {
    try source.read { reader in
      var job = try prepared(reader, migrator)
      job.stage.isDryRun = true
      var arrivals: Set<RecordLocation> = []
      var report = migrator.emptyReport()
      var done = ArchiveProgress(records: 0, bytes: 0)
      done.totalRecords = try reader.recordCount(filter)
      try job.run(Set(job.sections)) { batch in
        report.add(batch.report)
        for location in batch.arrivals where !arrivals.insert(location).inserted {
          report.collisions.add(
            "\(MigrationError.collision(location.recordID, "moved record", "another one"))")
        }
        done.records += batch.report.records
        try self.report(done)
      }
      try job.findCollisions(arrivals, &report)
      report.danglingReferences = try job.danglingReferences()
      return report
    }
  }

  /// Calls ``progress`` during work that has no counts, so that it can cancel.
  func pulse() throws { try report(ArchiveProgress(records: 0, bytes: 0)) }

  private func prepared(
    _ reader: ArchiveReader, _ migrator: Migrator
  ) throws -> MigrationJob {
    var jobs = [try MigrationJob(reader, migrator, self)]
    try MigrationJob.findIdentities(&jobs)
    return jobs[0]
  }
}

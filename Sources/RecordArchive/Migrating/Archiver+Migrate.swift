import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel

extension Archiver {
  /// Migrates a bundle or container into a new bundle.
  ///
  /// The source's schema is checked first, and every result against the target schema. Records are
  /// migrated on ``threads`` threads; memory is bounded by batches, and by the number of records that
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
    try source.read { reader in
      let job = try prepared(reader, migrator)
      let export = try BundleExport(
        self, reader, .migrated(job), info: job.info, to: path, mustNotExist: mustNotExist)
      let summary = try export.run()
      return (summary, export.report ?? migrator.emptyReport())
    }
  }

  /// Migrates a bundle or container into a new container file.
  ///
  /// - Parameter path: where the container will lie; nothing may lie there.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating path: String
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    do {
      return try migrate(source, with: migrator, to: .creating(path))
    } catch ImportError.conflict(let conflict) {
      // Two results of one name are the migration's fault, not the container's.
      throw MigrationError.collision(conflict.recordID, conflict.existing, conflict.incoming)
    }
  }

  /// Migrates a bundle or container, and imports the results into a container, in one transaction.
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

  /// Migrates a container in its place, in one transaction.
  ///
  /// Each record that changes is saved as an app would save it: it gets the next change tag, the
  /// time of the migration and the signed-in user. A record that changes its name or zone is saved
  /// anew, and leaves a tombstone. Where anything fails, or the process ends, the container is as
  /// it was.
  public func migrate(
    inPlace container: MockContainer, with migrator: Migrator
  ) throws -> MigrationReport {
    try InPlaceMigration.run(container, migrator, self)
  }

  /// What a migration would do: nothing is written, and failures are counted.
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
            "\(MigrationError.collision(location.recordID, "one that comes", "another one"))")
        }
        done.records += batch.report.records
        try self.report(done)
      }
      try job.findCollisions(arrivals, &report)
      report.danglingReferences = try job.danglingReferences()
      return report
    }
  }

  /// Reports that work goes on of which nothing is counted.
  func pulse() throws { try report(ArchiveProgress(records: 0, bytes: 0)) }

  private func prepared(
    _ reader: ArchiveReader, _ migrator: Migrator
  ) throws -> MigrationJob {
    var jobs = [try MigrationJob(reader, migrator, self)]
    try MigrationJob.findIdentities(&jobs)
    return jobs[0]
  }
}

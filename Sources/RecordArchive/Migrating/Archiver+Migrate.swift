import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel

extension Archiver {
  /// Migrates a container in place, in one transaction.
  ///
  /// Each record that changes is saved as an app would save it, with the next change tag, the time
  /// of the migration and the signed-in user. A record that is renamed or moved to another zone is
  /// saved as a new one, and leaves a tombstone. If an error occurs or the process ends, the
  /// container is unchanged.
  public func migrate(
    inPlace container: some StoredContainer, with migrator: Migrator
  ) throws -> MigrationReport {
    try InPlaceMigration.run(container.store, migrator, self)
  }

  /// Returns the report of a migration without writing anything; failures are counted.
  public func dryRun(
    _ source: ArchiveSource, with migrator: Migrator
  ) throws -> MigrationReport {
    try source.read { reader in
      var job = try MigrationJob.prepared(reader, migrator, self)
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
}

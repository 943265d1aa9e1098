import RecordCoding
import RecordModel

/// Finds out which records get another name or zone in one of the migrations.
package final class IdentitySearch {
  private let runner: MigrationRunner
  private let stage: Int

  /// - Parameter stage: the number of the migration; those before it are run too.
  package init(_ migrator: Migrator, after stage: Int, _ environment: MigrationEnvironment) {
    // Failures are left for the real run to tell.
    runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
    self.stage = stage
  }

  /// The identities of a record before and after the migration; nil where they are the same, and
  /// where the record is left behind.
  ///
  /// - Parameter record: must not have been touched since it was loaded.
  package func change(
    of record: EditableRecord
  ) throws -> (before: RecordID, after: RecordID)? {
    record.begin()
    guard let begin = try runner.run(record, stages: 0..<stage) else { return nil }
    let before = begin.recordID
    guard let after = try runner.run(begin, stages: stage..<stage + 1)?.recordID, before != after
    else { return nil }
    return (before, after)
  }
}

import RecordCoding
import RecordModel

/// Finds the records whose name or zone changes in one of the migrations.
package final class RecordIDChangeFinder {
  private let runner: MigrationRunner
  private let stage: Int

  /// - Parameter stage: The index of the migration. The migrations before it run too.
  package init(_ migrator: Migrator, after stage: Int, _ environment: MigrationEnvironment) {
    // Failures are reported by the actual run.
    runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
    self.stage = stage
  }

  /// Returns the IDs of a record before and after the migration, or `nil` if they are equal or the
  /// record is left behind.
  ///
  /// - Parameter record: Must not have been changed since it was loaded.
  package func change(of record: EditableRecord) throws -> (before: RecordID, after: RecordID)? {
    record.begin()
    guard let begin = try runner.run(record, stages: 0..<stage) else { return nil }
    let before = begin.recordID
    guard let after = try runner.run(begin, stages: stage..<stage + 1)?.recordID, before != after
    else { return nil }
    return (before, after)
  }
}

import Foundation
import RecordCoding
import RecordMigration

/// The runners of one pass over a source: one for each reader of lines, because what a runner
/// learns from a record holds for the records of the same reader.
final class RunnerPool: @unchecked Sendable {
  // Unchecked: `lock` protects the runners, and one thread at a time uses a reader.
  private struct Entry {
    /// Retained, so that no other reader can have the same identity.
    let reader: RecordJSONReader
    let runner: MigrationRunner
    let record: EditableRecord
  }

  private let lock = NSLock()
  private let make: @Sendable () -> MigrationRunner
  private var entries: [Entry] = []

  init(_ stage: MigrationStage) {
    make = {
      MigrationRunner(stage.migrator, environment: stage.environment, isDryRun: stage.isDryRun)
    }
  }

  /// Returns the runner for the records of a reader, and a record to load them into.
  func runner(for reader: RecordJSONReader) -> (MigrationRunner, EditableRecord) {
    lock.withLock {
      if let known = entries.first(where: { $0.reader === reader }) {
        return (known.runner, known.record)
      }
      let made = Entry(reader: reader, runner: make(), record: EditableRecord())
      entries.append(made)
      return (made.runner, made.record)
    }
  }
}

import RecordCoding
import RecordModel

/// A step prepared for one runner.
///
/// Each runner has its own objects, because atomic reference counting of shared objects slows
/// threads down.
final class PreparedStep {
  typealias Body = (MigrationRunner, EditableRecord) throws -> StepOutcome

  let step: MigrationStep
  /// The index of the step among all steps.
  let index: Int
  /// The index of the step in its migration.
  let place: Int
  /// The databases and zones that the step applies to, or `nil` for all.
  private let selection: MigrationStep.Selection?
  let condition: ExpressionNode?
  let body: Body
  /// The field that the step changes or creates, if it is a single one.
  let subject: String?
  /// Whether the value of ``subject`` can be dropped if it does not fit.
  let hasValue: Bool
  /// Whether the step changes nothing but its reversal would, because it gives other records the
  /// type that this record already has.
  let isForOthers: Bool

  init(_ step: MigrationStep, index: Int, place: Int, isForOthers: Bool = false) {
    self.isForOthers = isForOthers
    self.step = step
    self.index = index
    self.place = place
    let isAnywhere = step.selection.databases == nil && step.selection.zoneNames == nil
    selection = isAnywhere ? nil : step.selection
    let action = step.action
    // The reversal of a step that makes records deletes all of their type.
    let isForAll = isForOthers && action.effects.makes != nil
    condition = isForAll ? nil : step.condition?.root.copied()
    body = isForOthers ? action.kind.prepareForOthers(step.selection) : action.kind.prepare()
    (subject, hasValue) = (action.subject, action.effects.hasValue)
  }

  /// Returns whether the step applies to a record's database and zone.
  @inline(__always)
  func looks(at record: EditableRecord) -> Bool {
    guard let selection else { return true }
    return selection.contains(database: record.database, zoneID: record.zoneID)
  }
}

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

  /// Returns the IDs of a record, and of the records that steps make of it, before and after the
  /// migration, if they differ. A record that the migration makes has the ID it was made with
  /// before.
  ///
  /// If steps make records, also returns the IDs that do not change and that such a record may have:
  /// a reference to either of two records with one ID would be ambiguous.
  ///
  /// - Parameter record: Must not have been changed since it was loaded.
  package func changes(of record: EditableRecord) throws -> [(before: RecordID, after: RecordID)] {
    record.begin()
    var changes: [(before: RecordID, after: RecordID)] = []
    let makesRecords = runner.migrator.stages[stage].makesRecords
    for begin in try runner.run(record, stages: 0..<stage) {
      let before = begin.recordID
      let results = try runner.run(begin, stages: stage..<stage + 1)
      let made = Set(runner.made.map(ObjectIdentifier.init))
      // If a step in Swift returns several records, the first one counts.
      if let first = results.first, !made.contains(ObjectIdentifier(first)) {
        changes.append((before, first.recordID))
      } else {
        changes.append((before, before))
      }
      for result in results where made.contains(ObjectIdentifier(result)) {
        changes.append((result.sourceID, result.recordID))
      }
    }
    return changes.filter {
      $0.before != $0.after || makesRecords && $0.before.recordName.utf8.contains(UInt8(ascii: "."))
    }
  }
}

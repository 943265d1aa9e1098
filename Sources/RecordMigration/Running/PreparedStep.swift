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

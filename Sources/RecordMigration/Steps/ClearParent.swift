import RecordCoding

extension MigrationAction {
  /// Removes the parent.
  public static var clearParent: MigrationAction { MigrationAction(ClearParent()) }
}

struct ClearParent: PlannedStepKind {
  static let name = "clear-parent"
  static func read(_: PlanStepReader) -> Self { Self() }

  var effects: StepEffects { StepEffects(changes: .parent) }

  func run(_ record: EditableRecord, _: MigrationRunner) -> StepOutcome {
    guard record.hasParent else { return .unchanged }
    record.parent = nil
    return .dropped
  }

  func inverse(_: StepReversal) throws -> [MigrationStep] {
    throw NoInverse("the removed parent cannot be restored")
  }
}

import RecordCoding

extension MigrationAction {
  /// Leaves behind the records that match the condition.
  public static var leaveBehind: MigrationAction { MigrationAction(LeaveBehind()) }
}

struct LeaveBehind: PlannedStepKind {
  static let name = "leave-behind"
  static func read(_: PlanStepReader) -> Self { Self() }

  var effects: StepEffects { StepEffects(assets: .loses) }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? {
    guard step.condition == nil, step.selection.recordTypes == nil else { return nil }
    return ("type", "this would leave all records behind; limit it with 'where' or 'type'")
  }

  func destinations(of _: Migrator.Outline.Place) -> [Migrator.Outline.Place]? { [] }

  func run(_: EditableRecord, _: MigrationRunner) -> StepOutcome { .gone }

  func inverse(_: StepReversal) throws -> [MigrationStep] {
    throw NoInverse("records that were left behind cannot be restored")
  }
}

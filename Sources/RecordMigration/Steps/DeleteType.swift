import RecordCoding

extension MigrationAction {
  /// Leaves the records behind: they are not part of the result.
  public static var deleteType: MigrationAction { MigrationAction(DeleteType()) }
}

struct DeleteType: PlannedStepKind {
  static let name = "delete-type"
  static func read(_: PlanStepReader) -> Self { Self() }

  var effects: StepEffects { StepEffects(deletesType: true, assets: .loses) }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? { step.faultOfUnnamedTypes }

  func run(_: EditableRecord, _: MigrationRunner) -> StepOutcome { .gone }

  func inverse(_: StepReversal) throws -> [MigrationStep] {
    throw NoInverse("records that were left behind cannot be restored")
  }
}

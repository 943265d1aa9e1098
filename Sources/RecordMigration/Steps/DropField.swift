import RecordCoding

extension MigrationAction {
  /// Drops a field.
  public static func dropField(_ name: String) -> MigrationAction {
    MigrationAction(DropField(field: name))
  }
}

struct DropField: PlannedStepKind {
  static let name = "drop-field"
  static let keys = ["field"]

  let field: String

  static func read(_ plan: PlanStepReader) throws -> Self { Self(field: try plan.field()) }

  var effects: StepEffects {
    StepEffects(subject: field, reads: .init([field]), removes: [field: "drops it"], assets: .loses)
  }

  func change(_ fields: inout SchemaWalk.Fields) { fields[field] = nil }

  func run(_ record: EditableRecord, _: MigrationRunner) -> StepOutcome {
    record.remove(field) ? .dropped : .unchanged
  }

  func inverse(_: StepReversal) throws -> [MigrationStep] {
    throw NoInverse("dropped values cannot be restored")
  }
}

import RecordCoding

extension MigrationAction {
  /// Renames a field. The value does not fit if the new field already has one.
  public static func renameField(_ name: String, to newName: String) -> MigrationAction {
    MigrationAction(RenameField(field: name, newName: newName))
  }
}

struct RenameField: PlannedStepKind {
  static let name = "rename-field"
  static let keys = ["field", "to"]

  let field: String
  let newName: String

  static func read(_ plan: PlanStepReader) throws -> RenameField {
    RenameField(field: try plan.field(), newName: try plan.text("to", "the field's new name"))
  }

  var effects: StepEffects {
    StepEffects(
      subject: field, reads: .init([field]), creates: .init([newName], "to"),
      removes: [field: "renames it to '\(newName)'"], renames: (field, newName), hasValue: true)
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    fields[newName, default: []].formUnion(fields.removeValue(forKey: field) ?? [])
  }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    guard record.hasField(field) else {
      return record.hasField(newName) ? .ambiguous : .unchanged
    }
    guard !record.hasField(newName) else {
      throw StepMisfit(field, "field '\(newName)' already has a value")
    }
    record.renameField(field, to: newName)
    return .changed(isExact: true)
  }

  func inverse(_ reversal: StepReversal) -> [MigrationStep] {
    [reversal.undoing(.renameField(newName, to: field))]
  }
}

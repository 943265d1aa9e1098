import RecordCoding
import RecordModel

extension MigrationAction {
  /// Stores the parent as a reference in a field.
  public static func setReference(
    _ name: String, _ action: Reference.Action = .none, keepsParent: Bool = true
  ) -> MigrationAction {
    MigrationAction(SetReference(field: name, action: action, keepsParent: keepsParent))
  }
}

struct SetReference: PlannedStepKind {
  static let name = "set-reference"
  static let keys = ["field", "action", "keep-parent"]

  let field: String
  let action: Reference.Action
  let keepsParent: Bool

  static func read(_ plan: PlanStepReader) throws -> SetReference {
    SetReference(
      field: try plan.field(), action: try plan["action"]?.one("action") ?? .none,
      keepsParent: try plan["keep-parent"]?.bool("keep-parent") ?? true)
  }

  var effects: StepEffects {
    StepEffects(
      subject: field, creates: .init([field]), changes: .parent, follows: keepsParent ? [] : .zone,
      canBeLeftOut: true)
  }

  func change(_ fields: inout SchemaWalk.Fields) { fields[field] = [.reference] }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    guard let parent = record.parent else {
      return record.hasField(field) ? .ambiguous : .unchanged
    }
    guard !record.hasField(field) else {
      throw StepMisfit(field, "the field already has a value")
    }
    record.set(field, to: .reference(Reference(recordID: parent.recordID, action: action)))
    let isExact =
      keepsParent
      || parent == Reference(recordID: parent.recordID) && parent.recordID.zoneID == record.zoneID
    if !keepsParent { record.parent = nil }
    return .changed(isExact: isExact)
  }

  func inverse(_ reversal: StepReversal) -> [MigrationStep] {
    [reversal.undoing(keepsParent ? .dropField(field) : .setParent(from: field, keepsField: false))]
  }
}

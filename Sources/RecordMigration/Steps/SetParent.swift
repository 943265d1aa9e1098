import RecordCoding
import RecordModel

extension MigrationAction {
  /// Sets the parent to the record that a field references.
  public static func setParent(from name: String, keepsField: Bool = true) -> MigrationAction {
    MigrationAction(SetParent(field: name, keepsField: keepsField))
  }
}

struct SetParent: PlannedStepKind {
  static let name = "set-parent"
  static let keys = ["field", "keep-field"]

  let field: String
  let keepsField: Bool

  static func read(_ plan: PlanStepReader) throws -> SetParent {
    SetParent(
      field: try plan.field(), keepsField: try plan["keep-field"]?.bool("keep-field") ?? true)
  }

  var effects: StepEffects {
    StepEffects(
      subject: field, reads: .init([field]),
      removes: keepsField ? [:] : [field: "makes it the parent"], changes: .parent, hasValue: true)
  }

  func check(_ check: StepCheck) throws {
    try check.kinds(of: field) { $0.primitive == .reference && !$0.isList }
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    if !keepsField { fields[field] = nil }
  }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    guard let index = record.index(ofField: field) else {
      return keepsField || !record.hasParent ? .unchanged : .ambiguous
    }
    let hadParent = record.hasParent
    if record.setParent(fromFieldAt: index) {
      if !keepsField { record.remove(field) }
      return .changed(isExact: !hadParent)
    }
    let value = record.field(at: index)
    guard case .reference(let reference) = value.value else {
      throw StepMisfit(field, "\(value.value.kindInWords), and a parent is a reference")
    }
    guard !value.isEncrypted else {
      throw StepMisfit(field, "an encrypted value, and a parent is not")
    }
    guard reference.recordID.zoneID == record.zoneID else {
      throw StepMisfit(field, "a reference to another zone, and a parent lies in the record's own")
    }
    let isExact =
      !hadParent
      && (keepsField
        || reference.action == .none && reference.otherMembers.isEmpty
          && value.otherMembers.isEmpty)
    if !keepsField { record.remove(field) }
    record.parent = Reference(recordID: reference.recordID)
    return .changed(isExact: isExact)
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard keepsField else { return [reversal.undoing(.setReference(field, keepsParent: false))] }
    guard reversal.step.condition == nil else {
      throw NoInverse("which parents it has set under its condition is not known")
    }
    let hasField = try StepReversal.condition("has(field('\(field)'))")
    return [reversal.undoing(.clearParent, where: hasField)]
  }
}

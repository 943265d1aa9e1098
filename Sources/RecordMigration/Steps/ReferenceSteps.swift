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

struct SetReference: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["set-reference": ["field", "action", "keep-parent"]]

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

  func run(_: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
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

extension MigrationAction {
  /// Sets the parent to the record that a field references.
  public static func setParent(from name: String, keepsField: Bool = true) -> MigrationAction {
    MigrationAction(SetParent(field: name, keepsField: keepsField))
  }
}

struct SetParent: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["set-parent": ["field", "keep-field"]]

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

  func run(_: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
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
      throw StepMisfit(field, "\(value.value.kindInWords), but a parent must be a reference")
    }
    guard !value.isEncrypted else {
      throw StepMisfit(field, "an encrypted value, but a parent cannot be encrypted")
    }
    guard reference.recordID.zoneID == record.zoneID else {
      throw StepMisfit(field, "a reference to another zone, but a parent must be in the same zone")
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
      throw NoInverse("the records whose parent it set are unknown")
    }
    let hasField = try StepReversal.condition("has(field('\(field)'))")
    return [reversal.undoing(.clearParent, where: hasField)]
  }
}

extension MigrationAction {
  /// Removes the parent.
  public static var clearParent: MigrationAction { MigrationAction(ClearParent()) }
}

struct ClearParent: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["clear-parent": [String]()]

  static func read(_: PlanStepReader) -> Self { Self() }

  var effects: StepEffects { StepEffects(changes: .parent) }

  func run(_: MigrationRunner, _ record: EditableRecord) -> StepOutcome {
    guard record.hasParent else { return .unchanged }
    record.parent = nil
    return .dropped
  }

  func inverse(_: StepReversal) throws -> [MigrationStep] {
    throw NoInverse("the removed parent cannot be restored")
  }
}

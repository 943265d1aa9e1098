import RecordCoding
import RecordModel

extension MigrationAction {
  /// Merges several record types into one. The discriminator field, if any, stores the former type,
  /// which makes the step reversible.
  public static func mergeTypes(into name: String, discriminator: String?) -> MigrationAction {
    MigrationAction(MergeTypes(newName: name, discriminator: discriminator))
  }
}

struct MergeTypes: PlannedStepKind {
  static let name = "merge-types"
  static let keys = ["into", "discriminator"]

  let newName: String
  let discriminator: String?

  static func read(_ plan: PlanStepReader) throws -> MergeTypes {
    MergeTypes(
      newName: try plan.text("into", "the type they become"),
      discriminator: try plan["discriminator"]?.text("discriminator"))
  }

  var effects: StepEffects {
    StepEffects(
      creates: .init(discriminator.map { [$0] } ?? [], "discriminator"),
      newType: .init(member: "into", name: newName), changes: .recordType)
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? { step.faultOfUnnamedTypes }

  func change(_ fields: inout SchemaWalk.Fields) {
    if let discriminator { fields[discriminator, default: []].insert(.string) }
  }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    if let discriminator {
      guard !record.hasField(discriminator) else {
        throw StepMisfit(discriminator, "the field that should keep the former type has a value")
      }
      record.set(discriminator, to: .string(record.recordType))
    }
    record.setRecordType(newName)
    return .retyped
  }

  func prepareForOthers(_ selection: MigrationStep.Selection) -> PreparedStep.Body {
    { _, record in
      guard let discriminator,
        case .string(let type)? = record.field(named: discriminator)?.value
      else { return .unchanged }
      return selection.contains(recordType: type) ? .ambiguous : .unchanged
    }
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard let discriminator else {
      throw NoInverse("which type a record had is not known; a 'discriminator' keeps it")
    }
    let types = (reversal.step.selection.recordTypes ?? []).sorted()
    guard types.contains(newName) || !reversal.types.contains(newName) else {
      throw NoInverse("there were records of type '\(newName)' before")
    }
    return try types.flatMap { type -> [MigrationStep] in
      let isType = try StepReversal.condition("field('\(discriminator)') == '\(type)'")
      let drop = reversal.undoing(.dropField(discriminator), type: type, where: isType)
      if type == newName { return [drop] }
      return [reversal.undoing(.renameType(to: type), type: newName, where: isType), drop]
    }
  }
}

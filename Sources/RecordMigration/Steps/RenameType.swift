import RecordCoding

extension MigrationAction {
  /// Renames the record type.
  public static func renameType(to name: String) -> MigrationAction {
    MigrationAction(RenameType(newName: name))
  }
}

struct RenameType: PlannedStepKind {
  static let name = "rename-type"
  static let keys = ["to"]

  let newName: String

  static func read(_ plan: PlanStepReader) throws -> RenameType {
    RenameType(newName: try plan.text("to", "the type's new name"))
  }

  var effects: StepEffects {
    StepEffects(newType: .init(member: "to", name: newName), changes: .recordType)
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? { step.faultOfUnnamedTypes }

  func run(_ record: EditableRecord, _: MigrationRunner) -> StepOutcome {
    record.setRecordType(newName)
    return .retyped
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    let types = reversal.step.selection.recordTypes
    guard types?.count == 1, let type = types?.first else {
      throw NoInverse("several types get one name; merge-types with a discriminator keeps them")
    }
    guard !reversal.types.contains(newName) else {
      throw NoInverse("there were records of type '\(newName)' before")
    }
    return [reversal.undoing(.renameType(to: type), type: newName)]
  }
}

import RecordCoding
import RecordSchema

extension MigrationAction {
  /// Moves the value from the record's encrypted values to the plain ones.
  public static func decrypt(_ name: String) -> MigrationAction {
    MigrationAction(DecryptField(field: name))
  }
}

struct DecryptField: PlannedStepKind {
  static let name = "decrypt"
  static let keys = ["field"]

  let field: String

  static func read(_ plan: PlanStepReader) throws -> Self { Self(field: try plan.field()) }

  var effects: StepEffects { .changingValue(of: field) }

  func check(_ check: StepCheck) throws {
    let kinds = check.fields[field]
    if !kinds.isEmpty, !kinds.contains(where: \.isEncrypted) {
      throw check.error("field", "field '\(field)' is not encrypted")
    }
  }

  func change(_ fields: inout SchemaWalk.Fields) { fields.setEncrypted(false, field) }

  func run(_ record: EditableRecord, _: MigrationRunner) -> StepOutcome {
    guard let index = record.index(ofField: field) else { return .unchanged }
    guard record.isEncrypted(at: index) else { return .ambiguous }
    record.setEncrypted(false, at: index)
    return .changed(isExact: true)
  }

  func inverse(_ reversal: StepReversal) -> [MigrationStep] { [reversal.undoing(.encrypt(field))] }
}

extension SchemaWalk.Fields {
  mutating func setEncrypted(_ isEncrypted: Bool, _ field: String) {
    self[field] = self[field].map { kinds in
      Set(
        kinds.map {
          CloudSchema.FieldType($0.primitive, isList: $0.isList, isEncrypted: isEncrypted)
        })
    }
  }
}

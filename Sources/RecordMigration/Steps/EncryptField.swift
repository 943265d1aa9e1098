import RecordCoding
import RecordModel

extension MigrationAction {
  /// Moves the value to the record's encrypted values.
  public static func encrypt(_ name: String) -> MigrationAction {
    MigrationAction(EncryptField(field: name))
  }
}

struct EncryptField: PlannedStepKind {
  static let name = "encrypt"
  static let keys = ["field"]

  let field: String

  static func read(_ plan: PlanStepReader) throws -> Self { Self(field: try plan.field()) }

  var effects: StepEffects { .changingValue(of: field) }

  func check(_ check: StepCheck) throws {
    if check.step.selection.databases == [.public] {
      throw check.error("database", "the public database has no encrypted values")
    }
    let kinds = check.fields[field]
    if !kinds.isEmpty, kinds.allSatisfy(\.isEncrypted) {
      throw check.error("field", "field '\(field)' is already encrypted")
    }
    try check.kinds(of: field) { $0.primitive.canBeEncrypted }
  }

  func change(_ fields: inout SchemaWalk.Fields) { fields.setEncrypted(true, field) }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    guard let index = record.index(ofField: field) else { return .unchanged }
    guard !record.isEncrypted(at: index) else { return .ambiguous }
    try Self.check(record.valueType(at: index), field, record.database)
    record.setEncrypted(true, at: index)
    return .changed(isExact: true)
  }

  static func check(_ type: ValueType?, _ name: String, _ database: DatabaseScope) throws {
    guard database != .public else {
      throw StepMisfit(name, "a record of the public database, which has no encrypted values")
    }
    switch type?.single {
    case .asset, .reference, nil:
      throw StepMisfit(name, "\(ValueType.inWords(type)), which cannot be encrypted")
    default: break
    }
  }

  func inverse(_ reversal: StepReversal) -> [MigrationStep] { [reversal.undoing(.decrypt(field))] }
}

import RecordCoding
import RecordModel

extension MigrationAction {
  /// Copies a value from another record, which a reference leads to. The value is that at the
  /// beginning of the migration. Nothing is added if the reference or the value is missing.
  ///
  /// - Parameters:
  ///   - name: The field to add. It is encrypted if the value is.
  ///   - reference: The field with the reference; `parent` for the parent.
  ///   - recordType: The type of the other record at the beginning of the migration.
  ///   - other: The field of the other record.
  public static func lookUp(
    _ name: String, through reference: String, of recordType: String, from other: String
  ) -> MigrationAction {
    MigrationAction(
      LookUp(
        field: name, reference: reference,
        source: LookUpSource(recordType: recordType, field: other)))
  }
}

/// A field of other records, by its name at the beginning of a migration.
package struct LookUpSource: Sendable, Hashable {
  @ExactText package var recordType: String
  @ExactText package var field: String
}

struct LookUp: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["look-up": ["field", "through", "of", "from"]]

  let field: String
  let reference: String
  let source: LookUpSource

  private var isThroughParent: Bool { reference == ExpressionNode.SystemName.parent.rawValue }

  static func read(_ plan: PlanStepReader) throws -> LookUp {
    LookUp(
      field: try plan.field(),
      reference: try plan.text("through", "the field with a reference, or parent"),
      source: LookUpSource(
        recordType: try plan.text("of", "the type of the record that it refers to"),
        field: try plan.text("from", "the field of that record")))
  }

  var effects: StepEffects {
    StepEffects(
      subject: field, reads: isThroughParent ? .init() : .init([reference], "through"),
      creates: .init([field]), fillsUp: true,
      names: [
        .init(member: "of", name: source.recordType), .init(member: "from", name: source.field),
      ],
      lookUp: source, canBeLeftOut: true)
  }

  func check(_ check: StepCheck) throws {
    guard !isThroughParent else { return }
    try check.kinds(of: reference, at: "through", forLists: Self.remedyForLists) {
      $0.primitive == .reference && !$0.isList
    }
  }

  /// A list would have the values of some references, without those that are missing: nobody could
  /// tell which is which.
  private static let remedyForLists =
    "; split-list makes a record of each element, and that can look its value up"

  func run(_ runner: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
    guard !record.hasField(field) else { return .ambiguous }
    guard let target = try target(of: record) else { return .unchanged }
    guard let found = runner.lookUp(source, target, in: record.database) else {
      throw StepMisfit(
        field,
        "'\(reference)' refers to '\(target)', which was no record of type '\(source.recordType)' "
          + "when the plan began")
    }
    guard let other = found else { return .unchanged }
    record.set(
      Field(
        name: field, value: other.value, isEncrypted: other.isEncrypted,
        otherMembers: other.otherMembers))
    return .changed(isExact: true)
  }

  private func target(of record: EditableRecord) throws -> RecordID? {
    if isThroughParent { return record.parent?.recordID }
    guard let value = record.field(named: reference)?.value else { return nil }
    guard case .reference(let reference) = value else {
      throw StepMisfit(
        field,
        "'\(self.reference)' is \(value.kindInWords), not a reference"
          + (value.elements == nil ? "" : Self.remedyForLists))
    }
    return reference.recordID
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    try reversal.dropping(field)
  }
}

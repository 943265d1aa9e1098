import RecordCoding
import RecordModel
import RecordSchema

extension MigrationAction {
  /// Splits a string at a separator. The number of parts must equal the number of fields.
  public static func split(
    _ name: String, into names: [String], separator: String
  ) -> MigrationAction {
    MigrationAction(SplitField(field: name, parts: names, separator: separator))
  }
}

struct SplitField: PlannedStepKind {
  static let name = "split"
  static let keys = ["field", "into", "separator"]

  let field: String
  let parts: [String]
  let separator: String

  static func read(_ plan: PlanStepReader) throws -> SplitField {
    SplitField(
      field: try plan.field(),
      parts: try plan.required("into", "the fields of the parts").texts("into"),
      separator: try plan.separator())
  }

  var effects: StepEffects {
    let words = parts.map { "'\($0)'" }.joined(separator: ", ")
    return StepEffects(
      subject: field, reads: .init([field]), creates: .init(parts, "into"),
      removes: [field: "splits it into \(words)"], hasValue: true, restoresKeptValues: true)
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? {
    Self.fault(
      parts, separator, "into", "a string is split into at least two fields, each named once")
  }

  static func fault(
    _ names: [String], _ separator: String, _ member: String, _ message: String
  ) -> MigrationStep.Fault? {
    guard names.count >= 2, Set(names).count == names.count else {
      return (member, message)
    }
    return separator.isEmpty ? ("separator", "the separator is empty") : nil
  }

  func check(_ check: StepCheck) throws {
    try check.kinds(of: field) { $0.primitive == .string && !$0.isList }
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    let isEncrypted = fields.removeValue(forKey: field)?.contains(where: \.isEncrypted) == true
    for part in parts { fields[part] = [CloudSchema.FieldType(.string, isEncrypted: isEncrypted)] }
  }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    guard let field = record.field(named: field) else {
      return parts.contains(where: record.hasField) ? .ambiguous : .unchanged
    }
    guard case .string(let text) = field.value else {
      throw StepMisfit(self.field, "\(field.value.kindInWords), but only strings can be split")
    }
    let texts = text.separated(by: separator)
    guard texts.count == parts.count else {
      throw StepMisfit(
        self.field, "a string with \(Phrase.count(texts.count, "part")) for \(parts.count) fields")
    }
    guard texts.allSatisfy({ $0.utf8.count <= ExpressionLimits.maxSize }) else {
      throw StepMisfit(self.field, ExpressionLimits.tooLarge)
    }
    for target in parts where target != self.field && record.hasField(target) {
      throw StepMisfit(self.field, "field '\(target)' already has a value")
    }
    record.remove(self.field)
    for (target, text) in zip(parts, texts) {
      record.set(target, to: .string(text), isEncrypted: field.isEncrypted)
    }
    return .changed(isExact: field.otherMembers.isEmpty)
  }

  func inverse(_ reversal: StepReversal) -> [MigrationStep] {
    [reversal.undoing(.join(parts, into: field, separator: separator))]
  }
}

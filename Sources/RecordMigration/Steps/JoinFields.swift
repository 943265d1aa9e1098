import RecordCoding
import RecordModel
import RecordSchema

extension MigrationAction {
  /// Joins the strings of several fields. Numbers and dates are converted to strings.
  public static func join(
    _ names: [String], into name: String, separator: String
  ) -> MigrationAction {
    MigrationAction(JoinFields(parts: names, field: name, separator: separator))
  }
}

struct JoinFields: PlannedStepKind {
  static let name = "join"
  static let keys = ["fields", "into", "separator"]

  let parts: [String]
  let field: String
  let separator: String

  static func read(_ plan: PlanStepReader) throws -> JoinFields {
    JoinFields(
      parts: try plan.required("fields", "the fields to join").texts("fields"),
      field: try plan.text("into", "the field for the result"), separator: try plan.separator())
  }

  var effects: StepEffects {
    var effects = StepEffects(
      subject: field, reads: .init(parts, "fields"), creates: .init([field], "into"),
      canBeLeftOut: true)
    for part in parts where part != field { effects.removes[part] = "joins it into '\(field)'" }
    return effects
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? {
    SplitField.fault(
      parts, separator, "fields", "at least two fields are required, each named once")
  }

  func check(_ check: StepCheck) throws {
    for part in parts { try check.kinds(of: part, at: "fields") { $0.hasText && !$0.isList } }
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    let kinds = parts.compactMap { fields.removeValue(forKey: $0) }.flatMap { $0 }
    fields[field] = [
      CloudSchema.FieldType(.string, isEncrypted: kinds.contains(where: \.isEncrypted))
    ]
  }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    let fields = parts.map { record.field(named: $0) }
    if fields.allSatisfy({ $0 == nil }) {
      return record.hasField(field) ? .ambiguous : .unchanged
    }
    var texts: [String] = []
    var isExact = true
    for (source, field) in zip(parts, fields) {
      guard let field else { throw StepMisfit(source, "there is no value to join") }
      guard let text = TextForm.text(of: field.value) else {
        throw StepMisfit(source, "\(field.value.kindInWords), which cannot be joined")
      }
      if case .string = field.value {} else { isExact = false }
      if !field.otherMembers.isEmpty { isExact = false }
      texts.append(text)
    }
    guard parts.contains(field) || !record.hasField(field) else {
      throw StepMisfit(field, "the field already has a value")
    }
    // A single encrypted part makes the result encrypted.
    let isEncrypted = fields.contains { $0?.isEncrypted == true }
    if fields.contains(where: { $0?.isEncrypted != isEncrypted }) { isExact = false }
    let size = texts.reduce((texts.count - 1) * separator.utf8.count) { $0 + $1.utf8.count }
    guard size <= ExpressionLimits.maxSize else {
      throw StepMisfit(field, ExpressionLimits.tooLarge)
    }
    let text = texts.joined(separator: separator)
    if !text.separated(by: separator).elementsEqual(texts, by: { $0.sameScalars(as: $1) }) {
      isExact = false
    }
    for source in parts { record.remove(source) }
    record.set(field, to: .string(text), isEncrypted: isEncrypted)
    return .changed(isExact: isExact)
  }

  func inverse(_ reversal: StepReversal) -> [MigrationStep] {
    [reversal.undoing(.split(field, into: parts, separator: separator))]
  }
}

extension CloudSchema.FieldType {
  fileprivate var hasText: Bool {
    switch primitive {
    case .string, .int64, .double, .timestamp, .number: true
    default: false
    }
  }
}

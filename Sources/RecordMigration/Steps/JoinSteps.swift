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

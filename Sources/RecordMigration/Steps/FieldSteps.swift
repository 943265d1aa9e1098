import RecordCoding
import RecordModel
import RecordSchema

extension MigrationAction {
  /// The source of a new field's value.
  public enum FieldSource: Sendable, Hashable {
    /// A constant for all records.
    case constant(RecordValue)
    /// The value of another field. Nothing is added if that field has no value.
    case field(String)
    /// The value of an expression. Nothing is added if it is `null`.
    case expression(RecordExpression)

    /// The source as an expression, without sharing objects.
    var expression: ExpressionNode {
      switch self {
      case .constant(let value): .constant(.value(value))
      case .field(let name): .field(name)
      case .expression(let expression): expression.root.copied()
      }
    }
  }

  /// Adds a field to records that do not have it.
  public static func addField(
    _ name: String, _ source: FieldSource, type: ValueType? = nil, isEncrypted: Bool = false
  ) -> MigrationAction {
    MigrationAction(AddField(field: name, source: source, type: type, isEncrypted: isEncrypted))
  }
}

struct AddField: PlannedStepKind {
  static let names: KeyValuePairs = ["add-field": ["field", "as", "value", "from", "expression"]]

  let field: String
  let source: MigrationAction.FieldSource
  let type: ValueType?
  let isEncrypted: Bool

  static func read(_ plan: PlanStepReader) throws -> AddField {
    let field = try plan.field()
    let fieldType = try plan["as"]?.fieldType("as")
    let type = fieldType.flatMap(ValueType.init)
    let given = ["value", "from", "expression"].filter { plan[$0] != nil }
    guard given.count == 1, let key = given.first, let node = plan[key] else {
      throw plan.error(
        given.isEmpty
          ? "a new field needs one of 'value', 'from' (another field) and 'expression'"
          : "a new field has one source, but this has \(given.joined(separator: " and "))")
    }
    let source: MigrationAction.FieldSource =
      switch key {
      case "value": .constant(try node.constant("value", as: type))
      case "from": .field(try node.text("from"))
      default: .expression(try node.expression("expression"))
      }
    return AddField(
      field: field, source: source, type: type, isEncrypted: fieldType?.isEncrypted ?? false)
  }

  var effects: StepEffects {
    var effects = StepEffects(
      subject: field, creates: .init([field]), fillsUp: true, types: .init([field], "as", "field"),
      canBeLeftOut: true)
    switch source {
    case .constant: break
    case .field(let other): effects.reads = .init([other], "from")
    case .expression(let expression): effects.expression = ("expression", expression)
    }
    return effects
  }

  func check(_ check: StepCheck) throws {
    if case .expression(let expression) = source {
      try check.expression(
        expression, "expression", "the field", type.map(ExpressionKinds.Need.value) ?? .any)
    }
    guard !isEncrypted else { return }
    for field in source.expression.valueFields where check.fields.isEncrypted(field) {
      var member = "expression"
      if case .field = source { member = "from" }
      throw check.error(
        member,
        "'\(field)' is encrypted, but the new field would be plain; give it a type "
          + "with 'as: ENCRYPTED …', or decrypt '\(field)' before")
    }
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    let kinds = kinds(fields)
    if fields[field] == nil || !kinds.isEmpty { fields[field, default: []].formUnion(kinds) }
  }

  /// Returns the possible types of the new field.
  private func kinds(_ fields: SchemaWalk.Fields) -> Set<CloudSchema.FieldType> {
    var value = type
    if value == nil, case .constant(let constant) = source { value = constant.type }
    if let value {
      return CloudSchema.FieldType(of: value, isEncrypted: isEncrypted).map { [$0] } ?? []
    }
    switch source {
    case .field(let other):
      return Set(
        (fields[other] ?? []).map {
          CloudSchema.FieldType($0.primitive, isList: $0.isList, isEncrypted: isEncrypted)
        })
    default: return []
    }
  }

  func prepare() -> PreparedStep.Body {
    let value = source.expression
    let fields = isEncrypted ? [] : value.valueFields
    return { _, record in
      try checkSecrecy(of: fields, record)
      return try add(value, record)
    }
  }

  private func add(_ source: ExpressionNode, _ record: EditableRecord) throws -> StepOutcome {
    guard !record.hasField(field) else { return .ambiguous }
    if let copy = source.copy(for: record), !isEncrypted, type == nil || type == copy.type,
      record.add(field, copying: copy.fields, asList: copy.isList, isEncrypted: false)
    {
      return .changed(isExact: true)
    }
    guard var value = try source.value(for: record).recordValue else { return .unchanged }
    if let type, value.type != type {
      if value == .emptyList, type.isList {
        value = .empty(type)
      } else if case .int64(let number) = value, type == .double,
        let exact = Double(exactly: number)
      {
        value = .double(exact)
      } else {
        throw StepMisfit(
          field,
          "the value is \(value.kindInWords), and \(type.rawValue) was expected"
            + (value.type.map { ExpressionKinds.Need.value(type).remedy(for: .init($0)) } ?? ""))
      }
    }
    if isEncrypted { try SetEncryption.check(value.type, field, record.database) }
    record.set(field, to: value, isEncrypted: isEncrypted)
    return .changed(isExact: true)
  }

  /// Throws if a plain field would be derived from an encrypted value, which must stay encrypted.
  private func checkSecrecy(of fields: [String], _ record: EditableRecord) throws {
    guard !fields.isEmpty, !record.hasField(field) else { return }
    guard let secret = fields.first(where: record.isEncrypted) else { return }
    throw StepMisfit(
      field,
      "'\(secret)' is encrypted, but this field would be plain; make it ENCRYPTED too, or "
        + "decrypt '\(secret)' before")
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    try reversal.dropping(field)
  }
}

extension MigrationAction {
  /// Renames a field. The value does not fit if the new field already has one.
  public static func renameField(_ name: String, to newName: String) -> MigrationAction {
    MigrationAction(RenameField(field: name, newName: newName))
  }
}

struct RenameField: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["rename-field": ["field", "to"]]

  let field: String
  let newName: String

  static func read(_ plan: PlanStepReader) throws -> RenameField {
    RenameField(field: try plan.field(), newName: try plan.text("to", "the field's new name"))
  }

  var effects: StepEffects {
    StepEffects(
      subject: field, reads: .init([field]), creates: .init([newName], "to"),
      removes: [field: "renames it to '\(newName)'"], renames: (field, newName), hasValue: true)
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    fields[newName, default: []].formUnion(fields.removeValue(forKey: field) ?? [])
  }

  func run(_: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
    guard record.hasField(field) else {
      return record.hasField(newName) ? .ambiguous : .unchanged
    }
    guard !record.hasField(newName) else {
      throw StepMisfit(field, "field '\(newName)' already has a value")
    }
    record.renameField(field, to: newName)
    return .changed(isExact: true)
  }

  func inverse(_ reversal: StepReversal) -> [MigrationStep] {
    [reversal.undoing(.renameField(newName, to: field))]
  }
}

extension MigrationAction {
  /// Drops a field.
  public static func dropField(_ name: String) -> MigrationAction {
    MigrationAction(DropField(field: name))
  }
}

struct DropField: PlannedStepKind {
  static let names: KeyValuePairs = ["drop-field": ["field"]]

  let field: String

  static func read(_ plan: PlanStepReader) throws -> Self { Self(field: try plan.field()) }

  var effects: StepEffects {
    StepEffects(subject: field, reads: .init([field]), removes: [field: "drops it"], assets: .loses)
  }

  func change(_ fields: inout SchemaWalk.Fields) { fields[field] = nil }

  func prepare() -> PreparedStep.Body {
    { _, record in record.remove(field) ? .dropped : .unchanged }
  }

  func inverse(_: StepReversal) throws -> [MigrationStep] {
    throw NoInverse("dropped values cannot be restored")
  }
}

extension MigrationAction {
  /// Moves the value to the record's encrypted values.
  public static func encrypt(_ name: String) -> MigrationAction {
    MigrationAction(SetEncryption(field: name, isEncrypted: true))
  }

  /// Moves the value from the record's encrypted values to the plain ones.
  public static func decrypt(_ name: String) -> MigrationAction {
    MigrationAction(SetEncryption(field: name, isEncrypted: false))
  }
}

struct SetEncryption: PlannedStepKind, PlainStepKind {
  static let names: KeyValuePairs = ["encrypt": ["field"], "decrypt": ["field"]]

  let field: String
  let isEncrypted: Bool

  static func read(_ plan: PlanStepReader) throws -> Self {
    Self(field: try plan.field(), isEncrypted: plan.name == "encrypt")
  }

  var name: String { isEncrypted ? "encrypt" : "decrypt" }

  var effects: StepEffects { .changingValue(of: field) }

  func check(_ check: StepCheck) throws {
    if isEncrypted, check.step.selection.databases == [.public] {
      throw check.error("database", "the public database has no encrypted values")
    }
    let kinds = check.fields[field]
    if !kinds.isEmpty, kinds.allSatisfy({ $0.isEncrypted == isEncrypted }) {
      throw check.error(
        "field", "field '\(field)' is \(isEncrypted ? "already" : "not") encrypted")
    }
    if isEncrypted { try check.kinds(of: field) { $0.primitive.canBeEncrypted } }
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    fields[field] = fields[field].map { kinds in
      Set(
        kinds.map {
          CloudSchema.FieldType($0.primitive, isList: $0.isList, isEncrypted: isEncrypted)
        })
    }
  }

  func run(_: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
    guard let index = record.index(ofField: field) else { return .unchanged }
    guard record.isEncrypted(at: index) != isEncrypted else { return .ambiguous }
    if isEncrypted { try Self.check(record.valueType(at: index), field, record.database) }
    record.setEncrypted(isEncrypted, at: index)
    return .changed(isExact: true)
  }

  /// Throws if a value cannot be encrypted.
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

  func inverse(_ reversal: StepReversal) -> [MigrationStep] {
    [reversal.undoing(isEncrypted ? .decrypt(field) : .encrypt(field))]
  }
}

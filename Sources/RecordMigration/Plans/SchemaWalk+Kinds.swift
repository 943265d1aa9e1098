import RecordModel
import RecordSchema

/// Checks for types that no value of a field can be converted to. These are errors in the plan, not
/// misfits of single records.
extension SchemaWalk {
  func checkKinds(_ step: MigrationStep, _ selected: [String]) throws {
    let known = KnownFields(selected.compactMap { types[$0] })
    if let condition = step.condition {
      try check(condition, "where", step, known, "a condition", .truth)
    }
    switch step.action {
    case .convert(let name, let conversion):
      try check(conversion, of: known[name], name, step)
    case .encrypt(let name): try checkEncrypt(known[name], name, step)
    case .decrypt(let name):
      if known[name].allSatisfy({ !$0.isEncrypted }) && !known[name].isEmpty {
        throw error(step, "field", "field '\(name)' is not encrypted")
      }
    case .setParent(let name, _):
      try check(known[name], name, step) { $0.primitive == .reference && !$0.isList }
    case .split(let name, _, _):
      try check(known[name], name, step) { $0.primitive == .string && !$0.isList }
    case .join(let names, _, _):
      for name in names {
        try check(known[name], name, step, at: "fields") { $0.hasText && !$0.isList }
      }
    case .mapValues(let name, let map): try check(map, of: known[name], name, step)
    case .renameRecords(let expression, let reverse):
      try check(expression, "name", step, known, "a record's name", .text)
      try checkSecrecy(ofName: expression, "name", step, known)
      if let reverse {
        try check(reverse, "reverse", step, known, "a record's name", .text)
        try checkSecrecy(ofName: reverse, "reverse", step, known)
      }
    case .addField(_, .expression(let expression), let type, _):
      try check(
        expression, "expression", step, known, "the field",
        type.map(ExpressionKinds.Use.value) ?? .any)
    default: break
    }
    if case .addField(_, let source, _, false) = step.action {
      try checkSecrecy(of: source, step, known)
    }
  }

  /// Throws if a plain field would be derived from an encrypted value, which must stay encrypted.
  private func checkSecrecy(
    of source: MigrationAction.FieldSource, _ step: MigrationStep, _ known: KnownFields
  ) throws {
    for field in source.expression.valueFields where known.isEncrypted(field) {
      var member = "expression"
      if case .field = source { member = "from" }
      throw error(
        step, member,
        "'\(field)' is encrypted, and the new field would be made of it in plain; give that a type "
          + "with 'as: ENCRYPTED …', or decrypt '\(field)' before")
    }
  }

  private func checkSecrecy(
    ofName expression: RecordExpression, _ member: String, _ step: MigrationStep,
    _ known: KnownFields
  ) throws {
    guard let field = expression.root.valueFields.first(where: known.isEncrypted) else { return }
    throw error(
      step, member,
      "'\(field)' is encrypted, and a record's name is not; the name must not be made of it")
  }

  private func check(
    _ expression: RecordExpression, _ member: String, _ step: MigrationStep,
    _ fields: KnownFields, _ what: String, _ use: ExpressionKinds.Use
  ) throws {
    do {
      let kinds = try ExpressionKinds(fields).kinds(of: expression.root)
      guard let kinds, !use.allows(kinds) else { return }
      throw error(
        step, member, "\(member): \(what) is \(use.words), and this is \(kinds.inWords)")
    } catch let fault as ExpressionError {
      guard var place = step.places["\(member)."] else {
        throw error(step, member, "\(member), \(fault.description)")
      }
      place.column += fault.column - 1
      throw PlanError(place, "\(member): \(fault.message)")
    }
  }

  /// - Parameter kinds: The types of the field. Empty if unknown.
  private func check(
    _ kinds: Set<Schema.FieldType>, _ name: String, _ step: MigrationStep,
    at member: String = "field",
    fits: (Schema.FieldType) -> Bool
  ) throws {
    guard !kinds.isEmpty, !kinds.contains(where: fits) else { return }
    throw error(
      step, member,
      "field '\(name)' is \(kinds.inWords) at this step, which \(step.action.name) does "
        + "not take")
  }

  private func checkEncrypt(
    _ kinds: Set<Schema.FieldType>, _ name: String, _ step: MigrationStep
  ) throws {
    if step.selection.databases == [.public] {
      throw error(step, "database", "the public database has no encrypted values")
    }
    guard !kinds.isEmpty else { return }
    if kinds.allSatisfy(\.isEncrypted) {
      throw error(step, "field", "field '\(name)' is encrypted already")
    }
    try check(kinds, name, step) { $0.primitive.canBeEncrypted }
  }

  private func check(
    _ conversion: Conversion, of kinds: Set<Schema.FieldType>, _ name: String, _ step: MigrationStep
  ) throws {
    let types = Set(kinds.compactMap(ValueType.init))
    guard !types.isEmpty, types.count == kinds.count else { return }
    if let original = conversion.original, !types.contains(original) {
      throw error(
        step, "from", "field '\(name)' is \(kinds.inWords) at this step, not \(original.words)")
    }
    let sources = conversion.original.map { [$0] } ?? Array(types)
    if let type = conversion.type, !sources.contains(where: { $0.canBecome(type) }) {
      throw error(
        step, "to", "field '\(name)' is \(kinds.inWords), which cannot become \(type.words)")
    }
    let ends = (sources + [conversion.type].compactMap { $0 }).map { $0.elementType ?? $0 }
    if conversion.dateForm != nil, !ends.contains(.timestamp) {
      throw error(step, "format", "a format is for dates, and '\(name)' is none and becomes none")
    }
    if conversion.scale != nil, !ends.contains(.int64), !ends.contains(.double) {
      throw error(
        step, step.places["multiply"] != nil ? "multiply" : "divide",
        "a factor is for numbers, and '\(name)' is none and becomes none")
    }
  }

  private func check(
    _ map: MigrationAction.ValueMap, of kinds: Set<Schema.FieldType>, _ name: String,
    _ step: MigrationStep
  ) throws {
    let types = Set(kinds.compactMap(ValueType.init).map { $0.elementType ?? $0 })
    guard !types.isEmpty else { return }
    let texts = map.values.keys.map { ($0, TextForm.text(of: $0) ?? "") }
      .sorted { compareUTF8($0.1, $1.1) < 0 }
    for (value, text) in texts {
      guard let type = value.type, !types.contains(type) else { continue }
      let hint =
        types == [.string]
        ? "; a text stands in quotation marks: '\(text)'"
        : types == [.double] && type == .int64 ? "; a double has a point: \(text).0" : ""
      throw PlanError(
        step.places["values.\(text)"] ?? step.place(of: "values")
          ?? fallback,
        "field '\(name)' is \(kinds.inWords), and '\(text)' is \(value.kindInWords)\(hint)")
    }
  }
}

/// The possible types of the fields of several record types. Empty for unknown fields.
struct KnownFields {
  private let list: [SchemaWalk.Fields]

  init(_ list: [SchemaWalk.Fields]) { self.list = list }

  subscript(_ name: String) -> Set<Schema.FieldType> {
    var kinds: Set<Schema.FieldType> = []
    for fields in list {
      guard let known = fields[name] else { continue }
      if known.isEmpty { return [] }
      kinds.formUnion(known)
    }
    return kinds
  }

  /// Returns whether a field is known to be encrypted in all records that have it.
  func isEncrypted(_ name: String) -> Bool {
    let kinds = self[name]
    return !kinds.isEmpty && kinds.allSatisfy(\.isEncrypted)
  }
}

extension Set<Schema.FieldType> {
  /// The types as a phrase, such as `STRING or INT64`.
  var inWords: String { map(\.description).sorted().joined(separator: " or ") }
}

extension Schema.FieldType {
  fileprivate var hasText: Bool {
    switch primitive {
    case .string, .int64, .double, .timestamp, .number: true
    default: false
    }
  }
}

extension ValueType {
  /// The type as written in plans.
  fileprivate var words: String { elementType.map { "LIST<\($0.rawValue)>" } ?? rawValue }

  /// Returns whether some values of this type can be converted to another.
  func canBecome(_ other: ValueType) -> Bool {
    let (old, new) = (elementType ?? self, other.elementType ?? other)
    if old == new { return true }
    switch (old, new) {
    case (.string, .int64), (.string, .double), (.string, .timestamp), (.string, .bytes),
      (.string, .reference), (.int64, .string), (.double, .string), (.timestamp, .string),
      (.bytes, .string), (.reference, .string), (.int64, .double), (.double, .int64),
      (.int64, .timestamp), (.double, .timestamp), (.timestamp, .int64), (.timestamp, .double),
      (.bytes, .asset), (.asset, .bytes):
      return true
    default: return false
    }
  }
}

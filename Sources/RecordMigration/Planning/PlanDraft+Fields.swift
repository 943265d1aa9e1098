import RecordSchema

extension PlanDraft {
  /// Writes the steps for changed fields. Steps refer to types by their new names.
  mutating func write(_ changes: [SharedFieldChange]) {
    var added: [[String]: [FieldShape]] = [:]
    for shared in changes {
      if case .added(let field) = shared.change { added[shared.types, default: []].append(field) }
    }
    for shared in changes {
      switch shared.change {
      case .renamed(let old, let new, let overflow):
        rename(old, new, shared)
        retype(old, new, overflow, shared)
      case .retyped(let old, let new, let overflow): retype(old, new, overflow, shared)
      case .dropped(let field, let heirs): drop(field, heirs, shared)
      case .added:
        // One question covers all fields that were added to the same types.
        add(added.removeValue(forKey: shared.types) ?? [], to: shared.types)
      }
    }
  }

  /// Returns a list of qualified names: `'Chat.title' and 'Message.title'`.
  private static func names(_ types: [String], _ field: String) -> String {
    Phrase.list(types.map { "'\($0).\(field)'" })
  }

  private static func head(_ types: [String], _ field: String) -> [(key: String, value: String)] {
    let names = types.map(PlanText.quoted)
    return [
      ("type", names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]"),
      ("field", PlanText.quoted(field)),
    ]
  }

  /// Returns `; 5 of 6 records have it`, or an empty string without statistics.
  private func count(_ shared: SharedFieldChange) -> String {
    statistics == nil ? "" : "; \(shared.values?.count ?? 0) of \(shared.records) records have it"
  }

  private mutating func rename(_ old: FieldShape, _ new: FieldShape, _ shared: SharedFieldChange) {
    let one = shared.types.count == 1
    ask(
      .renamedField, shared.types, [old.name], candidate: new.name,
      "\(one ? "Is" : "Are") \(Self.names(shared.types, new.name)) (\(new.type)) the new "
        + "\(one ? "name" : "names") of '\(old.name)' (\(old.type)\(count(shared)))? This is a "
        + "guess: " + shared.reasons.joined(separator: ", and ")
        + ". If not, drop the old field (drop-field), and set the new one (add-field).")
    step("rename-field", Self.head(shared.types, old.name) + [("to", PlanText.quoted(new.name))])
  }

  private mutating func drop(_ field: FieldShape, _ heirs: [String], _ shared: SharedFieldChange) {
    let one = shared.types.count == 1
    let names = heirs.prefix(3).map { "'\($0)'" }
    let advice =
      names.isEmpty
      ? ""
      : " (\(Phrase.list(Array(names))) \(names.count == 1 ? "has its type" : "have its type"))"
    ask(
      .removedField, shared.types, [field.name],
      "\(Self.names(shared.types, field.name)) (\(field.type)) \(one ? "was" : "were") removed"
        + "\(count(shared)). Dropped, or renamed\(advice), joined, split or moved into other "
        + "fields?", stepsAreComments: true)
    step("drop-field", Self.head(shared.types, field.name), isComment: true)
  }

  private mutating func add(_ fields: [FieldShape], to types: [String]) {
    guard !fields.isEmpty else { return }
    let shared = types.count > 1
    let names = fields.map { "'\(shared ? "" : types[0] + ".")\($0.name)' (\($0.type))" }
    let one = fields.count == 1
    ask(
      .newField, types, fields.map(\.name),
      "\(Phrase.list(names)) \(one ? "is" : "are") new"
        + (shared ? " in \(Phrase.list(types.map { "'\($0)'" }))" : "")
        + ". Should existing records get \(one ? "a value? It is" : "values? They are") optional.",
      stepsAreComments: true)
    for field in fields {
      let example = field.type.exampleOfConstant.map { "  # or  value: \($0)" } ?? ""
      step(
        "add-field",
        Self.head(types, field.name) + [
          ("as", field.type.ofPlans().description), ("expression", "\"null\"\(example)"),
        ], isComment: true)
    }
  }

  // MARK: Other types

  /// Writes the steps that convert a field's values to its new type. The field already has its new
  /// name.
  private mutating func retype(
    _ old: FieldShape, _ new: FieldShape, _ overflow: String?, _ shared: SharedFieldChange
  ) {
    let change = TypeChange(from: old.type, to: new.type, values: shared.values)
    let head = Self.head(shared.types, new.name)
    if old.type.isEncrypted, !new.type.isEncrypted, change.isPossible {
      ask(
        .decryptedField, shared.types, [new.name],
        "\(Self.names(shared.types, new.name)): no longer encrypted. May everyone who can read the "
          + "record read the values?")
      step("decrypt", head)
    }
    if !change.isNone { convert(new, change, overflow, shared) }
    if !old.type.isEncrypted, new.type.isEncrypted, change.isPossible { step("encrypt", head) }
  }

  private mutating func convert(
    _ new: FieldShape, _ change: TypeChange, _ overflow: String?, _ shared: SharedFieldChange
  ) {
    let head = Self.head(shared.types, new.name)
    let facts = change.facts.map { "; \($0)" } ?? ""
    let what = "\(Self.names(shared.types, new.name)): \(change.from) becomes \(new.type)\(facts)."
    guard change.isPossible else {
      ask(
        .convertedField, shared.types, [new.name],
        what + " There is no conversion. Should the old values be dropped, or kept under another "
          + "name?", stepsAreComments: true)
      step("drop-field", head, isComment: true)
      return
    }
    guard !change.isNaming else {
      ask(
        .convertedField, shared.types, [new.name], what + " Which number is which value?",
        stepsAreComments: true)
      step("map-values", head + [("values", Self.numbering(change.values))], isComment: true)
      return
    }
    var members = head
    if let from = change.from.plainName { members.append(("from", from)) }
    members.append(("to", change.to.shape.description))
    if let format = change.dateFormat { members.append(("format", format)) }
    if let question = Self.question(change, overflow) {
      ask(.convertedField, shared.types, [new.name], "\(what) \(question)")
      if change.isWorthListing, let listed = Self.listed(change.values) {
        text.comment("Values: \(listed)")
      }
    }
    if change.mayFail {
      members.append(("misfit", overflow.map { "{keep-in: \(PlanText.quoted($0))}" } ?? "fail"))
    }
    step("convert", members)
  }

  /// Returns the questions about a conversion, or `nil` if there are none.
  private static func question(_ change: TypeChange, _ overflow: String?) -> String? {
    var questions: [String] = []
    if let format = change.dateFormat {
      questions.append(
        "Is '\(format)' the format of the dates? There are iso8601, seconds, milliseconds, "
          + "reference-seconds, and patterns.")
    }
    if change.mayFail {
      questions.append(
        overflow.map {
          "Should values that do not fit be kept in '\($0)', which is new? Otherwise: fail, null, "
            + "or skip."
        } ?? "How should values that do not fit be treated: fail, null, skip, or {keep-in: FIELD}?")
    } else if change.to.primitive == .string, change.dateFormat == nil,
      change.from.primitive != .string
    {
      questions.append(
        "Should they be written as numbers, or does each stand for a name (map-values)?")
    }
    return questions.isEmpty ? nil : questions.joined(separator: " ")
  }

  /// Returns the distinct values, most frequent first, or `nil` if they are unknown or too many.
  private static func listed(_ values: FieldStatistics.Field?) -> String? {
    guard let values, !values.hasManyValues, !values.distinct.isEmpty else { return nil }
    return values.distinct.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
      .map { "\(PlanText.string($0.key)) (\($0.value))" }.joined(separator: ", ")
  }

  /// Returns a mapping that numbers the values in alphabetical order, as a template.
  private static func numbering(_ values: FieldStatistics.Field?) -> String {
    let pairs = (values?.distinct.keys.sorted() ?? []).enumerated().map {
      "\(PlanText.string($1)): \($0 + 1)"
    }
    return "{\(pairs.joined(separator: ", "))}"
  }
}

extension CloudSchema.FieldType {
  /// The type as used in a step's `from`, or `nil` for NUMBER.
  fileprivate var plainName: String? { primitive == .number ? nil : shape.description }

  /// An example of a constant for such a field, or `nil` if there is no useful one.
  fileprivate var exampleOfConstant: String? {
    guard !isList else { return nil }
    switch primitive {
    case .int64, .double, .number: return "0"
    case .string: return "\"\""
    default: return nil
    }
  }
}

import RecordModel
import RecordSchema

/// A draft of a migration plan, derived from two schemas.
///
/// ```swift
/// let draft = PlanDraft(from: oldSchema, named: "v1", to: newSchema, named: "v2")
/// print(draft.yaml)
/// ```
///
/// Every guess and every gap is marked by a comment that begins with `QUESTION`. Steps that would
/// lose values are commented out, so the plan is rejected until they are decided on. With all of
/// these steps enabled, the plan leads from one schema to the other.
package struct PlanDraft: Sendable {
  /// The text of the plan.
  package var yaml: String { text.yaml }
  /// The number of questions.
  package var questions: Int { asked.count }
  /// The questions, in order of the text.
  package private(set) var asked: [PlanQuestion] = []

  var text = PlanText()
  var renames: ModelRenames?
  private let counts: [ExactString: Int]?

  /// Compares two schemas and creates a draft.
  ///
  /// - Parameters:
  ///   - from: The schema to migrate from.
  ///   - fromName: The version or schema file to write as `from`.
  ///   - to: The schema to migrate to.
  ///   - toName: The version or schema file to write as `to`.
  ///   - models: The models that the schemas were derived from, which say what was renamed.
  ///   - counts: The number of records of each type. `nil` if they are not known.
  ///   - editorSchema: The location of the JSON Schema of plans, for editors. `nil` omits it.
  package init(
    from: CloudSchema, named fromName: String, to: CloudSchema, named toName: String,
    models: (from: MirroredModel?, to: MirroredModel?) = (nil, nil),
    counts: [ExactString: Int]? = nil, editorSchema: String? = nil
  ) {
    self.counts = counts
    renames = ModelRenames(from: models.from, to: models.to)
    if let editorSchema { text.line("# yaml-language-server: $schema=\(editorSchema)") }
    text.line("recordpack-migration: 1")
    text.line("from: \(PlanText.quoted(fromName))")
    text.line("to: \(PlanText.quoted(toName))")
    text.line("steps:")
    let start = text.lineCount
    compareTypes(Self.types(of: from), Self.types(of: to))
    if text.lineCount == start {
      text.line("  []  # the schemas have the same record types and fields")
    }
  }

  /// Returns the record types that are not managed by CloudKit. If a name occurs twice, the first
  /// counts.
  private static func types(of schema: CloudSchema) -> [CloudSchema.RecordType] {
    var names: Set<String> = []
    return (schema.recordTypes + [.builtInUsers]).filter {
      !$0.name.hasPrefix(SchemaNames.managedPrefix) && names.insert($0.name).inserted
    }
  }

  private mutating func compareTypes(
    _ from: [CloudSchema.RecordType], _ to: [CloudSchema.RecordType]
  ) {
    let (known, wanted) = (Set(from.map(\.name)), Set(to.map(\.name)))
    let told = toldTypes(from, to)
    // A new name may be the former name of another type.
    let (moved, taken) = (Set(told.map(\.from.name)), Set(told.map(\.to.name)))
    var removed = from.filter {
      !moved.contains($0.name) && (!wanted.contains($0.name) || taken.contains($0.name))
    }.sorted { $0.name < $1.name }
    let added = to.filter {
      !taken.contains($0.name) && (!known.contains($0.name) || moved.contains($0.name))
    }.sorted { $0.name < $1.name }
    let guesses = RenameGuess.types(removed, added)
    for pair in guesses { renames?.rename(type: pair.from.name, to: pair.to.name) }
    let former = Dictionary((told + guesses).map { ($0.to.name, $0.from) }) { first, _ in first }
    let guessed = Set(guesses.map(\.from.name))
    removed.removeAll { guessed.contains($0.name) }
    for type in removed where taken.contains(type.name) { remove(type, heirs: []) }
    let names = Set(guesses.map(\.to.name))
    let steps = RenameGuess.inOrder(told + guesses, by: \.name, besides: known.union(wanted))
    for pair in steps { rename(pair, isGuess: names.contains(pair.to.name)) }
    let pairs = to.compactMap { new in
      (former[new.name] ?? from.first { $0.name == new.name && !moved.contains($0.name) })
        .map { (old: $0, new: new) }
    }
    // Objects get the new names of their entities when those that are left behind or merged have the
    // former ones.
    for (old, new) in pairs { removeEntities(of: old.name, now: new.name) }
    for type in removed where !taken.contains(type.name) { remove(type, heirs: to) }
    for type in to { renameEntities(of: type.name) }
    if wanted.contains(CoreDataNames.linkType) { removeLinks() }
    renameLinks()
    let fresh = added.filter { former[$0.name] == nil }
    if !fresh.isEmpty {
      let names = fresh.map { "'\($0.name)'" }.joined(separator: ", ")
      text.comment(
        "New: \(names). Nothing to do, unless existing records become records of these types, or "
          + "parts of records do (split-list, split-record).")
      text.line()
    }
    write(SharedFieldChange.all(pairs, renamed: self.renames?.fields ?? { _ in [:] }))
  }

  private mutating func rename(
    _ pair: RenameGuess.Pair<CloudSchema.RecordType>, isGuess: Bool
  ) {
    let (old, new) = (pair.from.name, pair.to.name)
    let why = pair.reasons.isEmpty ? "" : ": \(pair.reasons.joined(separator: ", "))"
    if isGuess {
      ask(
        .renamedType, [old], [], candidate: new,
        "Is '\(new)' the new name of '\(old)'\(why)? If not, remove this step and all "
          + "others for '\(new)', and decide what to do with '\(old)' (delete-type, merge-types).")
    }
    step("rename-type", [("type", PlanText.quoted(old)), ("to", PlanText.quoted(new))])
  }

  private mutating func remove(_ type: CloudSchema.RecordType, heirs: [CloudSchema.RecordType]) {
    let names = Set(type.userFields.map(\.name))
    let told = renames?.recordType(ofObjectsIn: type.name)
    let fitting = heirs.filter { heir in
      !names.isEmpty && names.isSubset(of: heir.userFields.map(\.name))
    }
    let heir = fitting.first { $0.name == told } ?? fitting.first
    let advice =
      heir.map { "merge-types into '\($0.name)', which has all its fields" }
      ?? told.map { "merge-types into '\($0)', and drop-field" } ?? "merge-types"
    let records =
      counts.map { " (\(Phrase.count($0[ExactString(type.name)] ?? 0, "record")))" } ?? ""
    let moves = told.map { " The model stores its objects in '\($0)' now." } ?? ""
    ask(
      .removedType, [type.name], [],
      "'\(type.name)'\(records) was removed.\(moves) Are its records left behind, or merged into "
        + "another type (\(advice))?", stepsAreComments: true)
    let head = ("type", PlanText.quoted(type.name))
    if let heir, heir.name == told {
      step("merge-types", [head, ("into", PlanText.quoted(heir.name))], isComment: true)
    } else {
      step("delete-type", [head], isComment: true)
    }
  }

  // MARK: Writing

  mutating func ask(
    _ kind: PlanQuestion.Kind, _ recordTypes: [String], _ fields: [String],
    candidate: String? = nil, _ question: String, stepsAreComments: Bool = false
  ) {
    let asked = PlanQuestion(
      number: questions + 1, line: text.lineCount + 1, kind: kind, recordTypes: recordTypes,
      fields: fields, candidate: candidate, text: question, stepsAreComments: stepsAreComments)
    self.asked.append(asked)
    text.comment("\(OpenQuestion.mark)\(asked.number): \(question)")
  }

  mutating func step(
    _ name: String, _ members: [(key: String, value: String)], isComment: Bool = false
  ) {
    text.step([("do", name)] + members, isComment: isComment)
  }

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

  private mutating func rename(_ old: FieldShape, _ new: FieldShape, _ shared: SharedFieldChange) {
    let one = shared.types.count == 1
    // Without a reason, the model says so, or it follows the field whose large values it holds.
    if !shared.reasons.isEmpty {
      ask(
        .renamedField, shared.types, [old.name], candidate: new.name,
        "\(one ? "Is" : "Are") \(Self.names(shared.types, new.name)) (\(new.type)) the new "
          + "\(one ? "name" : "names") of '\(old.name)' (\(old.type))? This is a "
          + "guess: " + shared.reasons.joined(separator: ", and ")
          + ". If not, drop the old field (drop-field), and set the new one (add-field).")
    }
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
        + ". Dropped, renamed\(advice), or moved into other fields or records"
        + "\(field.type.isList ? " (split-list)" : "")?", stepsAreComments: true)
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
    let change = TypeChange(from: old.type, to: new.type)
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
    let what = "\(Self.names(shared.types, new.name)): \(change.from) becomes \(new.type)."
    guard change.isPossible else {
      ask(
        .convertedField, shared.types, [new.name],
        what + " There is no conversion. Should the old values be dropped, or kept under another "
          + "name?", stepsAreComments: true)
      step("drop-field", head, isComment: true)
      return
    }
    var members = head
    if let from = change.from.plainName { members.append(("from", from)) }
    members.append(("to", change.to.shape.description))
    if let format = change.dateFormat { members.append(("format", format)) }
    if let question = Self.question(change, overflow) {
      ask(.convertedField, shared.types, [new.name], "\(what) \(question)")
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

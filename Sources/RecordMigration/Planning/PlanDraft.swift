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
public struct PlanDraft: Sendable {
  /// The text of the plan.
  public var yaml: String { text.yaml }
  /// The number of questions.
  public var questions: Int { asked.count }
  /// The questions, in order of the text.
  public private(set) var asked: [PlanQuestion] = []

  var text = PlanText()
  let statistics: FieldStatistics?

  /// Compares two schemas and creates a draft.
  ///
  /// - Parameters:
  ///   - from: The schema to migrate from.
  ///   - fromName: The version or schema file to write as `from`.
  ///   - to: The schema to migrate to.
  ///   - toName: The version or schema file to write as `to`.
  ///   - statistics: Statistics of the values. They may include records of both versions: fields
  ///     with common values are guessed to be renamed.
  ///   - editorSchema: The location of the JSON Schema of plans, for editors. `nil` omits it.
  public init(
    from: CloudSchema, named fromName: String, to: CloudSchema, named toName: String,
    statistics: FieldStatistics? = nil, editorSchema: String? = nil
  ) {
    self.statistics = statistics
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
    let removed = from.filter { !wanted.contains($0.name) }.sorted { $0.name < $1.name }
    let added = to.filter { !known.contains($0.name) }.sorted { $0.name < $1.name }
    let renames = RenameGuess.types(removed, added)
    for pair in renames { rename(pair) }
    for type in removed where !renames.contains(where: { $0.from.name == type.name }) {
      remove(type, heirs: to)
    }
    let fresh = added.filter { type in !renames.contains { $0.to.name == type.name } }
    if !fresh.isEmpty {
      let names = fresh.map { "'\($0.name)'" }.joined(separator: ", ")
      text.comment(
        "New: \(names). Nothing to do, unless existing records become records of these types.")
      text.line()
    }
    let pairs = to.compactMap { new in
      let former = renames.first { $0.to.name == new.name }?.from
      return (former ?? from.first { $0.name == new.name }).map { (old: $0, new: new) }
    }
    write(SharedFieldChange.all(pairs, statistics))
  }

  private mutating func rename(_ pair: RenameGuess.Pair<CloudSchema.RecordType>) {
    let (old, new) = (pair.from.name, pair.to.name)
    let why = pair.reasons.isEmpty ? "" : ": \(pair.reasons.joined(separator: ", "))"
    ask(
      .renamedType, [old], [], candidate: new,
      "Is '\(new)' the new name of '\(old)'\(count(old))\(why)? If not, remove this step and all "
        + "others for '\(new)', and decide what to do with '\(old)' (delete-type, merge-types).")
    step("rename-type", [("type", PlanText.quoted(old)), ("to", PlanText.quoted(new))])
  }

  private mutating func remove(_ type: CloudSchema.RecordType, heirs: [CloudSchema.RecordType]) {
    let names = Set(type.userFields.map(\.name))
    let heir = heirs.first { heir in
      !names.isEmpty && names.isSubset(of: heir.userFields.map(\.name))
    }
    let advice =
      heir.map { "merge-types into '\($0.name)', which has all its fields" } ?? "merge-types"
    ask(
      .removedType, [type.name], [],
      "'\(type.name)' was removed\(count(type.name)). Are its records left behind, or merged into "
        + "another type (\(advice))?", stepsAreComments: true)
    step("delete-type", [("type", PlanText.quoted(type.name))], isComment: true)
  }

  /// Returns `; 5 records are of it`, or an empty string without statistics.
  private func count(_ type: String) -> String {
    guard let statistics else { return "" }
    let count = statistics.records[type] ?? 0
    return "; \(count == 1 ? "1 record is" : "\(count) records are") of it"
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
}

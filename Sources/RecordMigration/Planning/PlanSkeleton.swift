import Foundation
import RecordModel
import RecordSchema

/// The beginning of a plan: what can be told from two schemas is written down, what cannot is asked.
///
/// Every guess and every gap is a comment that begins with `QUESTION`. Steps that would lose values
/// are written as comments: the plan is refused until a human has decided.
public struct PlanSkeleton: Sendable {
  /// The plan's text.
  public private(set) var yaml = ""
  /// The number of questions in it.
  public private(set) var questions = 0
  private let statistics: FieldStatistics?

  /// Lays two schemas side by side.
  ///
  /// - Parameters:
  ///   - fromName: the version or schema file to write as `from`.
  ///   - toName: the same for `to`.
  ///   - statistics: what the values look like.
  public init(
    from: Schema, named fromName: String, to: Schema, named toName: String,
    statistics: FieldStatistics? = nil
  ) {
    self.statistics = statistics
    line("# yaml-language-server: $schema=recordpack-migration-v1.schema.json")
    line("recordpack-migration: 1")
    line("from: \(Self.quoted(fromName))")
    line("to: \(Self.quoted(toName))")
    line("steps:")
    let empty = yaml
    let removed = from.recordTypes.filter { to.recordType(named: $0.name) == nil }
    let added = to.recordTypes.filter { from.recordType(named: $0.name) == nil }
    let renames = RenameGuess.pairs(
      Self.plain(removed), Self.plain(added), name: \.name, likeness: RenameGuess.likeness)
    for (old, new, likeness) in renames {
      ask(
        "Is '\(new.name)' the new name of '\(old.name)'? Their fields and names are alike by "
          + "\(Int(likeness * 100)) of 100.")
      step(["do: rename-type", "type: \(old.name)", "to: \(new.name)"])
    }
    for type in Self.plain(removed) where !renames.contains(where: { $0.from.name == type.name }) {
      ask(
        "'\(type.name)' is gone\(count(type.name)). Are its records left behind, or merged into "
          + "another type (merge-types)?")
      step(["do: delete-type", "type: \(type.name)"], isComment: true)
    }
    for new in to.recordTypes {
      let rename = renames.first { $0.to.name == new.name }
      if let old = rename?.from ?? from.recordType(named: new.name) {
        compare(old, new)
      } else if !new.name.hasPrefix(SchemaNames.managedPrefix) {
        ask("'\(new.name)' is new. Nothing is to be done, unless old records become such ones.")
      }
    }
    if yaml == empty { line("  []  # the schemas do not differ in what records hold") }
  }

  private static func plain(_ types: [Schema.RecordType]) -> [Schema.RecordType] {
    types.filter { !$0.name.hasPrefix(SchemaNames.managedPrefix) && $0.name != "Users" }
      .sorted { $0.name < $1.name }
  }

  private mutating func compare(_ old: Schema.RecordType, _ new: Schema.RecordType) {
    let values = statistics?.types[old.name]
    let removed = old.userFields.filter { new.field(named: $0.name) == nil }
      .sorted { $0.name < $1.name }
    let added = new.userFields.filter { old.field(named: $0.name) == nil }
      .sorted { $0.name < $1.name }
    let renames = RenameGuess.pairs(
      removed, added, name: \.name,
      likeness: { a, b in
        RenameGuess.likeness(
          a, b, areOnlyOnes: removed.count == 1 && added.count == 1, values: values?[a.name])
      })
    for (from, to, _) in renames {
      ask(
        "Is '\(new.name).\(to.name)' (\(to.type)) the new name of '\(from.name)' (\(from.type))"
          + "\(count(old.name, from.name))? If not, drop the old one and say what the new one gets."
      )
      step(["do: rename-field", "type: \(new.name)", "field: \(from.name)", "to: \(to.name)"])
      retype(new.name, to.name, from.type, to.type, values?[from.name])
    }
    for field in old.userFields.sorted(by: { $0.name < $1.name }) {
      guard let target = new.field(named: field.name) else { continue }
      retype(new.name, field.name, field.type, target.type, values?[field.name])
    }
    for field in removed where !renames.contains(where: { $0.from.name == field.name }) {
      ask(
        "'\(new.name).\(field.name)' (\(field.type)) is gone\(count(old.name, field.name)). Is it "
          + "dropped, or joined, split or moved into other fields?")
      step(["do: drop-field", "type: \(new.name)", "field: \(field.name)"], isComment: true)
    }
    for field in added where !renames.contains(where: { $0.to.name == field.name }) {
      ask(
        "'\(new.name).\(field.name)' (\(field.type)) is new. Do old records get a value? It may "
          + "stay without one.")
      step(
        [
          "do: add-field", "type: \(new.name)", "field: \(field.name)", "as: \(field.type)",
          "expression: \"null\"",
        ], isComment: true)
    }
  }

  private mutating func retype(
    _ type: String, _ name: String, _ old: Schema.FieldType, _ new: Schema.FieldType,
    _ values: FieldStatistics.Field?
  ) {
    let head = ["type: \(type)", "field: \(name)"]
    if old.isEncrypted, !new.isEncrypted { step(["do: decrypt"] + head) }
    if old.shape != new.shape, new.primitive != .number {
      ask(
        "'\(type).\(name)' changes from \(old) to \(new)\(Self.facts(values, new)). What becomes "
          + "of a value that does not fit: fail, null, skip, or {keep-in: FIELD}?")
      step(
        ["do: convert"] + head + ["from: \(old.shape)", "to: \(new.shape)", "misfit: fail"])
      if let values, !values.hasManyValues, old.primitive == .string, values.integers < values.count
      {
        line("  # values: \(Self.listed(values))")
      }
    }
    if !old.isEncrypted, new.isEncrypted { step(["do: encrypt"] + head) }
  }

  private static func facts(_ values: FieldStatistics.Field?, _ new: Schema.FieldType) -> String {
    guard let values, values.count > 0 else { return "" }
    switch new.primitive {
    case .int64: return "; \(values.integers) of \(values.count) values are integers"
    case .double: return "; \(values.numbers) of \(values.count) values are numbers"
    case .timestamp: return "; \(values.dates) of \(values.count) values are ISO 8601 dates"
    default: return "; \(values.count) records have a value"
    }
  }

  private static func listed(_ values: FieldStatistics.Field) -> String {
    values.distinct.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
      .map { "\(quoted($0.key)) (\($0.value))" }.joined(separator: ", ")
  }

  private func count(_ type: String, _ field: String? = nil) -> String {
    guard let statistics else { return "" }
    let records = statistics.records[type] ?? 0
    guard let field else { return "; there are \(records) records of it" }
    return "; \(statistics.types[type]?[field]?.count ?? 0) of \(records) records have it"
  }

  private mutating func ask(_ question: String) {
    questions += 1
    var rest = "QUESTION \(questions): \(question)"[...]
    while rest.count > 94, let space = rest.prefix(95).lastIndex(of: " ") {
      line("  # " + rest[..<space])
      rest = rest[rest.index(after: space)...]
    }
    line("  # " + rest)
  }

  private mutating func step(_ members: [String], isComment: Bool = false) {
    for (index, member) in members.enumerated() {
      line((isComment ? "  # " : "  ") + (index == 0 ? "- " : "  ") + member)
    }
    line("")
  }

  private mutating func line(_ text: some StringProtocol) {
    // A name from a file must not end the line it stands in.
    yaml += String(text.map { $0.isNewline ? " " : $0 }) + "\n"
  }

  /// A text as YAML writes it in quotation marks.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
          || [45, 46, 47, 95].contains($0)
      } && text.utf8.first.map { (65...90).contains($0) || (97...122).contains($0) } == true
    if isPlain { return text }
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
    return "\"" + escaped + "\""
  }
}

import Foundation
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// Writes recipes as YAML, with comments for whoever goes on with them.
struct RecipeText {
  let recipe: FixtureRecipe
  let schema: CloudSchema
  /// What the first comment says about the recipe.
  let introduction: [String]

  var yaml: String {
    var lines = introduction.map { "# \($0)" }
    lines.append("\(RecipeReader.key): 1")
    if let container = recipe.container { lines.append("container: \(PlanText.string(container))") }
    if recipe.environment != .development {
      lines.append("environment: \(recipe.environment.rawValue)")
    }
    lines += [
      "", "# Records are created after this date; the clock is never read.",
      "reference-date: \(ISODate.text(of: recipe.referenceDate)?.text ?? "2025-01-01")",
      "# The language of words: \(WordLocale.allCases.map(\.rawValue).joined(separator: ", ")).",
      "locale: \(recipe.locale.rawValue)",
      "# The users of the container; shares and zones of several owners need 2 or more.",
      "users: \(recipe.users)",
      "# true adds empty lists, the longest names, emoji, text from right to left, extreme",
      "# dates and numbers, and references to nothing.",
      "edge-cases: \(recipe.hasEdgeCases)",
    ]
    lines += zones
    lines += ["", "types:"]
    for type in recipe.types { lines += self.lines(of: type) }
    if recipe.types.isEmpty { lines[lines.count - 1] += " {}" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var zones: [String] {
    guard !recipe.zones.isEmpty else { return [] }
    return ["", "zones:"]
      + recipe.zones.map { zone in
        var members: [String] = []
        if zone.owners > 1 { members.append("owners: \(zone.owners)") }
        if zone.copies > 1 { members.append("copies: \(zone.copies)") }
        if zone.isShared { members.append("shared: true") }
        return "  \(PlanText.quoted(zone.name)): {\(members.joined(separator: ", "))}"
      }
  }

  private func lines(of type: TypeRule) -> [String] {
    var lines = ["  \(PlanText.quoted(type.name)):"]
    switch type.home {
    case .parent(let name):
      lines.append("    parent: \(PlanText.quoted(name))")
      lines.append("    count: \(type.count.yaml)  # for each \(name)")
    case .zone(let name):
      lines.append("    zone: \(PlanText.quoted(name))")
      lines.append("    count: \(type.count.yaml)")
    case .publicDatabase:
      lines.append("    database: public")
      if type.name != SchemaNames.usersType { lines.append("    count: \(type.count.yaml)") }
    }
    if type.names != .sequence { lines.append("    names: \(type.names.rawValue)") }
    if !type.isHierarchy { lines.append("    hierarchy: false") }
    if type.sharedRate > 0 { lines.append("    shared: \(CountRule.text(type.sharedRate))") }
    let usual = type.parent == nil ? RecipeGuess.rootCreation : RecipeGuess.childCreation
    if type.creation != usual { lines.append("    created: \(type.creation.durationYAML)") }
    if type.modifiedRate != 0.25 {
      lines.append("    modified: \(CountRule.text(type.modifiedRate))")
    }
    let fields = schema.recordType(named: type.name).map(RecipeGuess.userFields) ?? []
    let known = fields.filter { type.fields[$0.name] != nil }
    guard !known.isEmpty else { return lines }
    lines.append("    fields:")
    for field in known {
      guard let rule = type.fields[field.name] else { continue }
      lines.append("      \(PlanText.quoted(field.name)): \(rule.yaml)  # \(field.type)")
    }
    return lines
  }
}

extension FixtureRecipe {
  /// Returns the text of a recipe to start from: it makes what a ``Generation`` makes of the schema
  /// alone, and shows what can be changed.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - records: The number of records of each type without a parent.
  public static func starter(
    for schema: CloudSchema, records: Int = defaultRecords
  ) -> String {
    RecipeText(
      recipe: FixtureRecipe(for: schema, records: records), schema: schema,
      introduction: [
        "What 'recordpack fixture generate' makes; see the help of 'recordpack fixture recipe'.",
        "A count is a number, a range (0..5), {poisson: 3}, {zipf: 1..500} or {weights: {0: 1, 2: 3}}.",
        "A field can have more: null-rate: 0.1, unique: true, list: 0..5, locale: ja.",
      ]
    ).yaml
  }
}

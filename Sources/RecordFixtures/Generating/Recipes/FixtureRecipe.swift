import Foundation
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// Says how many records of which types a ``Generation`` makes, and how the values of their fields
/// are chosen.
///
/// A recipe is written in YAML; <doc:GeneratingRecords> describes it.
///
/// ```swift
/// let recipe = try FixtureRecipe(yaml: "{recordpack-recipe: 1, types: {Chat: {count: 10}}}")
/// let generation = try Generation(schema: schema, recipe: recipe, seed: 42)
/// ```
public struct FixtureRecipe: Sendable {
  /// The identifier of the container; nil for none.
  package var container: String?
  /// The environment of the container.
  package var environment = ContainerInfo.Environment.development
  /// The date after which records are created, 1 January 2025 unless the recipe has another. The
  /// clock is never read.
  package var referenceDate = Date(timeIntervalSince1970: 1_735_689_600)
  /// The number of users, 1 to ``maxUsers``. The first one is the signed-in user.
  package var users = 1
  /// Whether a part of the values are at the edges of what CloudKit allows: empty lists, the longest
  /// names, text from right to left, dates of the distant past, references to nothing.
  package var hasEdgeCases = false

  var locale = WordLocale.en
  var zones: [RecipeZone] = []
  var types: [TypeRule] = []
  var locations: [String: PlanLocation] = [:]

  /// The maximum number of users.
  package static let maxUsers = 100
  /// The maximum size of a recipe in bytes.
  package static let maxSize = 1 << 20
  /// The maximum number of records that a recipe may make: a billion.
  package static let maxRecords = 1_000_000_000

  init() {}

  /// The reference date in milliseconds since 1970.
  var referenceMilliseconds: Int {
    let seconds = referenceDate.timeIntervalSinceReferenceDate
    // Within the years 1 to 9999, which other programs can show.
    let milliseconds = (max(-63_113_904_000, min(252_423_993_599, seconds)) * 1000).rounded()
    return Int(milliseconds) + 978_307_200_000
  }

  /// Creates the recipe for a schema that there is none for: a few records of each type, with a
  /// value in each field.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - model: The model that the schema follows from, if there is one.
  ///   - records: The number of records of each type without a parent.
  package init(
    for schema: CloudSchema, _ model: MirroredModel? = nil, records: Int = defaultRecords
  ) {
    self = RecipeGuess(schema, model).recipe(records: records)
  }

  /// The number of records of each type without a parent, unless a recipe says another.
  package static let defaultRecords = 3

  /// Reads a recipe.
  ///
  /// - Parameters:
  ///   - yaml: The text of the recipe.
  ///   - file: The display name of the file, for errors.
  /// - Throws: `FixtureError` with line and column.
  public init(yaml: String, file: String = "recipe.yaml") throws {
    self = try FixtureError.reading { try RecipeReader.recipe(yaml, file) }
  }

  /// Returns the text of a recipe to start from: it makes what a ``Generation`` makes of the schema
  /// alone, and shows what can be changed.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - model: The model that the schema follows from, if there is one.
  ///   - records: The number of records of each type without a parent.
  package static func starter(
    for schema: CloudSchema, _ model: MirroredModel? = nil, records: Int = defaultRecords
  ) -> String {
    RecipeText(
      recipe: FixtureRecipe(for: schema, model, records: records), schema: schema,
      introduction: [
        "A recipe for 'recordpack fixture generate', as it is without one.",
        "A count is a number, a range (0..5) or {weights: {0: 1, 2..5: 3}}.",
        "A field can have more: null-rate: 0.1, unique: true, list: 0..5, locale: ja.",
      ]
    ).yaml
  }
}

/// Writes recipes as YAML, with comments for whoever goes on with them.
struct RecipeText {
  let recipe: FixtureRecipe
  let schema: CloudSchema
  /// The lines of the first comment.
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

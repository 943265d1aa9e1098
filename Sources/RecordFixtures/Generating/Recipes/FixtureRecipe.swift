import Foundation
import RecordMigration
import RecordModel
import RecordSchema

/// What a ``Generation`` makes: how many records of which types, and how the values of their fields
/// are chosen.
///
/// A recipe is written in YAML; <doc:GeneratingRecords> describes it.
///
/// ```swift
/// let recipe = try FixtureRecipe(yaml: "{recordpack-recipe: 1, types: {Chat: {count: 10}}}")
/// let generation = try Generation(schema: schema, recipe: recipe, seed: 42)
/// ```
public struct FixtureRecipe: Sendable, Hashable {
  /// The identifier of the container; nil for none.
  public var container: String?
  /// The environment of the container.
  public var environment = ContainerInfo.Environment.development
  /// The date after which records are created, 1 January 2025 unless the recipe has another. The
  /// clock is never read.
  public var referenceDate = Date(timeIntervalSince1970: 1_735_689_600)
  /// The number of users, 1 to ``maxUsers``. The first one is the signed-in user.
  public var users = 1
  /// Whether a part of the values are at the edges of what CloudKit allows: empty lists, the longest
  /// names, text from right to left, dates of the distant past, references to nothing.
  public var hasEdgeCases = false

  var locale = WordLocale.en
  var zones: [ZoneRule] = []
  var types: [TypeRule] = []
  var locations: [String: PlanLocation] = [:]

  /// The maximum number of users.
  public static let maxUsers = 100
  /// The maximum size of a recipe in bytes.
  public static let maxSize = 1 << 20
  /// The maximum number of records that a recipe may make: a billion.
  public static let maxRecords = 1_000_000_000

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
  ///   - records: The number of records of each type without a parent.
  public init(for schema: CloudSchema, records: Int = defaultRecords) {
    self = RecipeGuess(schema).recipe(records: records)
  }

  /// The number of records of each type without a parent, unless a recipe says another.
  public static let defaultRecords = 3

  /// Reads a recipe.
  ///
  /// - Parameters:
  ///   - yaml: The text of the recipe.
  ///   - file: The display name of the file, for errors.
  /// - Throws: `PlanError` with line and column.
  public init(yaml: String, file: String = "recipe.yaml") throws {
    self = try RecipeReader.recipe(yaml, file)
  }
}

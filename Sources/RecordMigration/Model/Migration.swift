import RecordModel
import RecordSchema

/// A migration of records from one schema version to the next.
///
/// ```swift
/// let migration = Migration(from: "1", to: "2") {
///   MigrationStep("Message", .renameField("text", to: "body"))
///   MigrationStep("Message", .addField("kind", .constant(.string("text"))))
/// }
/// let migrator = try Migrator([migration])
/// let records = try migrator.migrate(record)
/// ```
public struct Migration: Sendable {
  /// The name of the source version.
  public var from: String
  /// The name of the target version.
  public var to: String
  /// A short description.
  public var title: String?
  /// The steps, in order. Each step sees the changes of the steps before it.
  public var steps: [MigrationStep]
  /// The schema of the source version, or `nil` if unknown.
  public var fromSchema: CloudSchema?
  /// The schema of the target version, which the results must have. `nil` skips this check.
  public var toSchema: CloudSchema?

  /// Creates a migration.
  public init(
    from: String, to: String, title: String? = nil, steps: [MigrationStep],
    fromSchema: CloudSchema? = nil, toSchema: CloudSchema? = nil
  ) {
    self.from = from
    self.to = to
    self.title = title
    self.steps = steps
    self.fromSchema = fromSchema
    self.toSchema = toSchema
  }

  /// Creates a migration from a list of steps.
  public init(
    from: String, to: String, fromSchema: CloudSchema? = nil, toSchema: CloudSchema? = nil,
    @MigrationBuilder steps: () throws -> [MigrationStep]
  ) rethrows {
    self.init(from: from, to: to, steps: try steps(), fromSchema: fromSchema, toSchema: toSchema)
  }
}

extension Migration {
  /// Returns whether two texts name the same version: `5` and `v5` do.
  package static func isSameVersion(_ a: String, _ b: String) -> Bool {
    a == b || "v" + a == b || a == "v" + b
  }
}

/// A result builder for the steps of a migration.
@resultBuilder
public enum MigrationBuilder {
  /// Adds a step.
  public static func buildExpression(_ step: MigrationStep) -> [MigrationStep] { [step] }
  /// Adds several steps.
  public static func buildExpression(_ steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// Combines all steps in order.
  public static func buildBlock(_ steps: [MigrationStep]...) -> [MigrationStep] {
    steps.flatMap { $0 }
  }
  /// Adds optional steps.
  public static func buildOptional(_ steps: [MigrationStep]?) -> [MigrationStep] { steps ?? [] }
  /// Adds the steps of the first branch.
  public static func buildEither(first steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// Adds the steps of the second branch.
  public static func buildEither(second steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// Adds the steps of a loop.
  public static func buildArray(_ steps: [[MigrationStep]]) -> [MigrationStep] {
    steps.flatMap { $0 }
  }
}

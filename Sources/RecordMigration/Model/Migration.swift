import RecordModel
import RecordSchema

/// What carries records from one schema version to the next.
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
  /// The name of the version records come from.
  public var from: String
  /// The name of the version they go to.
  public var to: String
  /// What it is about.
  public var title: String?
  /// The steps, in order; each sees what those before it have done.
  public var steps: [MigrationStep]
  /// The schema records have before; nil where it is not known.
  public var fromSchema: Schema?
  /// The schema they must have afterwards; nil checks nothing.
  public var toSchema: Schema?

  /// Makes a migration.
  public init(
    from: String, to: String, title: String? = nil, steps: [MigrationStep],
    fromSchema: Schema? = nil, toSchema: Schema? = nil
  ) {
    self.from = from
    self.to = to
    self.title = title
    self.steps = steps
    self.fromSchema = fromSchema
    self.toSchema = toSchema
  }

  /// Makes a migration out of steps that are listed.
  public init(
    from: String, to: String, fromSchema: Schema? = nil, toSchema: Schema? = nil,
    @MigrationBuilder steps: () throws -> [MigrationStep]
  ) rethrows {
    self.init(
      from: from, to: to, steps: try steps(), fromSchema: fromSchema, toSchema: toSchema)
  }
}

/// Lists the steps of a migration.
@resultBuilder
public enum MigrationBuilder {
  /// A step.
  public static func buildExpression(_ step: MigrationStep) -> [MigrationStep] { [step] }
  /// Several steps.
  public static func buildExpression(_ steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// All steps in order.
  public static func buildBlock(_ steps: [MigrationStep]...) -> [MigrationStep] {
    steps.flatMap { $0 }
  }
  /// Steps that may be left out.
  public static func buildOptional(_ steps: [MigrationStep]?) -> [MigrationStep] { steps ?? [] }
  /// One of two lists.
  public static func buildEither(first steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// One of two lists.
  public static func buildEither(second steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// Steps made in a loop.
  public static func buildArray(_ steps: [[MigrationStep]]) -> [MigrationStep] {
    steps.flatMap { $0 }
  }
}

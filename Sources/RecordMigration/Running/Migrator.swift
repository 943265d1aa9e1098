import RecordCoding
import RecordModel
import RecordSchema

/// Runs a chain of migrations on single records.
///
/// The result for a record depends only on the record, the migrations and the environment, so
/// records can be migrated in any order and on any thread. If names or zones change, the
/// environment must contain the new IDs, so that references can be updated.
public final class Migrator: Sendable {
  /// The migrations, in order.
  public let migrations: [Migration]
  package let stages: [Stage]
  /// The schemas that records must have before and after the migrations.
  let source: SchemaCheck?
  let target: SchemaCheck?

  /// A prepared migration.
  package final class Stage: Sendable {
    /// The index of the first step among all steps.
    let firstStep: Int
    let steps: [MigrationStep]
    /// The steps that apply to records of a type.
    private let byType: [(recordType: String, steps: [Int])]
    /// The steps that apply to records of all other types.
    private let others: [Int]
    package let changesIdentity: Bool

    init(_ migration: Migration, firstStep: Int) {
      self.firstStep = firstStep
      let steps = migration.steps
      self.steps = steps
      changesIdentity = steps.contains { $0.action.effects.changesIdentity }
      let names = Set(steps.flatMap { $0.selection.recordTypes ?? [] }.map { ExactString($0) })
      byType = names.map(\.string).map { name in
        (name, steps.indices.filter { steps[$0].selection.contains(recordType: name) })
      }
      others = steps.indices.filter { steps[$0].selection.recordTypes == nil }
    }

    func steps(for type: String) -> [Int] {
      byType.first { $0.recordType.sameScalars(as: type) }?.steps ?? others
    }

    /// Returns the steps that change records of other types to this type.
    func arrivals(at type: String) -> [Int] {
      steps.indices.filter { index in
        steps[index].action.effects.newType?.name.sameScalars(as: type) == true
          && !steps[index].selection.contains(recordType: type)
      }
    }
  }

  /// Creates a migrator, and checks the steps against the known schemas.
  ///
  /// - Throws: ``MigrationError/invalid(_:)`` if a migration does not start from the version that
  ///   the previous one leads to, or if a step contradicts itself or a schema.
  public convenience init(_ migrations: [Migration]) throws {
    for (former, next) in zip(migrations, migrations.dropFirst()) where former.to != next.from {
      throw MigrationError.invalid(
        "a migration to version '\(former.to)' cannot be followed by one from version "
          + "'\(next.from)'")
    }
    self.init(checked: try migrations.map { try $0.checked() })
  }

  /// Creates a migrator for migrations that were already checked.
  init(checked migrations: [Migration]) {
    self.migrations = migrations
    var stages: [Stage] = []
    var count = 0
    for migration in migrations {
      stages.append(Stage(migration, firstStep: count))
      count += migration.steps.count
    }
    self.stages = stages
    source = migrations.first?.fromSchema.map(SchemaCheck.init)
    target = migrations.last?.toSchema.map(SchemaCheck.init)
  }

  /// Returns a report with all counts at zero.
  public func emptyReport() -> MigrationReport {
    MigrationReport(steps: migrations.flatMap { $0.steps.map(MigrationReport.Step.init) })
  }

  /// Returns the results of migrating a record: usually one record, none if it is left behind, or
  /// several if a step in Swift creates them.
  ///
  /// - Throws: ``MigrationError`` if the record does not match the source schema, if a value does
  ///   not fit and the policy is to fail, or if a result does not match the target schema.
  public func migrate(
    _ record: ResultRecord, in database: DatabaseScope = .private,
    environment: MigrationEnvironment = MigrationEnvironment()
  ) throws -> [ResultRecord] {
    var report = emptyReport()
    return try migrate(record, in: database, environment: environment, report: &report)
  }

  /// Returns the results of migrating a record; see ``migrate(_:in:environment:)``.
  ///
  /// - Parameters:
  ///   - record: The record to migrate.
  ///   - database: The database of the record.
  ///   - environment: What steps need besides the record.
  ///   - isDryRun: Whether to continue after failures and only count them.
  ///   - report: The report to add the counts to.
  public func migrate(
    _ record: ResultRecord, in database: DatabaseScope, environment: MigrationEnvironment,
    isDryRun: Bool = false, report: inout MigrationReport
  ) throws -> [ResultRecord] {
    let runner = MigrationRunner(self, environment: environment, isDryRun: isDryRun)
    defer { report.add(runner.report) }
    let editable = EditableRecord(record, in: database)
    try runner.run(editable)
    // A record created by a step in Swift also counts as unchanged, but is a different record.
    return runner.results.map { $0 === editable && $0.isUnchanged ? record : $0.resultRecord }
  }

  /// Returns whether a step changes records of other types to this type.
  func isJoined(_ recordType: String) -> Bool {
    stages.contains { !$0.arrivals(at: recordType).isEmpty }
  }

  /// Returns whether no step applies to records of a type.
  func isUntouched(_ recordType: String, _ environment: MigrationEnvironment) -> Bool {
    environment.identities.isEmpty && stages.allSatisfy { $0.steps(for: recordType).isEmpty }
  }
}

import RecordCoding
import RecordModel
import RecordSchema

/// Runs migrations, one after the other, on one record at a time.
///
/// What becomes of a record depends on nothing but the record, the migrations and the environment:
/// records may be migrated in any order, on any thread, in any parts of the whole. Only where names
/// or zones change must the environment know the new identities beforehand, so that references can
/// follow.
public final class Migrator: Sendable {
  /// The migrations, in order.
  public let migrations: [Migration]
  package let stages: [Stage]
  /// What records must be before, and after.
  let source: SchemaCheck?
  let target: SchemaCheck?

  /// One migration, prepared.
  package final class Stage: Sendable {
    /// The number of its first step among all steps.
    let firstStep: Int
    let steps: [MigrationStep]
    /// The steps that look at records of a type.
    private let byType: [(recordType: String, steps: [Int])]
    /// The steps that look at records of any other type.
    private let others: [Int]
    package let changesIdentity: Bool

    init(_ migration: Migration, firstStep: Int) {
      self.firstStep = firstStep
      let steps = migration.steps
      self.steps = steps
      changesIdentity = steps.contains { $0.action.changesIdentity }
      let names = Set(steps.flatMap { $0.selection.recordTypes ?? [] }.map { NameKey($0) })
      byType = names.map(\.string).map { name in
        (name, steps.indices.filter { steps[$0].selection.contains(recordType: name) })
      }
      others = steps.indices.filter { steps[$0].selection.recordTypes == nil }
    }

    func steps(for type: String) -> [Int] {
      byType.first { $0.recordType.sameScalars(as: type) }?.steps ?? others
    }

    /// The steps that make records of other types ones of this type.
    func arrivals(at type: String) -> [Int] {
      steps.indices.filter { index in
        steps[index].action.newType?.sameScalars(as: type) == true
          && !steps[index].selection.contains(recordType: type)
      }
    }
  }

  /// Prepares migrations.
  ///
  /// Steps are held against the schemas that are known.
  ///
  /// - Throws: ``MigrationError/invalid(_:)`` where one does not begin with the version the one
  ///   before ends with, and where a step contradicts itself or a schema.
  public convenience init(_ migrations: [Migration]) throws {
    for (former, next) in zip(migrations, migrations.dropFirst()) where former.to != next.from {
      throw MigrationError.invalid(
        "a migration to version '\(former.to)' is followed by one from version '\(next.from)'")
    }
    self.init(checked: try migrations.map { try $0.checked() })
  }

  /// Prepares migrations that are known to be right.
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

  /// A report in which nothing has been counted yet.
  public func emptyReport() -> MigrationReport {
    MigrationReport(
      steps: migrations.flatMap { $0.steps.map(MigrationReport.Step.init) })
  }

  /// What becomes of a record: usually one record, none where it is left behind, several where a
  /// step in Swift makes them.
  ///
  /// - Throws: ``MigrationError`` for a record that is not what the source's schema says, for a
  ///   value that does not fit under the policy to fail, and for a result that is not what the
  ///   target schema says.
  public func migrate(
    _ record: ResultRecord, in database: DatabaseScope = .private,
    environment: MigrationEnvironment = MigrationEnvironment()
  ) throws -> [ResultRecord] {
    var report = emptyReport()
    return try migrate(record, in: database, environment: environment, report: &report)
  }

  /// What becomes of a record; see ``migrate(_:in:environment:)``.
  ///
  /// - Parameters:
  ///   - isDryRun: goes on after failures, and only counts them.
  ///   - report: what is done is added to it.
  public func migrate(
    _ record: ResultRecord, in database: DatabaseScope, environment: MigrationEnvironment,
    isDryRun: Bool = false, report: inout MigrationReport
  ) throws -> [ResultRecord] {
    let runner = MigrationRunner(self, environment: environment, isDryRun: isDryRun)
    defer { report.add(runner.report) }
    let editable = EditableRecord(record, in: database)
    try runner.run(editable)
    // What a step in Swift has made is as it came too, but it is another record.
    return runner.results.map { $0 === editable && $0.isAsItCame ? record : $0.resultRecord }
  }

  /// Whether a step makes records of other types ones of that type.
  func isJoined(_ recordType: String) -> Bool {
    stages.contains { !$0.arrivals(at: recordType).isEmpty }
  }

  /// Whether no step looks at records of that type.
  func isUntouched(_ recordType: String, _ environment: MigrationEnvironment) -> Bool {
    environment.identities.isEmpty
      && stages.allSatisfy { $0.steps(for: recordType).isEmpty }
  }
}

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
  private let check: ResultCheck?

  /// One migration, prepared.
  package final class Stage: Sendable {
    /// The number of its first step among all steps.
    let firstStep: Int
    let steps: [MigrationStep]
    /// The same steps, each in an object: a step is a large structure to hand around.
    let boxes: [Box]
    /// The steps that look at records of a type.
    let byType: [String: [Int]]
    /// The steps that look at records of any other type.
    let others: [Int]
    package let changesIdentity: Bool

    final class Box: Sendable {
      let step: MigrationStep

      init(_ step: MigrationStep) { self.step = step }
    }

    init(_ migration: Migration, firstStep: Int) {
      self.firstStep = firstStep
      let steps = migration.steps
      self.steps = steps
      boxes = steps.map(Box.init)
      changesIdentity = steps.contains { $0.action.changesIdentity }
      let names = Set(steps.flatMap { $0.selection.recordTypes ?? [] })
      func numbers(_ name: String?) -> [Int] {
        steps.indices.filter { index in
          guard let types = steps[index].selection.recordTypes else { return true }
          return name.map(types.contains) ?? false
        }
      }
      byType = Dictionary(uniqueKeysWithValues: names.map { ($0, numbers($0)) })
      others = numbers(nil)
    }

    func steps(for type: String) -> [Int] { byType[type] ?? others }
  }

  /// Prepares migrations.
  ///
  /// - Throws: ``MigrationError/invalid(_:)`` where one does not begin with the version the one
  ///   before ends with, or where a step contradicts itself.
  public init(_ migrations: [Migration]) throws {
    for (former, next) in zip(migrations, migrations.dropFirst()) where former.to != next.from {
      throw MigrationError.invalid(
        "a migration to version '\(former.to)' is followed by one from version '\(next.from)'")
    }
    for migration in migrations { for step in migration.steps { try step.check() } }
    self.migrations = migrations
    var stages: [Stage] = []
    var count = 0
    for migration in migrations {
      stages.append(Stage(migration, firstStep: count))
      count += migration.steps.count
    }
    self.stages = stages
    check = migrations.last?.toSchema.map { ResultCheck($0) }
  }

  /// A report in which nothing has been counted yet.
  public func emptyReport() -> MigrationReport {
    MigrationReport(
      steps: migrations.flatMap { $0.steps.map(MigrationReport.Step.init) })
  }

  /// What becomes of a record: usually one record, none where it is left behind, several where a
  /// step in Swift makes them.
  ///
  /// - Throws: ``MigrationError`` for a value that does not fit under the policy to fail, and for a
  ///   result that is not what the target schema says.
  public func migrate(
    _ record: ResultRecord, in database: DatabaseScope = .private,
    environment: MigrationEnvironment = MigrationEnvironment()
  ) throws -> [ResultRecord] {
    try migrate(
      record, in: database, environment: environment, tally: MigrationTally(emptyReport()))
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
    let tally = MigrationTally(report)
    defer { report = tally.report }
    return try migrate(
      record, in: database, environment: environment, isDryRun: isDryRun, tally: tally)
  }

  /// What becomes of a record, counted in a tally that is used for many records.
  package func migrate(
    _ record: ResultRecord, in database: DatabaseScope, environment: MigrationEnvironment,
    isDryRun: Bool = false, tally: MigrationTally
  ) throws -> [ResultRecord] {
    tally.report.records += 1
    let results: [ResultRecord]
    if isUntouched(record.recordType, environment) {
      tally.report.unchanged += 1
      results = [record]
    } else {
      let ends = try run(
        WorkingRecord(record, database), stages: stages.indices, environment, isDryRun, tally)
      results = ends.map(\.resultRecord)
    }
    guard let check else {
      tally.report.results += results.count
      return results
    }
    return try results.filter { result in
      guard let problem = check.problem(of: result, in: database) else {
        tally.report.results += 1
        return true
      }
      try note(problem, record, isDryRun, tally)
      return false
    }
  }

  private func note(
    _ problem: String, _ record: ResultRecord, _ isDryRun: Bool, _ tally: MigrationTally
  ) throws {
    let name = "\(record.recordType) '\(record.recordID)'"
    guard isDryRun else {
      throw MigrationError.result(
        record: name, version: migrations.last?.to ?? "", problem: problem)
    }
    tally.report.wrongResults += 1
    if tally.report.wrongExamples.count < MigrationReport.Step.mostExamples {
      tally.report.wrongExamples.append("\(name): \(problem)")
    }
  }

  /// The identity a record has after some of the migrations; nil where it is left behind.
  ///
  /// Failures are left for the real run to tell.
  package func identity(
    of record: ResultRecord, in database: DatabaseScope, afterStage last: Int,
    environment: MigrationEnvironment
  ) throws -> (before: RecordID, after: RecordID)? {
    let tally = MigrationTally(emptyReport())
    let before = try run(
      WorkingRecord(record, database), stages: 0..<last, environment, true, tally)
    // A step in Swift that makes several records of one: the first takes its place.
    guard let begin = before.first else { return nil }
    let old = begin.recordID
    let after = try run(begin, stages: last..<last + 1, environment, true, tally)
    guard let end = after.first else { return nil }
    return (old, end.recordID)
  }

  /// Whether no step looks at records of that type.
  package func isUntouched(_ recordType: String, _ environment: MigrationEnvironment) -> Bool {
    environment.identities.isEmpty
      && stages.allSatisfy { $0.steps(for: recordType).isEmpty }
  }

  private func run(
    _ record: WorkingRecord, stages range: Range<Int>, _ environment: MigrationEnvironment,
    _ isDryRun: Bool, _ tally: MigrationTally
  ) throws -> [WorkingRecord] {
    var records = [record]
    for number in range {
      var runner = StageRunner(
        stage: stages[number], environment: environment, isDryRun: isDryRun, tally: tally)
      for record in records { try runner.run(record, from: 0) }
      records = runner.results
      guard let identities = environment.identities[number] else { continue }
      for index in records.indices {
        let database = records[index].database
        records[index].mapReferences { reference in
          guard let changed = identities.newIdentity(of: reference.recordID, in: database) else {
            return nil
          }
          tally.report.rewrittenReferences += 1
          return Reference(
            recordID: changed, action: reference.action, otherMembers: reference.otherMembers)
        }
      }
    }
    return records
  }
}

import Foundation
import RecordModel
import Testing

@testable import RecordMigration

@Suite("Any step on any record")
struct PropertyTests {
  private func run(
    _ migrator: Migrator, _ record: ResultRecord, isDryRun: Bool = false
  ) throws -> ([ResultRecord], MigrationReport) {
    var report = migrator.emptyReport()
    let results = try migrator.migrate(
      record, in: .private, environment: Sample.environment, isDryRun: isDryRun, report: &report)
    return (results, report)
  }

  private func migrator(_ step: MigrationStep) throws -> Migrator {
    try Migrator([Migration(from: "1", to: "2", steps: [step])])
  }

  @Test(
    "ends with records, none, or an error, and loses nothing uncounted",
    arguments: SeededGenerator.seeds(2))
  func total(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    for step in try Sample.steps(&random) {
      let migrator = try migrator(step)
      for _ in 0..<6 {
        let record = Sample.random(&random)
        let (results, report) = try run(migrator, record, isDryRun: true)
        let counts = report.steps[0]
        let isAsBefore = results == [record]
        if step.action.kind is MigrationAction.CustomStep || step.action.effects.makes != nil {
          #expect(!results.isEmpty || counts.skipped + counts.leftBehind + counts.failed == 1)
        } else {
          #expect(
            results.count + counts.skipped + counts.leftBehind + counts.failed == 1,
            "\(step.title)")
        }
        #expect(report.records == 1 && report.results == results.count)
        #expect(counts.failed == 0 || step.misfit == .fail || step.misfit == .keep(in: "overflow"))
        let changes =
          counts.changed + counts.nulled + counts.kept + counts.skipped + counts.leftBehind
          + counts.failed
        #expect(isAsBefore || changes > 0, "\(step.title)")
        #expect(counts.examples.count == min(counts.misfits, 1), "\(step.title)")
        try checkRealRun(migrator, record, results, report)
      }
    }
  }

  /// A dry run goes on where a real one ends; else they are the same.
  private func checkRealRun(
    _ migrator: Migrator, _ record: ResultRecord, _ results: [ResultRecord],
    _ report: MigrationReport
  ) throws {
    do {
      let (real, counted) = try run(migrator, record)
      #expect(real == results && counted == report)
    } catch let error as MigrationError where error.code == .misfit {
      #expect(report.hasFailures)
      #expect(error.message.contains(record.recordID.recordName))
    }
  }

  @Test(
    "that takes things away says so of every record that had them",
    arguments: SeededGenerator.seeds(2))
  func takesAway(seed: UInt64) throws {
    var random = SeededGenerator(seed &+ 500)
    for action: MigrationAction in [.dropField("a"), .deleteType, .leaveBehind, .clearParent] {
      let migrator = try migrator(MigrationStep("Note", action))
      for _ in 0..<60 {
        let record = Sample.random(&random)
        let (results, report) = try run(migrator, record)
        #expect(report.isLossless == (results == [record]), "\(action.name)")
      }
    }
  }

  @Test("and back again is the record it was, where nothing was lost")
  func inverse() throws {
    var returned: [String: Int] = [:]
    for seed in 1000..<1000 + TestAmount.of(10, some: 4) {
      var random = SeededGenerator(UInt64(seed))
      for step in try Sample.steps(&random) {
        let migration = Migration(from: "1", to: "2", steps: [step])
        guard let back = try? migration.reversed() else { continue }
        let (there, return_) = (try Migrator([migration]), try Migrator([back]))
        for _ in 0..<6 {
          let record = Sample.random(&random)
          guard let (results, report) = try? run(there, record), report.isLossless else { continue }
          // Records that know each other are tested in `ContainerPropertyTests`.
          if step.action.effects.makes != nil { continue }
          #expect(results.count == 1)
          let (ends, backReport) = try run(return_, try #require(results.first), isDryRun: true)
          let what = "\(seed) \(step.title) \(step.misfit) \(step.condition?.source ?? "") "
          #expect(ends.map(Sample.stored) == [Sample.stored(record)], "\(what)")
          let losses = backReport.steps.reduce(0) { $0 + $1.inexact + $1.misfits + $1.leftBehind }
          #expect(losses == 0 || step.action.actsOnDeletion, "\(what)")
          #expect(losses > 0 || backReport.isLossless || step.action.addsSomething, "\(what)")
          if results != [record] { returned[step.action.name, default: 0] += 1 }
        }
      }
    }
    var random = SeededGenerator(1)
    let oneWay = [
      "delete-type", "leave-behind", "drop-field", "clear-parent", "double", "drop", "refuse",
      "lie", "split-list", "split-record", "look-up",
    ]
    for name in Set(try Sample.actions(&random).map(\.name)).subtracting(oneWay).sorted() {
      #expect(returned[name] ?? 0 > 2, "\(name) went there and back too seldom")
    }
  }

  @Test("one after the other is as good as in one migration, in any order of the records")
  func chainsAndOrder() throws {
    var random = SeededGenerator(5)
    let steps = try Sample.steps(&random)
    for _ in 0..<60 {
      let chosen = (0..<4).map { _ in random.pick(steps) }
      let records = (0..<20).map { _ in Sample.random(&random) }
      let whole = try Migrator([Migration(from: "1", to: "2", steps: chosen)])
      let parts = try Migrator([
        Migration(from: "1", to: "2", steps: Array(chosen.prefix(2))),
        Migration(from: "2", to: "3", steps: Array(chosen.suffix(2))),
      ])
      let expected = try records.map { try run(whole, $0, isDryRun: true) }
      #expect(try records.map { try run(parts, $0, isDryRun: true).0 } == expected.map(\.0))
      let backwards = try records.reversed().map { try run(whole, $0, isDryRun: true).0 }
      #expect(backwards.reversed() == expected.map(\.0))
      var (forth, back) = (whole.emptyReport(), whole.emptyReport())
      for (_, report) in expected { forth.add(report) }
      for (_, report) in expected.reversed() { back.add(report) }
      #expect(forth.withoutExamples == back.withoutExamples)
    }
  }

  @Test(
    "a plan written in YAML does what the same steps in Swift do",
    arguments: SeededGenerator.seeds(3))
  func readsBack(seed: UInt64) throws {
    let plan = try MigrationPlan(
      yaml: """
        recordpack-migration: 1
        from: "1"
        to: "2"
        steps:
          - {do: rename-field, type: Note, field: a, to: g}
          - {do: convert, type: Note, field: b, from: STRING, to: INT64, misfit: {keep-in: overflow}}
          - do: add-field
            type: "*"
            field: h
            as: STRING
            expression: "lower(recordType) + '-' + text(length(recordName))"
          - {do: encrypt, type: [Note, Memo], field: c, misfit: skip}
          - {do: leave-behind, type: Memo, where: "has(d)"}
        """)
    let swift = try Migration(from: "1", to: "2") {
      MigrationStep("Note", .renameField("a", to: "g"))
      MigrationStep(
        "Note", .convert("b", Conversion(to: .int64, from: .string)),
        misfit: .keep(in: "overflow"))
      MigrationStep(
        .init(nil),
        .addField(
          "h",
          .expression(try RecordExpression("lower(recordType) + '-' + text(length(recordName))")),
          type: .string))
      MigrationStep(.init(["Note", "Memo"]), .encrypt("c"), misfit: .skip)
      MigrationStep("Memo", .leaveBehind, where: try RecordExpression("has(d)"))
    }
    let (first, second) = (try Migrator([plan.migration]), try Migrator([swift]))
    var random = SeededGenerator(seed)
    for _ in 0..<100 {
      let record = Sample.random(&random)
      let one = try? first.migrate(record)
      let two = try? second.migrate(record)
      #expect(one == two)
    }
  }
}

extension MigrationAction {
  /// Whether the way back loses what happens on a deletion, which the way there had added.
  fileprivate var actsOnDeletion: Bool {
    guard let step = kind as? SetReference else { return false }
    return step.action == .deleteSelf && !step.keepsParent
  }

  /// Whether the way back takes away what was not there before, and counts it as dropped.
  fileprivate var addsSomething: Bool {
    switch kind {
    case is AddField, is LookUp: true
    case let step as ChangeType: step.isMerge
    case let step as SetParent: step.keepsField
    case let step as SetReference: step.keepsParent
    default: false
    }
  }
}

extension MigrationReport {
  /// What has been counted; the examples are the first, in the order of the records.
  var withoutExamples: MigrationReport {
    var report = self
    for index in report.steps.indices { report.steps[index].examples = [] }
    report.collisions.examples = []
    report.crossingReferences.examples = []
    return report
  }
}

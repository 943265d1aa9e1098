import Foundation
import RecordModel
import Testing

@testable import RecordMigration

@Suite("Any step on any record")
struct PropertyTests {
  private func run(
    _ migrator: Migrator, _ record: ResultRecord,
    assets: MigrationEnvironment = MigrationEnvironment()
  ) throws -> ([ResultRecord], MigrationReport) {
    var report = migrator.emptyReport()
    let results = try migrator.migrate(
      record, in: .private, environment: assets, report: &report)
    return (results, report)
  }

  @Test("ends with records or none, and loses nothing uncounted", arguments: 0..<40)
  func total(seed: UInt64) throws {
    var random = Seeded(seed)
    for step in try Sample.steps(&random) {
      let migrator = try Migrator([Migration(from: "1", to: "2", steps: [step])])
      for _ in 0..<20 {
        let record = Sample.random(&random)
        let (results, report) = try run(migrator, record)
        let counts = report.steps[0]
        #expect(results.count + counts.skipped + counts.leftBehind == 1, "\(step.title)")
        #expect(report.records == 1 && report.results == results.count)
        guard let result = results.first else { continue }
        let isAsBefore = result == record
        #expect(isAsBefore || counts.changed + counts.nulled + counts.kept > 0, "\(step.title)")
        if counts.nulled == 0, counts.dropped == 0, counts.changed == 0, counts.kept == 0 {
          #expect(isAsBefore)
        }
      }
    }
  }

  @Test("and back again is the record it was, where nothing was lost", arguments: 0..<60)
  func inverse(seed: UInt64) throws {
    var random = Seeded(seed &+ 1000)
    var lossless = 0
    for step in try Sample.steps(&random) {
      let migration = Migration(from: "1", to: "2", steps: [step])
      guard let back = try? migration.reversed() else { continue }
      let (there, return_) = (try Migrator([migration]), try Migrator([back]))
      for _ in 0..<20 {
        let record = Sample.random(&random)
        let (results, report) = try run(there, record)
        guard report.isLossless, let result = results.first else { continue }
        let (ends, _) = try run(return_, result)
        #expect(ends == [record], "\(step.title) \(step.misfit)")
        lossless += 1
      }
    }
    #expect(lossless > 100)
  }

  @Test("one after the other is as good as in one migration, in any order of the records")
  func chainsAndOrder() throws {
    var random = Seeded(5)
    for _ in 0..<40 {
      let steps = try Sample.steps(&random)
      let chosen = (0..<4).map { _ in steps[random.below(steps.count)] }
      let records = (0..<20).map { _ in Sample.random(&random) }
      let whole = try Migrator([Migration(from: "1", to: "2", steps: chosen)])
      let parts = try Migrator([
        Migration(from: "1", to: "2", steps: Array(chosen.prefix(2))),
        Migration(from: "2", to: "3", steps: Array(chosen.suffix(2))),
      ])
      let expected = try records.map { try whole.migrate($0) }
      #expect(try records.map { try parts.migrate($0) } == expected)
      let backwards = try records.reversed().map { try whole.migrate($0) }
      #expect(backwards.reversed() == expected)
    }
  }

  @Test("a plan written in YAML does what the same steps in Swift do", arguments: 0..<3)
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
    var random = Seeded(seed)
    for _ in 0..<100 {
      let record = Sample.random(&random)
      let one = try? first.migrate(record)
      let two = try? second.migrate(record)
      #expect(one == two)
    }
  }
}

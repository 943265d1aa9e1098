import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordMigration

/// Several steps, several plans, and records that refer to each other.
@Suite("Any plan on many records")
struct ContainerPropertyTests {
  /// What becomes of records when the new names and zones of some are known.
  private struct Outcome {
    var results: [ResultRecord] = []
    var report: MigrationReport
  }

  private func migrate(
    _ records: [ResultRecord], _ migrator: Migrator, knowing known: [ResultRecord]? = nil
  ) throws -> Outcome {
    let environment = try Sample.environment(of: migrator, knowing: known ?? records)
    var outcome = Outcome(report: migrator.emptyReport())
    for record in records {
      outcome.results += try migrator.migrate(
        record, in: .private, environment: environment, isDryRun: true, report: &outcome.report)
    }
    return outcome
  }

  /// Steps by their names, so that each kind is as frequent as the others.
  private struct Stock {
    private let steps: [[MigrationStep]]

    init(_ random: inout SeededGenerator) throws {
      let all = Dictionary(grouping: try Sample.steps(&random), by: \.action.name)
      steps = all.keys.sorted().map { all[$0] ?? [] }
    }

    func plans(_ random: inout SeededGenerator) -> [Migration] {
      func chosen(_ count: Int) -> [MigrationStep] {
        (0..<count).map { _ in random.pick(random.pick(steps)) }
      }
      let first = Migration(from: "1", to: "2", steps: chosen(1 + random.below(4)))
      return random.chance(2)
        ? [first, Migration(from: "2", to: "3", steps: chosen(2))] : [first]
    }
  }

  @Test("comes to the same results and counts in any order of the records")
  func order() throws {
    var random = SeededGenerator(31)
    let stock = try Stock(&random)
    for _ in 0..<TestAmount.of(150, some: 50) {
      let migrator = try Migrator(stock.plans(&random))
      let records = Sample.container(of: 12, &random)
      let outcome = try migrate(records, migrator)
      let shuffled = try migrate(records.shuffled(using: &random), migrator)
      #expect(Set(shuffled.results) == Set(outcome.results))
      #expect(shuffled.results.count == outcome.results.count)
      #expect(shuffled.report.withoutExamples == outcome.report.withoutExamples)
    }
  }

  @Test("comes to the same in shards, where the new names in all of them are known")
  func shards() throws {
    var random = SeededGenerator(32)
    let stock = try Stock(&random)
    var rewritten = 0
    for _ in 0..<200 {
      let migrator = try Migrator(stock.plans(&random))
      let records = Sample.container(of: 12, &random)
      let whole = try migrate(records, migrator)
      var shards = [[ResultRecord]](repeating: [], count: 3)
      for record in records { shards[random.below(3)].append(record) }
      var parts = Outcome(report: migrator.emptyReport())
      for shard in shards {
        let part = try migrate(shard, migrator, knowing: records)
        parts.results += part.results
        parts.report.add(part.report)
      }
      #expect(Set(parts.results) == Set(whole.results))
      #expect(parts.report.withoutExamples == whole.report.withoutExamples)
      rewritten += whole.report.rewrittenReferences
    }
    #expect(rewritten > 50)
  }

  @Test("and back again is what it was, where nothing was lost")
  func inverse() throws {
    var random = SeededGenerator(33)
    var (returned, followed) = (0, 0)
    var stock = try Stock(&random)
    let rounds = TestAmount.of(3000, some: 900)
    for round in 0..<rounds {
      if round % 300 == 299 { stock = try Stock(&random) }
      let plans = stock.plans(&random)
      guard !Self.needsSchemas(plans),
        let back = try? plans.reversed().map({ try $0.reversed() })
      else { continue }
      let (there, return_) = (try Migrator(plans), try Migrator(back))
      let all = Sample.container(of: 8, &random)
      let records = try all.filter { try migrate([$0], there, knowing: all).report.isLossless }
      let outcome = try migrate(records, there)
      guard outcome.report.isLossless, !Self.isMixedUp(records, outcome.results) else { continue }
      let end = try migrate(outcome.results, return_)
      let what = plans.flatMap(\.steps).map { "\($0.title) \($0.misfit)" }
      #expect(
        Set(end.results.map(Sample.stored)) == Set(records.map(Sample.stored)), "\(round) \(what)")
      if Set(outcome.results) != Set(records) { returned += 1 }
      if outcome.report.rewrittenReferences > 0 { followed += 1 }
    }
    #expect(returned > rounds / 30 && followed > rounds / 600, "\(returned), \(followed)")
  }

  /// Whether only the schemas between two plans would tell that types and fields of the second were
  /// there before.
  private static func needsSchemas(_ plans: [Migration]) -> Bool {
    let made = plans.map { plan in
      Set(
        plan.steps.flatMap { step -> [String] in
          let effects = step.action.effects
          if let type = effects.newType ?? effects.makes?.type { return [type.name] }
          if case .keep(let name) = step.misfit { return [name] }
          return []
        })
    }
    return made.count > 1 && !made[0].isDisjoint(with: made[1])
  }

  /// Whether names clash, or a reference that led nowhere leads to a record afterwards: it would
  /// follow that record on the way back.
  private static func isMixedUp(_ before: [ResultRecord], _ after: [ResultRecord]) -> Bool {
    let (old, new) = (Set(before.map(\.recordID)), Set(after.map(\.recordID)))
    if new.count != after.count { return true }
    return before.contains { record in
      let targets = record.fields.flatMap { field in
        (field.value.elements ?? [field.value]).compactMap { value -> RecordID? in
          guard case .reference(let reference) = value else { return nil }
          return reference.recordID
        }
      }
      return (targets + [record.parent?.recordID].compactMap { $0 }).contains {
        !old.contains($0) && new.contains($0)
      }
    }
  }
}

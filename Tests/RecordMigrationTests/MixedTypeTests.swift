import RecordModel
import Testing

@testable import RecordMigration

/// A step gives records the type that others have already: the way back cannot tell them apart.
@Suite("Records of two types that become one")
struct MixedTypeTests {
  @Test("are counted as inexact, each one that the way back would take for another")
  func inexact() throws {
    let rename = MigrationStep("A", .renameType(to: "B"))
    let here = MigrationStep(
      .init(["A"], zoneNames: ["Chats"]), .renameType(to: "B"),
      where: try RecordExpression("n > 1"))
    let merge = MigrationStep("A", .mergeTypes(into: "B", discriminator: "kind"))
    func isLossless(_ step: MigrationStep, _ record: ResultRecord) throws -> Bool {
      let migrator = try Migrator([Migration(from: "1", to: "2", steps: [step])])
      var report = migrator.emptyReport()
      let results = try migrator.migrate(
        record, in: .private, environment: .init(), report: &report)
      if record.recordType == "B" { #expect(results == [record] && report.unchanged == 1) }
      return report.isLossless
    }
    func record(
      _ type: String, zone: ZoneID = Sample.zone, _ fields: [String: RecordValue]
    ) -> ResultRecord { Sample.record(type, "r", zone: zone, fields) }
    #expect(try isLossless(rename, record("A", [:])))
    #expect(try !isLossless(rename, record("B", [:])))
    #expect(try isLossless(rename, record("C", [:])))
    #expect(try !isLossless(here, record("B", ["n": .int64(2)])))
    #expect(try isLossless(here, record("B", ["n": .int64(1)])))
    #expect(try isLossless(here, record("B", ["n": .string("odd")])))
    #expect(try isLossless(here, record("B", zone: Sample.other, ["n": .int64(2)])))
    #expect(try !isLossless(merge, record("B", ["kind": .string("A")])))
    #expect(try isLossless(merge, record("B", ["kind": .string("B")])))
    #expect(try isLossless(merge, record("B", [:])))
  }

  @Test(
    "there and back again is the same records, where nothing was lost",
    arguments: SeededGenerator.seeds(4))
  func thereAndBack(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let types = ["A", "B", "C"]
    var returned = 0
    for _ in 0..<300 {
      let steps = try (0..<1 + random.below(3)).map { _ -> MigrationStep in
        let (from, to) = (random.pick(types), random.pick(types))
        let condition = random.chance(2) ? try RecordExpression("n > 1") : nil
        return random.chance(2)
          ? MigrationStep(from, .renameType(to: to), where: condition)
          : MigrationStep(
            .init([from, random.pick(types)]), .mergeTypes(into: to, discriminator: "kind"),
            where: condition, misfit: .skip)
      }
      let migration = Migration(from: "1", to: "2", steps: steps)
      guard let back = try? migration.reversed() else { continue }
      let (there, return_) = (try Migrator([migration]), try Migrator([back]))
      for _ in 0..<8 {
        var fields: [String: RecordValue] = ["n": .int64(Int64(random.below(4)))]
        if random.chance(3) { fields["kind"] = .string(random.pick(types)) }
        let record = Sample.record(random.pick(types), "r", fields)
        var report = there.emptyReport()
        let results = try there.migrate(
          record, in: .private, environment: .init(), report: &report)
        guard report.isLossless else { continue }
        let ends = try results.flatMap { try return_.migrate($0) }
        #expect(ends == [record], "\(steps.map(\.title)) \(record)")
        returned += 1
      }
    }
    #expect(returned > 100)
  }
}

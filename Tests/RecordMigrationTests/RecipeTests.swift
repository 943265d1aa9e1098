import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordMigration

/// What was learnt from one record is applied to others with the same fields: whatever their values
/// are, they become what they become alone.
@Suite("What is learnt from a record")
struct RecipeTests {
  /// Actions that can do their work without reading a value, most of them about references.
  private static func actions() throws -> [MigrationAction] {
    try ["a", "b"].flatMap { name -> [MigrationAction] in
      [
        .setParent(from: name), .setParent(from: name, keepsField: false), .setReference(name),
        .setReference(name, .deleteSelf, keepsParent: false), .dropField(name),
        .renameField(name, to: "g"), .renameField(name, to: name == "a" ? "b" : "a"),
        .addField("g", .field(name)), .addField(name, .field("c")), .encrypt(name), .decrypt(name),
        .addField("h", .expression(try RecordExpression("list(a, b)"))),
        .addField("h", .constant(Sample.reference("n3"))),
      ]
    } + [
      .clearParent, .clearParent, .clearParent, .deleteType, .leaveBehind, .renameType(to: "Memo"),
      .move(to: Sample.other), .move(to: Sample.zone),
      .mergeTypes(into: "Tag", discriminator: nil),
      .renameRecords(try RecordExpression("'x-' + recordName")),
      .renameRecords(try RecordExpression("if(has(c), 'x-' + recordName, null)")),
    ]
  }

  private static let conditions = [
    nil, nil, nil, nil, "has(c)", "not has(parent)", "zoneName == 'Other'", "name(a) == 'n2'",
    "recordName < 'n5'",
  ]

  private static func step(_ random: inout SeededGenerator) throws -> MigrationStep {
    let action = random.pick(try actions())
    let condition: RecordExpression? = try random.pick(conditions).map { try RecordExpression($0) }
    return MigrationStep(
      .init(random.pick([["Note"], ["Note"], ["Memo"], ["Note", "Memo"], ["Tag"]])), action,
      where: condition, misfit: random.pick(Sample.policies(action)))
  }

  private static func reference(_ random: inout SeededGenerator) -> Reference {
    Reference(
      recordID: RecordID(
        recordName: random.pick(["n1", "n2", "x-n2", "n3", "n\(random.below(40))", "q\"", "é"]),
        zoneID: random.chance(3) ? Sample.other : Sample.zone),
      action: random.chance(4) ? .deleteSelf : .none,
      otherMembers: random.chance(12) ? [OtherMember(name: "extra", value: .null)] : [])
  }

  /// Records with the same few fields, and references of every form.
  private static func records(_ random: inout SeededGenerator) -> [ResultRecord] {
    (0..<40).map { number in
      var fields = [Field(name: "a", value: .reference(reference(&random)))]
      if !random.chance(4) {
        fields.append(
          Field(
            name: "b", value: .reference(reference(&random)),
            otherMembers: random.chance(20) ? [OtherMember(name: "extra", value: .null)] : []))
      }
      if random.chance(3) { fields.append(Field(name: "c", value: .int64(Int64(number)))) }
      let zone = random.chance(4) ? Sample.other : Sample.zone
      let parent = RecordID(recordName: "n\(random.below(40))", zoneID: zone)
      return ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: "n\(number)", zoneID: zone),
          recordType: random.pick(["Note", "Note", "Note", "Memo"]), recordChangeTag: "1a",
          parent: random.chance(4) ? Reference(recordID: parent) : nil),
        fields: fields)
    }
  }

  private static func migrator(_ random: inout SeededGenerator) throws -> Migrator {
    Migrator(
      checked: try (0..<1 + random.below(3)).map { number in
        Migration(
          from: "\(number)", to: "\(number + 1)",
          steps: try (0..<1 + random.below(4)).map { _ in try step(&random) })
      })
  }

  /// The new IDs of the records, and those left behind: the ID that a record had at the start of the
  /// migration that leaves it behind is the one that references to it have.
  private static func environment(
    of migrator: Migrator, _ records: [ResultRecord]
  ) throws -> (environment: MigrationEnvironment, leftBehind: [RecordID]) {
    var environment = try Sample.environment(of: migrator, knowing: records)
    var leftBehind: [RecordID] = []
    var map = RecordIDMap()
    for record in records {
      var before = record.recordID
      for end in migrator.stages.indices {
        let runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
        let results = try runner.run(EditableRecord(record, in: .private), stages: 0..<end + 1)
        let result = results.first { result in !runner.made.contains { $0 === result } }
        guard let result else {
          if runner.takeOutcome().report.steps.allSatisfy({ $0.failed == 0 }) {
            leftBehind.append(before)
            map.note(before, in: .private)
          }
          break
        }
        before = result.recordID
      }
    }
    environment.leftBehind = map
    return (environment, leftBehind)
  }

  @Test(
    "applies to another only if that is what it becomes alone", arguments: SeededGenerator.seeds(3))
  func applies(seed: UInt64) throws {
    var random = SeededGenerator(seed &+ 7000)
    for round in 0..<40 {
      let migrator = try Self.migrator(&random)
      let records = Self.records(&random)
      let (environment, leftBehind) = try Self.environment(of: migrator, records)
      let what = migrator.migrations.flatMap(\.steps).map {
        "\($0.title) \($0.misfit) \($0.condition?.source ?? "")"
      }
      try BytesComparison.compare(
        records + records.shuffled(using: &random), environment, migrator, "\(round) \(what)")
      let runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
      for record in records { try runner.run(EditableRecord(record, in: .private)) }
      #expect(runner.leftBehind.map(\.recordID) == leftBehind, "\(round) \(what)")
    }
  }
}

import Foundation
import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

/// A record that came as canonical bytes is migrated without being decoded as a whole: what becomes
/// of it must be what becomes of the same record as values, to the last byte.
@Suite("A record as bytes")
struct BytesTests {
  @Test("becomes what it becomes as values, by any step", arguments: SeededGenerator.seeds(2))
  func steps(seed: UInt64) throws {
    var random = SeededGenerator(seed &+ 2000)
    for step in TestAmount.of(try Sample.steps(&random), oneIn: 3) {
      let migrator = try Migrator([Migration(from: "1", to: "2", steps: [step])])
      try BytesComparison.compare(
        Sample.alike(2, &random), Sample.environment, migrator,
        "\(step.title) \(step.misfit) \(step.condition?.source ?? "")")
    }
  }

  @Test("becomes what it becomes as values, by any plan", arguments: SeededGenerator.seeds(3))
  func plans(seed: UInt64) throws {
    var random = SeededGenerator(seed &+ 3000)
    let steps = try Sample.steps(&random)
    for _ in 0..<50 {
      let chosen = (0..<1 + random.below(7)).map { _ in random.pick(steps) }
      let records = Sample.alike(4, &random)
      // Plans at random, which may contradict the schema at random too.
      let migrator = Migrator(checked: [
        Migration(
          from: "1", to: "2", steps: chosen,
          fromSchema: random.chance(3) ? try schema(of: records) : nil),
        Migration(
          from: "2", to: "3", steps: [random.pick(steps)],
          toSchema: random.chance(3) ? try schema(of: records) : nil),
      ])
      var environment = Sample.environment
      for stage in migrator.stages.indices where random.chance(2) {
        var map = RecordIDMap()
        // Any names will do: what is compared is how references to them are rewritten.
        for number in 0..<8 {
          map.note(
            RecordID(recordName: "n\(number)", zoneID: Sample.zone),
            became: RecordID(recordName: "new-\(number)", zoneID: Sample.other), in: .private)
        }
        environment.identities[stage] = map
      }
      try BytesComparison.compare(
        records, environment, migrator,
        chosen.map(\.title).joined(separator: ", "))
    }
  }

  @Test("finds references to names of any form")
  func oddNames() throws {
    var random = SeededGenerator(7)
    let names = [
      "a\"b", "back\\slash", "tab\t", "é", "e\u{301}", "日本語", "😀",
      String(repeating: "n", count: 255),
      "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
      "e621E1F8-C36C-495A-93FC-0C247A3E6E5F",
    ]
    let migrator = Migrator(checked: [Migration(from: "1", to: "2", steps: [])])
    for name in names {
      var map = RecordIDMap()
      map.note(
        RecordID(recordName: name, zoneID: Sample.zone),
        became: RecordID(recordName: "new", zoneID: Sample.other), in: .private)
      var environment = Sample.environment
      environment.identities[0] = map
      let records = (0..<40).map { number in
        let targets = (0..<random.below(4)).map { _ in
          Reference(recordID: RecordID(recordName: random.pick(names), zoneID: Sample.zone))
        }
        var system = SystemFields(
          recordID: RecordID(recordName: "r\(number)", zoneID: Sample.zone), recordType: "Note")
        if random.chance(4) { system.parent = targets.first }
        return ResultRecord(
          systemFields: system, fields: [Field(name: "list", value: .referenceList(targets))])
      }
      try BytesComparison.compare(records, environment, migrator, name)
    }
  }

  @Test("is counted whatever the number of shapes")
  func manyShapes() throws {
    var random = SeededGenerator(8)
    let steps = try Sample.steps(&random)
    for _ in 0..<5 {
      let migrator = Migrator(checked: [
        Migration(from: "1", to: "2", steps: [random.pick(steps), random.pick(steps)])
      ])
      let records = Sample.alike(60, &random)
      try BytesComparison.compare(
        records + records.shuffled(using: &random), Sample.environment, migrator, "")
    }
  }

  @Test("is refused by the filter of names only if it is not among them")
  func nameFilter() {
    var map = RecordIDMap()
    func id(_ number: Int) -> RecordID {
      let name = number % 2 == 0 ? "name \(number)" : UUID().uuidString
      return RecordID(recordName: name, zoneID: Sample.zone)
    }
    func mayContain(_ recordID: RecordID) -> Bool {
      Array(recordID.recordName.utf8).withUnsafeBytes { map.mayContain(name: $0) }
    }
    let (inside, outside) = ((0..<5000).map(id), (5000..<15_000).map(id))
    let isEmptyEver = outside.contains(where: mayContain)
    #expect(!isEmptyEver)
    for recordID in inside { map.note(recordID, in: .private) }
    let isComplete = inside.allSatisfy(mayContain)
    #expect(isComplete)
    let mistakes = outside.filter(mayContain).count
    #expect(mistakes < outside.count / 30, "\(mistakes)")
  }

  /// A schema that some of the records have, and that others contradict.
  private func schema(of records: [ResultRecord]) throws -> CloudSchema {
    var types: [String: [String: CloudSchema.FieldType]] = [:]
    for record in records {
      for field in record.fields {
        guard let type = field.value.type.flatMap({ CloudSchema.FieldType(of: $0) }) else {
          continue
        }
        let known = types[record.recordType]?[field.name]
        types[record.recordType, default: [:]][field.name] =
          known
          ?? CloudSchema.FieldType(
            type.primitive, isList: type.isList, isEncrypted: field.isEncrypted && !type.isList)
      }
    }
    let text = types.map { name, fields in
      "RECORD TYPE \(name) ("
        + fields.map { "\($0.key) \($0.value), " }.joined() + "GRANT WRITE TO \"_creator\");"
    }
    return try SchemaDocument(parsing: "DEFINE SCHEMA " + text.sorted().joined(separator: " "))
      .validSchema()
  }
}

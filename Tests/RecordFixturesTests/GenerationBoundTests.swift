import RecordBundle
import RecordModel
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Generated records keep to the rules")
struct GenerationBoundTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Records of a recipe whose lines begin with the second; all are valid.
  private func records(_ lines: String) throws -> [String: [ResultRecord]] {
    let generation = try GenerationSamples.generation(
      "recordpack-recipe: 1\n\(lines)\n", schema: GenerationSamples.shortNames)
    let (reader, _) = try GenerationSamples.bundle(generation, in: folder)
    let validator = RecordValidator(generation.layout.schema)
    try reader.forEachRecord { record, database in
      let problems = validator.problems(in: record, database: database)
      #expect(problems.isEmpty, "\(record): \(problems)")
    }
    return try GenerationSamples.records(reader)
  }

  @Test(
    "of the public database: guessed fields that are encrypted are left out below it",
    arguments: [
      "B: {database: public}, A: {parent: B}", "Users: {database: public}, A: {parent: Users}",
      "B: {database: public}, C: {parent: B}, A: {parent: C, fields: {es: none}}",
    ])
  func encrypted(types: String) throws {
    let list = try #require(try records("types: {\(types)}")["A"])
    #expect(list.allSatisfy { $0["s"] != nil as String? })
    #expect(list.allSatisfy { !$0.fields.contains(where: \.isEncrypted) })
  }

  @Test("at the edges: a weight of nothing is none")
  func ends() throws {
    let list = try #require(
      try records(
        """
        edge-cases: true
        types:
          A:
            count: 400
            fields:
              i: {weights: {1: 1, 7: 0, -5: 0}}
              ei: {weights: {1..8: 3, 9: 1}}
              d: {range: 0..20}
              a: {asset: png, size: {weights: {3: 0, 100: 1}}}
        """)["A"])
    func numbers(_ name: String) -> Set<Int64> {
      Set(list.compactMap { $0.encryptedValues[name] ?? $0[name] as Int64? })
    }
    #expect(numbers("i") == [1])
    #expect(numbers("ei").contains(9))
    #expect(list.compactMap { $0["d"] as Double? }.max() == 20)
  }

  @Test("of zones: a starter of types in several zones has no references between them")
  func starter() throws {
    let schema = try GenerationSamples.schema(
      """
      DEFINE SCHEMA
        RECORD TYPE CD_Item ( CD_name STRING, CD_next REFERENCE );
        RECORD TYPE Note ( text STRING, items LIST<REFERENCE>, other REFERENCE );
        RECORD TYPE Users ( roles LIST<INT64>, nick STRING, best REFERENCE );
      """)
    let recipe = try FixtureRecipe(yaml: FixtureRecipe.starter(for: schema))
    let alone = try Generation(schema: schema).write(to: folder.path("a"))
    let starter = try Generation(schema: schema, recipe: recipe).write(to: folder.path("a"))
    #expect(starter.contentHash == alone.contentHash)
  }

  // MARK: Sizes

  /// The fields of `C`, of which all but `s` have no values.
  private func text(_ rule: String) -> String {
    "types: {C: {count: 2, fields: {s: \(rule), i: none, r: none, lr: none}}}"
  }

  @Test(
    "of size: the largest values of a record that would be too large are left out, and counted",
    arguments: [
      ("by: {bytes: 1000000}, s: {words: 1}", ["by"]),
      ("s: {characters: 400000, locale: ja}, i: 5", ["s"]),
      ("by: {bytes: 700000}, s: {characters: 200000, locale: ar}", ["by"]),
      ("lb: {bytes: 200, list: 5000}", ["lb"]),
      ("ls: {value: ééééé, list: 10000}, lb: {bytes: 91, list: 10000}", ["lb"]),
      ("ls: {kind: hex, list: 10000}, s: {words: 90000}", ["ls"]),
      ("s: {sentences: 1000000}, ls: {words: 100000, list: 10000}", ["ls", "s"]),
      ("by: {bytes: 600000}, s: {characters: 500000}, s2: {characters: 900000}", ["by", "s2"]),
    ] as [(String, [String])])
  func tooLarge(fields: String, left: [String]) throws {
    let others =
      ["s", "s2", "i", "d", "t", "by", "loc", "r", "a", "ls", "li", "ld", "lt", "lb"]
      + ["ll", "lr", "la", "es", "ei", "et"]
    let given = Set(fields.matches(of: /(\w+): (?:5$|\{)/).map { String($0.1) })
    let none = others.filter { !given.contains($0) }.map { "\($0): none" }
    let rules = fields.replacing("i: 5", with: "i: {value: 5}")
    let generation = try GenerationSamples.generation(
      "recordpack-recipe: 1\ntypes: {A: {count: 2, fields: {\(rules), "
        + none.joined(separator: ", ") + "}}}", schema: GenerationSamples.shortNames)
    let (reader, report) = try GenerationSamples.bundle(generation, in: folder)
    #expect(report.valuesLeftOut == 2 * left.count)
    let validator = RecordValidator(generation.layout.schema)
    let records = try #require(try GenerationSamples.records(reader)["A"])
    for record in records {
      #expect(validator.problems(in: record, database: .private).isEmpty)
      #expect(Set(record.fields.map(\.name)) == given.subtracting(left))
    }
  }

  @Test("of size: what a record holds is made")
  func large() throws {
    _ = try records(text("{characters: 600000}"))
    _ = try records(text("{characters: 999999}"))
    _ = try records(text("{characters: 330000, locale: ja}"))
    _ = try records(text("{words: 60000, locale: ar}"))
    _ = try records(text("{sentences: 6000, locale: ar}"))
    let lists = "li: {range: 0..9, list: 10000}, ld: {range: 0..1, list: 10000}"
    _ = try records("types: {A: {count: 1, fields: {\(lists), lt: {created: 1h, list: 10000}}}}")
    _ = try records("types: {A: {count: 1, fields: {ls: {kind: email, list: 10000}}}}")
  }

  // MARK: Files

  @Test("of files: those that no record has are not made")
  func files() throws {
    let clock = ContinuousClock()
    let time = try clock.measure {
      let list = try records(
        "types: {A: {count: 3, fields: {a: {asset: png, size: 100kB, variants: 10000}, la: none}}}")
      #expect(list["A"]?.allSatisfy { ($0["a"] as Asset?)?.size == 100_000 } == true)
    }
    #expect(time < .seconds(20))
  }
}

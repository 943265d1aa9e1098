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
    "of size: what could be more than a record holds is refused",
    arguments: [
      ("A: {fields: {by: {bytes: 1000000}}}", "'by' of 'A' could have 1000002 bytes"),
      ("A: {fields: {s: {characters: 400000, locale: ja}}}", "'s' of 'A' could have 12"),
      ("A: {fields: {s: {characters: 400000, locale: mixed}}}", "'s' of 'A' could have 12"),
      (
        "B: {fields: {by: {bytes: 700000}, s: {characters: 200000, locale: ar}}}",
        "most of them in 'by'; 1000000 are the maximum"
      ),
      ("C: {fields: {s: {characters: 999999}}}", "most of them in 's'"),
      ("A: {fields: {lb: {bytes: 200, list: 5000}}}", "'lb' of 'A' could have 1000002 bytes"),
      ("A: {fields: {ls: {value: ééééé, list: 10000}, lb: {bytes: 91, list: 10000}}}", "of 'A'"),
      ("A: {fields: {ls: {kind: hex, list: 10000}, s: {words: 90000}}}", "of 'A' could have"),
    ])
  func tooLarge(types: String, expected: String) throws {
    #expect {
      try GenerationSamples.generation(
        "recordpack-recipe: 1\ntypes: {\(types)}", schema: GenerationSamples.shortNames)
    } throws: {
      "\($0)".contains(expected)
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

  @Test("of size: no text is larger than what is reckoned", arguments: WordLocale.allCases)
  func texts(locale: WordLocale) throws {
    let rules =
      TextKind.allCases.map { "{kind: \($0.rawValue)" }
      + ["{words: 1", "{words: 300", "{sentences: 40", "{characters: 1", "{characters: 999"]
    for rule in rules {
      let yaml = "types: {C: {count: 60, fields: {s: \(rule), locale: \(locale.rawValue)}}}}"
      let recipe = try FixtureRecipe(yaml: "recordpack-recipe: 1\n\(yaml)")
      let field = try #require(recipe.types[0].fields["s"])
      let most = recipe.valueSize.most(field, isList: false)
      let texts = try records(yaml)["C"]?.compactMap { $0["s"] as String? } ?? []
      #expect(texts.count == 60 && texts.allSatisfy { $0.utf8.count <= most }, "\(rule)")
    }
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

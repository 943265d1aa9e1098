import Foundation
import RecordMigration
import TestSupport
import Testing

@testable import RecordFixtures

/// The JSON Schema that editors complete recipes by, held against our reader by a validator that is
/// not ours.
@Suite("The JSON Schema of recipes")
struct RecipeSchemaTests {
  private static let script = """
    import json, sys
    try:
        import jsonschema, yaml
    except ImportError:
        print("absent"); sys.exit(0)
    class Loader(yaml.SafeLoader):
        "Reads dates as text, as RecordPack does."
    Loader.yaml_implicit_resolvers = {
        sign: [entry for entry in entries if entry[0] != "tag:yaml.org,2002:timestamp"]
        for sign, entries in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    def named(value):
        if isinstance(value, dict): return {str(key): named(each) for key, each in value.items()}
        return [named(each) for each in value] if isinstance(value, list) else value
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for text in json.load(sys.stdin):
        try:
            print("yes" if validator.is_valid(named(yaml.load(text, Loader))) else "no")
        except yaml.YAMLError:
            print("no")
    """

  /// What python's validator says of recipes; nil where it is not installed.
  private func verdicts(_ recipes: [String]) async throws -> [Bool]? {
    let run = try await Command(
      "python3", "-c", Self.script,
      Place.inPackage("Schemas/recordpack-recipe-v1.schema.json"),
      input: JSONEncoder().encode(recipes), mergesErrors: false)
    if run.output.hasPrefix("absent") || run.code == 127 { return nil }
    return run.output.split(separator: "\n").map { $0 == "yes" }
  }

  private func recipe(_ field: String) -> String {
    "recordpack-recipe: 1\ntypes: {Chat: {fields: {title: \(field)}}}\n"
  }

  @Test("takes every kind of value, and the recipes of other tests")
  func accepts() async throws {
    let recipes =
      [
        GenerationSamples.recipe, GenerationSamples.everyValue,
        FixtureRecipe.starter(for: try GenerationSamples.schema()),
        "recordpack-recipe: 1\nusers: 3\nzones: {A: {owners: 2, shared: true}, B: }\n"
          + "types: {Chat: , T: {zone: A, hierarchy: false, created: 0..5m, modified: 1}}\n",
      ] + KnownText.allCases.map { recipe($0.rawValue) }
      + [
        "guess", "{null-rate: 0.5, list: 0..3}", "{kind: email, locale: ja}", "{range: 5}",
        "{range: -1..1.5, decimals: 3}", "{ancestors: true, action: validate}",
        "{reference: Chat, any: true}", "{asset: text, size: {weights: {1..9: 1}}, variants: 2}",
        "{bytes: {weights: {3: 1}}}", "{location: {latitude: -1..1}}", "{location: city}",
        "{pattern: 5}", "{value: true}", "{choice: ['null', 'true']}", "{words: '3'}",
        "{asset: bytes, size: {weights: {10..20: 1, 30: 0.5}}}",
      ].map(recipe)
      + ["container: iCloud.com.example.a-b_c", "users: 3", "container: 'true'"].map {
        "recordpack-recipe: 1\n\($0)\ntypes: {T: {zone: 2025}}"
      }
    for recipe in recipes { #expect(throws: Never.self) { try FixtureRecipe(yaml: recipe) } }
    guard let verdicts = try await verdicts(recipes) else { return }
    for (recipe, verdict) in zip(recipes, verdicts) { #expect(verdict, "\(recipe)") }
    #expect(verdicts.count == recipes.count)
  }

  @Test("refuses what the reader refuses")
  func refuses() async throws {
    let recipes =
      [
        "types: {}", "recordpack-recipe: 2\ntypes: {}", "recordpack-recipe: 1",
        "recordpack-recipe: 1\ntypes: {}\nzone: A",
        "recordpack-recipe: 1\ntypes: {}\nlocale: xx", "recordpack-recipe: 1\ntypes: {}\nusers: 0",
        "recordpack-recipe: 1\ntypes: {T: {zone: A, parent: B}}",
        "recordpack-recipe: 1\ntypes: {T: {cuont: 1}}",
        "recordpack-recipe: 1\ntypes: {T: {shared: 2}}",
        "recordpack-recipe: 1\ntypes: {T: {created: 5}}",
      ]
      + [
        "emial", "{words: some}", "{words: 1, kind: email}", "{words: 1, size: 3}",
        "{zipf: 1..5}", "{poisson: 3}", "{weights: {}}", "{choice: []}",
        "{asset: gif}", "{null-rate: 2}", "{decimals: 2}", "{pattern: ''}", "{sequence: a}",
        "{created: 5x}", "{date: tomorrow}", "{reference: T, action: cascade}", "[1]",
        "{value: null}", "{value: ~}", "{choice: [null, a]}", "{weights: '3'}", "{pattern: ~}",
        "{words: {zipf: 1..5}}", "{words: {range: 3..6, weights: {3: 1}}}",
        "{list: {weights: {1: 1}, exponent: 2}}", "{null-rate: '0.5'}", "{unique: 'true'}",
        "{asset: bytes, size: {range: 1..5}}", "{asset: bytes, size: {}}",
        "{words: {weights: {1: '2'}}}", "{reference: }", "{range: 0..1, decimals: '2'}",
        "{sequence: '5'}", "{range: 0..1, decimals: 10}",
      ].map(recipe)
      + [
        "container: -0.5", "container: \"x\\0y\\n\"", "container: null", "container: true",
        "container: 'a b'", "users: '3'", "edge-cases: 'true'", "zones: {A: {copies: 2}}",
        "zones: {A: {owners: '1'}}", "zones: {A: {shared: 'false'}}",
      ].map { "recordpack-recipe: 1\n\($0)\ntypes: {}" }
      + ["zone: ", "parent: ~", "modified: '0'", "hierarchy: 'true'", "count: {}"].map {
        "recordpack-recipe: 1\ntypes: {T: {\($0)}}"
      }
    for recipe in recipes {
      #expect(throws: FixtureError.self, "\(recipe)") { try FixtureRecipe(yaml: recipe) }
    }
    guard let verdicts = try await verdicts(recipes) else { return }
    for (recipe, verdict) in zip(recipes, verdicts) { #expect(!verdict, "\(recipe)") }
  }
}

import RecordMigration
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

/// Recipes that say what cannot be made.
@Suite("A recipe is refused")
struct RefusedRecipeTests {
  /// What is wrong with a recipe whose lines begin with the second.
  private func error(_ lines: String) throws -> String {
    let yaml = "recordpack-recipe: 1\n\(lines)\n"
    do {
      let recipe = try FixtureRecipe(yaml: yaml, file: "r.yaml")
      _ = try Generation(
        schema: GenerationSamples.schema(GenerationSamples.shortNames), recipe: recipe)
      return "none"
    } catch let error as FixtureError {
      return error.description
    }
  }

  private func expect(_ lines: String, _ expected: String) throws {
    let found = try error(lines)
    #expect(found.contains(expected), "\(found)")
    #expect(found.hasPrefix("r.yaml:"), "\(found)")
  }

  private func expect(field: String, _ expected: String) throws {
    try expect("types: {A: {fields: {\(field)}}}", expected)
  }

  @Test(
    "if encrypted fields would be in the public database through a parent",
    arguments: [
      "B: {database: public}, A: {parent: B, fields: {es: {words: 1}}}",
      "Users: {database: public}, A: {parent: Users, fields: {es: {words: 1}}}",
      "A: {parent: C, fields: {es: {words: 1}}}, C: {parent: B}, B: {database: public}",
    ])
  func encrypted(types: String) throws {
    try expect(
      "types: {\(types)}", "'es' of 'A' is encrypted; the public database has no encrypted values")
  }

  @Test("if zones have the same name")
  func zoneNames() throws {
    try expect("zones:\n  Z: {}\n  Z: {owners: 1}\ntypes: {}", "Z")
  }

  @Test(
    "if values cannot be unique",
    arguments: [
      (
        "i: {sequence: 5, step: 0, unique: true}",
        "cannot be unique: there are 3 records, and 1 different values"
      ),
      ("d: {range: 9007199254740992..9007199254741300, unique: true}", "beyond ±9007199254740992"),
      ("d: {range: -9007199254740999..5, unique: true}", "beyond ±9007199254740992"),
      ("d: {sequence: 9007199254740991, unique: true}", "3 records, and 2 different values"),
      ("d: {sequence: -9007199254740991, step: -1, unique: true}", "and 2 different values"),
      ("d: {sequence: 9007199254740999, unique: true}", "and 0 different values"),
    ])
  func unique(field: String, expected: String) throws { try expect(field: field, expected) }

  @Test(
    "if a range has no value of so many places",
    arguments: [
      ("d: {range: 0.2..0.4, decimals: 0}", "r.yaml:2:33: error: no number from 0.2 to 0.4 has 0"),
      ("d: {range: 1.001..1.002}", "has 2 decimals"),
      ("loc: {location: {latitude: 1.0000001..1.0000009}}", "r.yaml:2:49: error: latitude"),
      ("ll: {location: {longitude: 0.0000001..0.0000002}}", "longitude: no number"),
    ])
  func places(field: String, expected: String) throws { try expect(field: field, expected) }

  @Test("unless the ends of a range are such values, as far as doubles can tell")
  func exactPlaces() throws {
    for value in ["0.57", "0.07", "1.15", "0.29"] {
      #expect(try error("types: {A: {fields: {d: {range: \(value)..\(value)}}}}") == "none")
    }
    #expect(DecimalValues.units(0.07...0.07, 2) == 7...7)
    #expect(DecimalValues.units(0.57...0.57, 2) == 57...57)
  }

  @Test(
    "if a distribution has something else than weights",
    arguments: [
      ("count: {range: 1..5, weights: {9: 1}}", "r.yaml:2:21: error: "),
      ("count: {range: 1..5}", "count is a number, a range, or has weights"),
      ("fields: {s: {words: {zipf: 1..5}}}", "words is a number, a range, or has weights"),
      ("fields: {i: {range: 1..5, weights: {1: 1}}}", "a field has 'range' or 'weights', not both"),
    ])
  func distributions(member: String, expected: String) throws {
    try expect("types: {A: {\(member)}}", expected)
  }

  @Test(
    "if a constant is null",
    arguments: [
      ("s: {value: null}", "r.yaml:2:33: error: null is no value; for no value, write none"),
      ("s: {value: ~}", "null is no value"), ("s: {value: }", "null is no value"),
      ("s: {choice: [null, a]}", "null is no value"), ("s: {choice: {~: 1, a: 1}}", "null is no"),
    ])
  func null(field: String, expected: String) throws {
    try expect(field: field, expected)
    #expect(try error("types: {A: {fields: {s: {choice: ['null', '']}}}}") == "none")
  }

  @Test(
    "if references could never refer to anything",
    arguments: [
      (
        "types: {B: {zone: Z1, fields: {r: {reference: A, action: validate}}}, A: {zone: Z2}}",
        "r.yaml:2:47: error: 'r' of 'B' cannot refer to records of 'A', which are in zone 'Z2', not in "
          + "zone 'Z1'"
      ),
      (
        "types: {A: {fields: {lr: {reference: Users}}}, Users: {database: public}}",
        "'lr' of 'A' cannot refer to records of 'Users', which are in the public database, not in zone "
      ),
      (
        "types: {A: {parent: C, fields: {r: {reference: B, any: true}}}, C: {zone: Z}, B: {}}",
        "which are in zone 'Records', not in zone 'Z'"
      ),
      (
        "types: {A: {database: public, fields: {r: {reference: B}}}, B: {}}",
        "which are in zone 'Records', not in the public database"
      ),
    ])
  func unreachable(lines: String, expected: String) throws { try expect(lines, expected) }

  @Test(
    "if a rule would be without effect",
    arguments: [
      (
        "A: {fields: {s: {value: a}, s2: {expression: s, null-rate: 0.5}}}",
        "r.yaml:2:68: error: 's2' of 'A' is calculated"
      ),
      ("Users: {database: public, names: uuid}", "r.yaml:2:42: error: the records of 'Users' have"),
    ])
  func effect(types: String, expected: String) throws { try expect("types: {\(types)}", expected) }

  @Test("if records of a shared zone should have shares of their own")
  func sharedTwice() throws {
    try expect(
      "users: 2\nzones: {Z: {shared: true}}\ntypes: {A: {zone: Z, shared: 0.5}}",
      "r.yaml:4:30: error: zone 'Z' is shared as a whole")
  }

  @Test(
    "if a container's identifier is none",
    arguments: [
      "\"x\\u0000y\\n\"", "-0.5", "5", "null", "~", "true", "'a b'", "é",
      String(repeating: "x", count: 256),
    ])
  func container(text: String) throws {
    try expect("container: \(text)\ntypes: {}", "r.yaml:2:12: error: container is")
  }

  @Test(
    "if a number or flag is quoted",
    arguments: [
      "users: '2'\ntypes: {}", "edge-cases: 'true'\ntypes: {}",
      "types: {A: {count: {weights: {1: '3'}}}}",
      "types: {A: {modified: '0.5'}}", "types: {A: {fields: {s: {words: 1, null-rate: '0.5'}}}}",
      "types: {A: {fields: {s: {words: 1, unique: 'true'}}}}",
      "types: {A: {fields: {i: {weights: {1: '2'}}}}}", "types: {A: {hierarchy: 'false'}}",
    ])
  func quoted(lines: String) throws { try expect(lines, "without quotes") }

  @Test(
    "if dates would be after the year 9999",
    arguments: [
      (
        "reference-date: 9999-12-31\ntypes: {A: {created: 0..36525d}}",
        "r.yaml:3:22: error: records of 'A' could be created after the year 9999"
      ),
      (
        "reference-date: 9990-01-01\ntypes: {B: {created: 1500d}, A: {parent: B, created: 3000d}}",
        "r.yaml:3:54: error: records of 'A'"
      ),
      (
        "reference-date: 9990-01-01\ntypes: {A: {created: 0s, fields: {t: {created: 36525d}}}}",
        "r.yaml:3:48: error: 't' of 'A' could be after the year 9999"
      ),
    ])
  func dates(lines: String, expected: String) throws { try expect(lines, expected) }
}

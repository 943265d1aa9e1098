import Foundation
import RecordMigration
import RecordSchema
import Testing

@testable import RecordFixtures

@Suite("Errors of recipes")
struct RecipeErrorTests {
  /// What is wrong with types of a recipe whose lines begin with the fourth.
  private func error(_ types: String, head: String = "users: 2") throws -> String {
    let yaml = "recordpack-recipe: 1\n\(head)\ntypes:\n\(types)\n"
    do {
      let recipe = try FixtureRecipe(yaml: yaml, file: "r.yaml")
      _ = try Generation(schema: GenerationSamples.schema(), recipe: recipe)
      return "none"
    } catch let error as FixtureError {
      return error.description
    }
  }

  @Test(
    "name line and column, what was found and what is expected",
    arguments: [
      ("  Chat: {count: some}", "r.yaml:4:17: error: count is a whole number or a range"),
      ("  Chat: {count: 5..1}", "r.yaml:4:17: error: count: the range '5..1' ends before"),
      ("  Chat: {count: -1}", "r.yaml:4:17: error: count is '-1'; it must be from 0 to"),
      (
        "  Chat: {cuont: 1}",
        "r.yaml:4:10: error: a record type has no 'cuont'; did you mean 'count'?"
      ),
      (
        "  Chta: {}",
        "r.yaml:4:3: error: the schema has no record type 'Chta'; did you mean 'Chat'?"
      ),
      (
        "  Chat:\n    fields:\n      titel: email",
        "r.yaml:6:7: error: 'Chat' has no field 'titel'; did you mean 'title'?"
      ),
      (
        "  Chat: {fields: {title: emial}}",
        "r.yaml:4:26: error: there is no kind of values 'emial'; did you mean 'email'?"
      ),
      (
        "  Chat: {fields: {title: {range: 1..5}}}",
        "r.yaml:4:19: error: 'title' of 'Chat' is ENCRYPTED STRING, and the rule makes whole numbers"
      ),
      (
        "  Chat: {fields: {title: {words: 1, kind: email}}}",
        "a field has 'kind' or 'words', not both"
      ),
      (
        "  Chat: {fields: {title: {words: 1, size: 5}}}",
        "r.yaml:4:43: error: 'size' belongs to 'asset'"
      ),
      (
        "  Chat: {fields: {title: {words: 1, null-rate: 2}}}",
        "r.yaml:4:48: error: null-rate is a number from 0 to 1, not '2'"
      ),
      (
        "  Chat: {fields: {title: {words: 1, list: 2}}}",
        "r.yaml:4:43: error: 'title' of 'Chat' is ENCRYPTED STRING, which is not a list"
      ),
      ("  Chat: {fields: {code: {choice: [a], unique: true}}}", "cannot be unique by this rule"),
      (
        "  Chat: {count: 9, fields: {messageCount: {range: 1..5, unique: true}}}",
        "cannot be unique: there are 9 records, and 5 different values"
      ),
      ("  Chat: {fields: {icon: {asset: gif}}}", "r.yaml:4:33: error: there is no asset 'gif'"),
      (
        "  Chat: {fields: {icon: {asset: png, size: 5}}}",
        "a file of kind 'png' has at least 84 bytes"
      ),
      ("  Chat: {fields: {icon: {asset: png, size: 90MB}}}", "the maximum is 50000000 bytes"),
      (
        "  Chat: {fields: {title: {expression: 'cod'}}}",
        "expression: 'Chat' has no values in 'cod'; did you mean 'code'?"
      ),
      ("  Chat: {fields: {title: {expression: '1 +'}}}", "r.yaml:4:"),
      ("  Chat: {fields: {mood: {weights: {}}}}", "weights: there is no number"),
      ("  Chat: {parent: Message}\n  Message: {parent: Chat}", "'Chat' is below itself"),
      ("  Message: {parent: Chat}", "r.yaml:4:21: error: 'types' has no 'Chat'"),
      (
        "  Message: {fields: {chat: {reference: Chat}}}",
        "r.yaml:4:40: error: 'types' has no 'Chat'"
      ),
      ("  Chat: {zone: A, database: public}", "only one of 'zone', 'database' and 'parent'"),
      (
        "  Chat: {database: public, fields: {title: {words: 2}}}",
        "the public database has no encrypted values"
      ),
      ("  Chat: {database: public, shared: 1}", "cannot be shared"),
      (
        "  Chat: {}\n  Message: {parent: Chat, shared: 1}", "only types without a parent are shared"
      ),
      ("  Users: {zone: A}", "the records of 'Users' are in the public database"),
      (
        "  Chat: {count: 1000000}\n  Message: {parent: Chat, count: 2000}",
        "r.yaml:5:34: error: there would be more than 1000000000 records"
      ),
    ])
  func places(types: String, expected: String) throws {
    let found = try error(types)
    #expect(found.contains(expected), "\(found)")
    #expect(found.hasPrefix("r.yaml:"), "\(found)")
  }

  @Test(
    "are told of the head, too",
    arguments: [
      ("users: 0", "r.yaml:2:8: error: users is a whole number from 1 to 100, not '0'"),
      ("locale: xx", "there is no locale 'xx'"),
      ("reference-date: yesterday", "reference-date is a date such as 2025-01-31"),
      ("edge-cases: maybe", "edge-cases is true or false"),
      ("zones: {_x: {}}", "cannot be the name of a zone"),
      (
        "zones: {A: {owners: 2}}",
        "owners is a whole number from 1 to 1, not '2': there are 1 users"
      ),
      ("zones: {A: {shared: true}}", "a shared zone needs users: 2 or more"),
      ("zone: A", "a recipe has no 'zone'; did you mean 'zones'?"),
      ("users: &a 2", "anchors and aliases"),
    ])
  func heads(head: String, expected: String) throws {
    let found = try error("  Chat: {}", head: head)
    #expect(found.contains(expected), "\(found)")
  }

  @Test("are told of what is no recipe")
  func foreign() {
    for (yaml, expected) in [
      ("", "the recipe is empty"), ("types: {}", "this is not a recipe"),
      ("recordpack-recipe: 2\ntypes: {}", "reads version 1 of a recipe"),
      ("recordpack-recipe: 1", "'types' is missing"), ("[1]", "a recipe is a mapping"),
      (String(repeating: "[", count: 100), "nested too deeply"),
      (
        "recordpack-recipe: 1 # \(String(repeating: "x", count: 1 << 20))",
        "more than 1048576 bytes"
      ),
    ] {
      #expect {
        try FixtureRecipe(yaml: yaml)
      } throws: {
        "\($0)".contains(expected)
      }
    }
  }

  @Test("of expressions name the place when a record has no value")
  func expressions() throws {
    let recipe = """
      recordpack-recipe: 1
      types:
        Chat:
          fields: {code: {value: x}, mood: {expression: "1 / (length(code) - 1)"}}
      """
    let generation = try Generation(
      schema: GenerationSamples.schema(), recipe: FixtureRecipe(yaml: recipe))
    #expect {
      try generation.write(to: "/dev/null")
    } throws: {
      "\($0)".contains("recipe.yaml:4:51: error: expression of 'mood': division by zero")
    }
  }
}

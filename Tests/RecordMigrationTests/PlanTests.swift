import Foundation
import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

@Suite("Plans")
struct PlanTests {
  static let schema = """
    DEFINE SCHEMA
    RECORD TYPE Message (
      text STRING, count STRING, sentAt TIMESTAMP, chat REFERENCE,
      GRANT WRITE TO "_creator"
    );
    """

  private func plan(_ steps: String) -> String {
    "recordpack-migration: 1\nfrom: \"1\"\nto: \"2\"\nsteps:\n" + steps
  }

  @Test(
    "with a mistake are refused with line, column and what was meant",
    arguments: [
      ("  - do: rename-feild\n    type: Message", "5:9", "did you mean 'rename-field'"),
      (
        "  - do: rename-field\n    type: Message\n    feild: a\n    to: b", "7:5",
        "did you mean 'field'"
      ),
      ("  - do: rename-field\n    type: Message\n    field: a", "5:5", "'to' is missing"),
      ("  - do: convert\n    type: M\n    field: a\n    to: STRNG", "8:9", "did you mean 'STRING'"),
      (
        "  - do: encrypt\n    type: M\n    field: a\n    misfit: skipp", "8:13",
        "did you mean 'skip'"
      ),
      (
        "  - do: leave-behind\n    type: M\n    where: \"a >> 1\"", "7:16",
        "instead of a value"
      ),
      ("  - do: leave-behind\n    type: M\n    where: a ~ 1", "7:14", "unexpected"),
      (
        "  - do: convert\n    type: M\n    field: a\n    format: ddd\n    to: STRING", "8:13",
        "not part of a date"
      ),
      ("  - do: add-field\n    type: M\n    field: a", "5:5", "one of 'value'"),
      ("  - do: map-values\n    type: M\n    field: a\n    values: {}", "8:13", "lists no values"),
      (
        "  - do: move\n    type: M\n    to-zone: Z\n    misfit: {keep-in: x}", "8:13",
        "no single value"
      ),
      ("  - do: drop-field\n    type: M\n    field: a\n    field: b", "7:5", "repeated"),
      ("  - rename", "5:5", "mapping"),
      (
        "  - {do: add-field, type: M, field: a, as: BYTES, value: 'Eg=z'}", "5:58",
        "bytes must be in Base64"
      ),
      (
        "  - {do: add-field, type: M, field: a, as: BYTES, value: 'Zh=='}", "5:58",
        "bytes must be in Base64"
      ),
      (
        "  - {do: add-field, type: M, field: a, as: BYTES, value: '===='}", "5:58",
        "bytes must be in Base64"
      ),
      ("  - do: convert\n    type: M\n    field: a\n    from: STRING", "5:5", "'to' is missing"),
    ])
  func mistakes(steps: String, place: String, part: String) throws {
    let error = #expect(throws: MigrationError.self) {
      try MigrationPlan(yaml: plan(steps), file: "p.yml")
    }
    let text = "\(try #require(error))"
    #expect(text.hasPrefix("p.yml:\(place): error:"), "\(text)")
    #expect(text.contains(part), "\(text)")
  }

  @Test(
    "are checked against their schemas",
    arguments: [
      ("  - {do: rename-field, type: Message, field: txt, to: body}", "did you mean 'text'"),
      ("  - {do: rename-field, type: Mesage, field: text, to: body}", "did you mean 'Message'"),
      (
        "  - {do: rename-field, type: Message, field: text, to: count}",
        "already has a field 'count'"
      ),
      ("  - {do: leave-behind, type: Message, where: \"coun == 'x'\"}", "did you mean 'count'"),
      ("  - {do: rename-field, type: Message, field: text, to: body}", "no field 'body'"),
      ("  - {do: encrypt, type: Message, field: text}", "is ENCRYPTED STRING in the result"),
      ("  - {do: rename-type, type: Message, to: Letter}", "no record type 'Letter'"),
    ])
  func againstSchemas(step: String, part: String) throws {
    let schema = try SchemaDocument(parsing: Self.schema).validSchema()
    let plan = try MigrationPlan(yaml: plan(step), file: "p.yml")
    let error = #expect(throws: MigrationError.self) { try plan.resolved { _ in schema } }
    let text = "\(try #require(error))"
    #expect(text.contains(part), "\(text)")
  }

  @Test("learn from the schema what type a value had")
  func fillsIn() throws {
    let schema = try SchemaDocument(parsing: Self.schema).validSchema()
    var migration = Migration(
      from: "1", to: "2",
      steps: [MigrationStep("Message", .convert("count", Conversion(to: .int64)))],
      fromSchema: schema)
    #expect(throws: MigrationError.self) { try migration.reversed() }
    try migration.checkAgainstSchemas()
    #expect(try migration.reversed().steps.count == 1)
  }

  @Test("that are no plans, or too much for a reader, are refused")
  func hostile() {
    let deep = "recordpack-migration: 1\nsteps: " + String(repeating: "[", count: 5000)
    let dashes = "recordpack-migration: 1\nsteps:\n  " + String(repeating: "- ", count: 5000)
    let aliases = "recordpack-migration: 1\na: &a [1,1]\nsteps: [*a]"
    let long = "# " + String(repeating: "x", count: 2_000_000)
    for text in ["", "a: 1", "[]", "recordpack-migration: 2", deep, dashes, aliases, long, "\u{0}"]
    {
      #expect(throws: MigrationError.self) { try MigrationPlan(yaml: text) }
    }
  }

  @Test("say which of their steps cannot be undone, and why")
  func reverse() throws {
    let steps = """
        - {do: drop-field, type: M, field: a}
        - {do: rename-field, type: M, field: b, to: c}
        - {do: leave-behind, type: M, where: "d > 1"}
        - {do: map-values, type: M, field: d, values: {1: 3, 2: 3}}
        - {do: merge-types, type: [M, N], into: O}
      """
    let plan = try MigrationPlan(yaml: plan(steps), file: "p.yml")
    let error = #expect(throws: MigrationError.self) { try plan.migration.reversed() }
    let text = "\(try #require(error))"
    #expect(
      text.contains("p.yml:5:10: drop-field M.a: dropped values cannot be restored"), "\(text)")
    #expect(text.contains("leave-behind M"))
    #expect(text.contains("several values map to the same value"))
    #expect(text.contains("discriminator"))
    #expect(!text.contains("rename-field"))
  }

  @Test("are begun out of two schemas: guesses and gaps are questions, losses are comments")
  func draft() throws {
    let old = try SchemaDocument(parsing: Self.schema).validSchema()
    let text = Self.schema.replacingOccurrences(of: "text STRING", with: "body STRING")
      .replacingOccurrences(of: "count STRING", with: "count INT64")
      .replacingOccurrences(of: "chat REFERENCE,", with: "")
    let new = try SchemaDocument(parsing: text).validSchema()
    let draft = PlanDraft(from: old, named: "1", to: new, named: "2")
    #expect(draft.questions == 3)
    #expect(
      draft.yaml.contains("- do: rename-field\n    type: Message\n    field: text\n    to: body")
    )
    #expect(draft.yaml.contains("# - do: drop-field"))
    let plan = try MigrationPlan(yaml: draft.yaml)
    let error = #expect(throws: MigrationError.self) {
      try plan.resolved { $0 == "1" ? old : new }
    }
    #expect("\(try #require(error))".contains("no field 'chat'"), "a loss must be decided on")
  }

  @Test("comments with brackets nest nothing")
  func comments() throws {
    let comments = String(repeating: "  # a list [ or {\n", count: 60)
    let plan =
      "recordpack-migration: 1\nfrom: a\nto: b\nsteps:\n\(comments)"
      + "  - do: drop-field\n    type: A\n    field: b\n"
    #expect(try MigrationPlan(yaml: plan).migration.steps.count == 1)
  }

  @Test("rename types too, by what their fields have in common")
  func renamedType() throws {
    let old = try SchemaDocument(parsing: Self.schema).validSchema()
    let new = try SchemaDocument(
      parsing: Self.schema.replacingOccurrences(of: "Message", with: "ChatMessage")
    ).validSchema()
    let draft = PlanDraft(from: old, named: "1", to: new, named: "2")
    #expect(draft.yaml.contains("- do: rename-type\n    type: Message\n    to: ChatMessage"))
    #expect(try MigrationPlan(yaml: draft.yaml).migration.steps.count == 1)
  }
}

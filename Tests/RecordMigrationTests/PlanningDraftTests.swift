import Foundation
import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

@Suite("Drafts of plans")
struct PlanningDraftTests {
  /// Answered in the default way a draft leads from one schema to the other; as it is, it does so
  /// or is refused at a question.
  private func check(_ old: CloudSchema, _ new: CloudSchema, _ name: Comment) throws {
    let draft = Planning.draft(old, new)
    #expect(draft.yaml == Planning.draft(old, new).yaml, name)
    do {
      try Planning.resolved(Planning.answered(draft.yaml), old, new)
    } catch {
      Issue.record("\(name): \(error)\n\(draft.yaml)")
    }
    do {
      try Planning.resolved(draft.yaml, old, new)
    } catch let error as MigrationError {
      #expect(error.message.hasPrefix("QUESTION "), "\(name): \(error)\n\(draft.yaml)")
      let question = draft.asked.first { $0.line == error.location?.line }
      #expect(question?.stepsAreComments == true, "\(name): \(error)\n\(draft.yaml)")
    }
  }

  @Test("a question on a removed type says how many records it has, and its step is a comment")
  func countedType() throws {
    let old = try Planning.schema(
      "RECORD TYPE Chat (title STRING); RECORD TYPE Note (text STRING);")
    let new = try Planning.schema("RECORD TYPE Chat (title STRING);")
    func question(_ counts: [ExactString: Int]?) -> String {
      PlanDraft(from: old, named: "a", to: new, named: "b", counts: counts).yaml
    }
    #expect(question(["Chat": 7, "Note": 1]).contains("'Note' (1 record) was removed."))
    #expect(question(["Chat": 7]).contains("'Note' (0 records) was removed."))
    #expect(question(nil).contains("'Note' was removed."))
    #expect(question(["Note": 12]).contains("\n  # - do: delete-type\n  #   type: Note\n"))
  }

  @Test("spell out what would drive a terminal or turn the direction of text around")
  func visible() throws {
    let parse = { (field: String) in
      SchemaDocument(
        parsing: "DEFINE SCHEMA RECORD TYPE T (\"\(field)\" STRING, GRANT READ TO \"_world\");",
        name: "s.ckdb"
      ).schema
    }
    let draft = Planning.draft(parse("a\u{202E}b"), parse("a\u{202E}B\u{9B}"))
    let controls = draft.yaml.unicodeScalars.filter { $0.isControlling && $0 != "\n" }
    #expect(controls.isEmpty, "\(draft.yaml.debugDescription)")
    #expect(draft.yaml.contains("\\u202e"))
  }

  @Test(
    "of real schemas lead from each to its neighbours, and back",
    .enabled(if: !Planning.corpus.isEmpty, "the corpus is not beside the package"))
  func realSchemas() throws {
    let schemas = try Planning.corpus.map { try MigrationDirectory.schema(at: $0) }
    #expect(schemas.count == 56)
    for index in schemas.indices.dropFirst() {
      let name = Comment(rawValue: Planning.corpus[index])
      try check(schemas[index - 1], schemas[index], name)
      try check(schemas[index], schemas[index - 1], name)
    }
  }

  @Test("of random schemas lead from one to the other", arguments: SeededGenerator.seeds(12))
  func randomSchemas(_ seed: UInt64) throws {
    var random = SeededGenerator(seed &+ 7000)
    for round in 0..<25 {
      let old = try Planning.randomSchema(&random)
      let new = try Planning.randomSchema(&random)
      try check(old, new, "seed \(seed), round \(round)")
    }
  }

  @Test("do what they say when they are run")
  func run() throws {
    let old = try Planning.schema(
      "Note", "count STRING, file BYTES, secret ENCRYPTED STRING, title STRING, gone INT64")
    let new = try Planning.schema(
      "Note", "count INT64, countText STRING, photo ASSET, secret STRING, headTitle STRING")
    let draft = Planning.draft(old, new)
    let plan = try Planning.resolved(Planning.answered(draft.yaml), old, new)
    let migrator = try Migrator([plan.migration])
    let record = Sample.record(
      [
        "count": .string("many"), "file": .bytes(Data([1, 2])), "title": .string("t"),
        "gone": .int64(7),
      ], encrypted: ["secret": .string("s")])
    let result = try #require(try migrator.migrate(record).first)
    #expect(
      result.fields.map(\.name).sorted() == ["countText", "headTitle", "photo", "secret"])
    #expect(result["countText"] == "many")
    #expect(result["headTitle"] == "t")
    #expect(result["secret"] == "s")
    let photo: Asset? = result["photo"]
    #expect(photo?.content == .data(Data([1, 2])))
  }

  @Test("ask about a change once, however many types it happens in")
  func shared() throws {
    let old =
      "RECORD TYPE A (chat STRING, n INT64); RECORD TYPE B (chat STRING); RECORD TYPE C (x BYTES);"
    let new =
      "RECORD TYPE A (chatName STRING, n INT64, d DOUBLE, e STRING); "
      + "RECORD TYPE B (chatName STRING, d DOUBLE, e STRING); RECORD TYPE C (x BYTES, d DOUBLE);"
    let draft = Planning.draft(try Planning.schema(old), try Planning.schema(new))
    #expect(draft.asked.map(\.kind) == [.renamedField, .newField, .newField])
    #expect(draft.asked.map(\.recordTypes) == [["A", "B"], ["A", "B", "C"], ["A", "B"]])
    #expect(draft.yaml.contains("type: [A, B]\n    field: chat\n    to: chatName"))
    for question in draft.asked {
      let line = draft.yaml.split(separator: "\n", omittingEmptySubsequences: false)[
        question.line - 1]
      #expect(line.hasPrefix("  # QUESTION \(question.number): "))
    }
  }

  @Test("are refused at the question, not at the end, where a loss is not decided on")
  func pointing() throws {
    let old = try Planning.schema("Note", "a STRING, place LOCATION")
    let new = try Planning.schema("Note", "a STRING")
    let yaml = Planning.draft(old, new).yaml
    let error = try #require(
      #expect(throws: MigrationError.self) { try Planning.resolved(yaml, old, new) })
    #expect(
      error.description.hasPrefix("plan.yml:5:3: error: QUESTION 1 is open: the schema of version"),
      "\(error)")
    // Answered, but not by the step: the mistake is an ordinary one again.
    let silent = yaml.replacingOccurrences(of: "QUESTION 1: ", with: "")
    let plain = #expect(throws: MigrationError.self) { try Planning.resolved(silent, old, new) }
    #expect(plain?.location?.line == 3)
  }

  @Test("write names that YAML takes for something else in quotation marks")
  func quoting() {
    for text in ["yes", "Null", "", "a b", "a: b", "#", "1", "-", "é", "\"", "\\", "*", "a,b"] {
      #expect(PlanText.quoted(text).hasPrefix("\""), "\(text)")
    }
    #expect(PlanText.quoted("a\nb\u{7}") == "\"a\\u000ab\\u0007\"")
    #expect(PlanText.quoted("chatName_2") == "chatName_2")
    #expect(PlanText.quoted("schemas/v1.ckdb") == "schemas/v1.ckdb")
  }

  @Test("name numbers as plans know them, and leave fields for any number alone")
  func numbers() throws {
    let draft = try Planning.draft(
      "a NUMBER, b INT64, c DOUBLE, d STRING, e NUMBER",
      "a INT64, b NUMBER, c NUMBER, d NUMBER, e LIST<NUMBER>, f NUMBER PREFERRED AS INT64")
    let steps = draft.yaml
    #expect(steps.contains("field: a\n    to: INT64"))
    #expect(!steps.contains("field: b") && !steps.contains("field: c"))
    #expect(steps.contains("field: d\n    from: STRING\n    to: DOUBLE"))
    #expect(steps.contains("field: e\n    to: LIST<DOUBLE>"))
    #expect(steps.contains("field: f\n  #   as: INT64"))
  }

  @Test("tell two schemas of one name apart by their folders")
  func folders() throws {
    let plan = "recordpack-migration: 1\nfrom: ../old/schema.ckdb\nto: schema\nsteps: []\n"
    let migration = try MigrationPlan(yaml: plan).migration
    #expect(migration.from == "../old/schema")
    #expect(migration.to == "schema")
    #expect(throws: MigrationError.self) {
      try MigrationPlan(
        yaml: "recordpack-migration: 1\nfrom: s.ckdb\nto: s.ckdb\nsteps: []\n")
    }
  }
}

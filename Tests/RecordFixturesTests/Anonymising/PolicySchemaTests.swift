import RecordMigration
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("The JSON Schema of policies")
struct PolicySchemaTests {
  @Test("accepts and refuses what the reader does")
  func verdicts() async throws {
    let start = "recordpack-policy: 1\n"
    let rules = AnonymisationRule.allCases.map { "types: {A: {b: \($0.rawValue)}}" }
    let good =
      rules + [
        "", "default: keep", "default: redact\ndates: keep", "dates: date\nassets: content-size",
        "keep:\ntypes:", "keep: [a, 'b*']",
        "keep: a", "types: {A: }", "types: {'*': {b: text}}",
      ]
    let bad = [
      "types: {A: {b: hide}}", "types: [A]", "types: {A: [b]}", "default: hide", "dates: move",
      "assets: keep",
      "keep: {a: b}", "keep: ['']", "extra: 1", "types: {A: {'': text}}",
    ]
    let documents = (good + bad).map { start + $0 + "\n" } + ["types: {}", "recordpack-policy: 2"]
    let own = documents.map { (try? AnonymisationPolicy(yaml: $0)) != nil }
    #expect(own == good.map { _ in true } + bad.map { _ in false } + [false, false])
    guard
      let theirs = try await SchemaValidator.verdicts(
        of: documents, by: "recordpack-policy-v1.schema.json")
    else { return print("skipped: python's jsonschema is not installed") }
    #expect(theirs == own)
  }
}

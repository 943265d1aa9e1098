import RecordMigration
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("The JSON Schema of policies")
struct PolicySchemaTests {
  @Test("accepts and refuses what the reader does")
  func verdicts() async throws {
    let start = "recordpack-policy: 1\n"
    let needy: [AnonymisationRule: String] = [
      .keepIf: "5", .round: "10", .enumeration: "[a, b]", .archive: "NSURL",
    ]
    let rules = AnonymisationRule.allCases.map { rule in
      let yaml = needy[rule].map { "{\(rule.rawValue): \($0)}" } ?? rule.rawValue
      return "types: {A: {b: \(yaml)}}"
    }
    let good =
      rules + [
        "", "default: keep", "default: redact\ndates: keep", "dates: date\nassets: content-size",
        "keep:\ntypes:", "keep: [a, 'b*']",
        "keep: a", "types: {A: }", "types: {'*': {b: text}}", "types: {A: drop}",
        "types: {A: {b: {keep: [a, 0]}}}", "types: {A: {b: {keep: , accepted: a reason}}}",
        "types: {A: {b: {round: year}, c: {round: 0.5}, d: {integer: 0..10}, e: {decimal: -1..1.5}}}",
        "types: {A: {b: {url: myapp}, c: {json: [a]}, d: {date: day}, e: {integer: 3}}}",
        "drop: [comments, references]", "drop:\npersons:\norders:\naccepted:",
        "persons: {A: b, '*': ___recordID}", "accepted: {dates: a, comments: b}",
        "orders: {A: [a <= b]}\ntypes: {A: {a: date, b: date}}",
        "types: {A: {b: {json: []}}}", "types: {A: {b: {keep: 1}}}", "types: {'*': drop}",
        "orders: {A: a <= b}\ntypes: {A: {a: date, b: date}}",
      ]
    let bad = [
      "types: {A: {b: hide}}", "types: [A]", "types: {A: [b]}", "default: hide", "dates: move",
      "assets: keep",
      "keep: {a: b}", "keep: ['']", "extra: 1", "types: {A: {'': text}}", "types: {A: keep}",
      "types: {A: {b: round}}", "types: {A: {b: {text: a}}}",
      "types: {A: {b: {round: month, keep: a}}}",
      "types: {A: {b: {round: decade}}}", "types: {A: {b: {keep-if: 1}}}",
      "types: {A: {b: {date: week}}}", "types: {A: {b: {keep: []}}}",
      "types: {A: {b: {enumeration: []}}}",
      "types: {A: {b: {accepted: a}}}", "types: {A: {b: {url: 'a b'}}}",
      "types: {A: {b: {archive: UIColor}}}",
      "drop: [types]", "accepted: {all: a}", "accepted: {dates: ''}", "persons: [A]",
      "orders: {A: [a]}",
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

import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import TestSupport
import Testing

@testable import RecordFixtures

/// The attack that the page about anonymising promises to withstand.
///
/// The attacker has the anonymised bundle, this program, everything about 50,000 candidates, and the
/// public database of the source, but not the key. 1,000 of the candidates are in the data. An attack
/// finds the candidates who look like a record in some way, and guesses that it is one of them.
@Suite("An attacker without the key")
struct AttackTests {
  /// Rules whose price is stated, and that the attack is expected to break.
  static let priced: Set<String> = [
    "keep", "text-length", "text-shape", "text-script", "number-digits", "content-size",
    "date-order", "shift", "move", "keep-if", "round", "json", "number-order",
  ]

  private struct Attribute: Sendable {
    var name: String
    /// Whether there are few different values, which an attacker would read instead of matching.
    var isFew = false
    var value: @Sendable (Population.Person) -> RecordValue

    init(
      _ name: String, isFew: Bool = false,
      _ value: @escaping @Sendable (Population.Person) -> RecordValue
    ) {
      (self.name, self.isFew, self.value) = (name, isFew, value)
    }
  }

  private static let attributes: [Attribute] = [
    Attribute("givenName") { .string($0.given) },
    Attribute("fullName") { .string($0.fullName) },
    Attribute("email") { .string($0.email) },
    Attribute("phone") { .string($0.phone) },
    Attribute("home") { .string($0.home) },
    Attribute("token") { .string($0.recordName) },
    Attribute("note") { .string($0.note) },
    Attribute("city", isFew: true) { .string($0.city) },
    Attribute("gender", isFew: true) { .string($0.gender) },
    Attribute("diagnosis", isFew: true) { .string($0.diagnosis) },
    Attribute("salary") { .int64($0.salary) },
    Attribute("height") { .double($0.height) },
    Attribute("birthday") { .timestamp($0.birthday) },
    Attribute("place") { .location($0.place) },
    Attribute("letter") { .bytes($0.letter) },
  ]

  private static func rules(for type: ValueType) -> [AnonymisationRule] {
    AnonymisationRule.rules(for: type).filter { $0 != .drop }
  }

  private static func fieldName(_ attribute: Attribute, _ rule: AnonymisationRule) -> String {
    "\(attribute.name)_\(rule.rawValue.replacingOccurrences(of: "-", with: "_"))"
  }

  // MARK: Tests

  @Test(
    "identifies nobody by the values of a field, whatever its rule",
    .enabled(if: TestAmount.isFull), arguments: [1])
  func rules(seed: UInt64) throws {
    let population = Population(seed: seed)
    let folder = try TestFolder()
    let names = Self.attributes.map { attribute in
      Self.rules(for: attribute.value(population.people[0]).type ?? .string).map {
        Self.fieldName(attribute, $0)
      }
    }
    let container = try population.write(to: folder.path("source.sqlite")) { person in
      zip(Self.attributes, names).flatMap { attribute, names in
        let value = attribute.value(person)
        return names.map { Field(name: $0, value: value) }
      }
    }
    var policy = AnonymisationPolicy(rules: ["Person": ["serial": PolicyRule(.keep)], "Post": [:]])
    for attribute in Self.attributes {
      let type = attribute.value(population.people[0]).type ?? .string
      for rule in Self.rules(for: type) {
        policy.rules["Person"]?[Self.fieldName(attribute, rule)] = .sample(rule)
      }
    }
    policy.rules["Post"] = [
      "serial": PolicyRule(.keep), "sentAt": PolicyRule(.date), "never": PolicyRule(.date),
      "nowhere": PolicyRule(.place),
    ]
    let out = folder.path("out.recordpack")
    try Anonymisation(policy, key: PseudonymTests.key(UInt8(seed))).write(
      .container(container), to: out)
    let outcome = try AttackedBundle(BundleReader(path: out))
    var findings: [Attack.Finding] = []
    for attribute in Self.attributes {
      let known = Attack.Known(population, attribute.value)
      for rule in Self.rules(for: known.type) {
        let place = "\(attribute.name): \(rule.rawValue)"
        findings += Attack.findings(
          outcome.values(of: Self.fieldName(attribute, rule)), known, place,
          isFew: attribute.isFew)
      }
    }
    findings += Attack.systemFindings(outcome, population)
    Self.judge(findings, "seed \(seed)")
  }

  @Test("identifies nobody if the starter policy is used as it is")
  func drafts() throws {
    let population = Population(seed: 3)
    let folder = try TestFolder()
    let container = try population.write(to: folder.path("source.sqlite")) { person in
      Self.attributes.map { Field(name: $0.name, value: $0.value(person)) }
    }
    var policy = try PolicyDraft(of: .container(container)).policy
    let known = Self.attributes.map { Attack.Known(population, $0.value) }
    policy.rules["Person"]?["serial"] = PolicyRule(.keep)
    policy.rules["Post"]?["serial"] = PolicyRule(.keep)
    for (name, policy) in [
      ("draft", policy),
      (
        "redact",
        AnonymisationPolicy(rules: ["*": ["serial": PolicyRule(.keep)]], defaultRule: .redact)
      ),
    ] {
      let out = folder.path("\(name).recordpack")
      try Anonymisation(policy, key: PseudonymTests.key()).write(.container(container), to: out)
      let outcome = try AttackedBundle(BundleReader(path: out))
      var findings: [Attack.Finding] = []
      for (attribute, known) in zip(Self.attributes, known) {
        let rule = policy.rules["Person"]?[attribute.name]?.rule.rawValue ?? name
        findings += Attack.findings(
          outcome.values(of: attribute.name), known,
          "\(name): \(attribute.name): \(rule)", isFew: attribute.isFew)
      }
      findings += Attack.systemFindings(outcome, population)
      Self.judge(findings, name)
    }
  }

  /// Expects that no attack found more than chance does, except where the rule has a price.
  private static func judge(_ findings: [Attack.Finding], _ place: String) {
    let isTold = ProcessInfo.processInfo.environment["RECORDPACK_ATTACK"] != nil
    for finding in findings {
      let rule = finding.place.split(separator: " ").last.map(String.init) ?? ""
      // Where the policy asks for consistency, who knows one value knows its equals.
      let isReading = finding.attack.hasPrefix("reading")
      let hasPrice =
        priced.contains(rule)
        || isReading && (rule == "identifier" || rule.hasSuffix("-consistent"))
      if isTold, finding.found > finding.limit { print("\(place)  \(finding.line)") }
      if !hasPrice { #expect(finding.found <= finding.limit, "\(place): \(finding.line)") }
    }
    // The attack works: it finds what is kept.
    if findings.contains(where: { $0.place.hasSuffix(": keep") }) {
      #expect(findings.contains { $0.place == "email: keep" && $0.found > 900 })
      #expect(findings.contains { $0.place == "gender: keep" && $0.found > 900 })
    }
  }
}

extension PolicyRule {
  /// A rule with a parameter, if it needs one.
  static func sample(_ rule: AnonymisationRule) -> PolicyRule {
    switch rule {
    case .keepIf: PolicyRule(rule, .number(1000))
    case .enumeration: PolicyRule(rule, .words(["1", "2"]))
    case .archive: PolicyRule(rule, .words(["NSURL"]))
    default: PolicyRule(rule)
    }
  }
}

import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import TestSupport
import Testing

@testable import RecordFixtures

/// Random apps under random policies. The attacker has the result, the policy, and everything of the source except the
/// key, and joins the persons of both by values, counts, fields, order, dates and the graph.
@Suite("An attacker who knows the whole source")
struct RandomAttackTests {
  @Test(
    "identifies no more persons than the verdict says stand alone",
    arguments: SeededGenerator.seeds(12))
  func verdict(seed: UInt64) throws {
    let maker = try SourceMaker()
    let app = RandomApp(seed, persons: TestAmount.isFull ? 1000 : 120)
    let source = try maker.source(app.records)
    let policy = try SourceMaker.policy(app.yaml)
    let key = try PseudonymTests.key(UInt8(truncatingIfNeeded: seed))
    let path = maker.folder.path("out.recordpack")
    let report = try Anonymisation(policy, key: key).write(source, to: path)
    var after: [ResultRecord] = []
    try BundleReader(path: path).forEachRecord { record, _ in after.append(record) }
    let known = Attacker(app.records, policy, isSource: true).persons()
    let seen = Attacker(after, policy, isSource: false).persons()
    // The truth, which only who has the key knows.
    let pseudonyms = Pseudonyms(key)
    var identified = 0
    var wrong = 0
    for (look, people) in known where people.count == 1 {
      guard let found = seen[look], found.count == 1 else { continue }
      if pseudonyms.name(people[0], .user) == found[0] { identified += 1 } else { wrong += 1 }
    }
    #expect(report.verdict.persons == app.persons.count)
    #expect(identified <= report.verdict.alone, "\(app.yaml)\n\(identified): \(report.verdict)")
    #expect(wrong == 0)
    // The attack works. It does not read places that move.
    if report.verdict.alone > 20, !app.yaml.contains("move") {
      #expect(identified > 0, "\(app.yaml)\n\(report.verdict)")
    }
  }
}

/// An app with random fields of twenty kinds, its persons and a policy.
private struct RandomApp {
  private(set) var records: [ResultRecord] = []
  private(set) var persons: [String] = []
  private(set) var yaml = ""
  private var random: SeededGenerator

  private struct Kind: Sendable {
    var name: String
    var rules: [String]
    var value: @Sendable (inout SeededGenerator, Int) -> RecordValue
  }

  private static let numbers = [
    "number", "number-consistent", "number-digits", "number-order", "{round: 10}", "keep",
    "{integer: 0..9}", "{keep: [0, 1]}",
  ]
  private static let texts = [
    "text", "text-consistent", "text-length", "text-shape", "keep", "name", "{keep-if: 5}",
    "redact",
  ]
  private static let dates = ["date", "date-order", "shift", "{round: year}", "keep"]

  private static let kinds: [Kind] = [
    Kind(name: "flag", rules: ["flag", "keep"]) { random, _ in .int64(Int64(random.below(2))) },
    Kind(name: "status", rules: texts + ["{enumeration: [a, b]}"]) { random, _ in
      .string(random.pick(["open", "done", "late"]))
    },
    Kind(name: "sentence", rules: texts) { random, person in
      .string("dear \(random.below(30)) of \(person)")
    },
    Kind(name: "fullName", rules: texts + ["name-consistent"]) { _, person in
      .string("Mira \(person)")
    },
    Kind(name: "email", rules: ["email", "email-consistent", "keep"]) { _, person in
      .string("m\(person)@tact.app")
    },
    Kind(name: "phone", rules: ["phone", "text-shape"]) { _, person in
      .string("+49 170 \(1_000_000 + person)")
    },
    Kind(name: "customer", rules: numbers) { _, person in .int64(Int64(10_000 + person)) },
    Kind(name: "income", rules: numbers) { random, _ in .int64(Int64(random.below(9)) * 1000) },
    Kind(name: "height", rules: ["number", "decimal", "number-digits", "keep", "{round: 10}"]) {
      random, _ in
      .double(150 + Double(random.below(50)))
    },
    Kind(name: "at", rules: dates) { random, _ in
      .timestamp(Date(timeIntervalSince1970: Double(random.below(1_000_000_000))))
    },
    Kind(name: "until", rules: dates) { random, _ in
      .timestamp(Date(timeIntervalSince1970: Double(random.below(1_000_000_000))))
    },
    Kind(name: "place", rules: ["place", "move", "keep"]) { random, _ in
      .location(Location(latitude: Double(random.below(80)), longitude: Double(random.below(80))))
    },
    Kind(name: "bytes", rules: ["content", "content-consistent", "content-size", "keep"]) {
      random, _ in
      .bytes(Data(repeating: UInt8(random.below(4)), count: 100 + random.below(4)))
    },
    Kind(name: "body", rules: ["{json: [kind]}", "text"]) { random, _ in
      .string(random.chance(3) ? #"{"kind":"a"}"# : #"{"kind":1,"x":2}"#)
    },
    Kind(name: "link", rules: ["url", "url-consistent", "{url: myapp}"]) { random, _ in
      .string("https://tact.app/\(random.below(40))")
    },
    Kind(name: "tint", rules: ["colour", "text-consistent"]) { random, _ in
      .string("#00FF0\(random.below(10))")
    },
    Kind(name: "tags", rules: ["text", "text-consistent", "keep", "text-length"]) { random, _ in
      .stringList((0..<(1 + random.below(3))).map { _ in "t\(random.below(6))" })
    },
    Kind(name: "own", rules: ["identifier", "uuid"]) { random, person in
      .string("r\(max(0, person - random.below(2)))-0")
    },
    Kind(name: "friend", rules: ["identifier"]) { random, person in
      .reference(
        Reference(
          recordID: RecordID(
            recordName: "r\(max(0, person - 1 - random.below(2)))-0", zoneID: SourceMaker.zoneID)))
    },
    Kind(name: "score", rules: numbers) { random, _ in .int64(Int64(random.below(3))) },
  ]

  init(_ seed: UInt64, persons count: Int) {
    random = SeededGenerator(seed)
    persons = (0..<count).map { person in
      "_" + String(format: "%032x", person * 7919 + 1)
    }
    // A few fields, so that not everybody stands alone.
    let fields = (0..<(1 + random.below(3))).map { _ in random.pick(Self.kinds) }
      .reduce(into: [Kind]()) { kinds, kind in
        if !kinds.contains(where: { $0.name == kind.name }) { kinds.append(kind) }
      }
    let isOptional = random.chance(3)
    let hasCounts = random.chance(3)
    for (person, user) in persons.enumerated() {
      for number in 0..<(hasCounts ? 1 + random.below(3) : 1) {
        var values: [String: RecordValue] = [:]
        for field in fields where !isOptional || !random.chance(4) {
          values[field.name] = field.value(&random, person)
        }
        records.append(SourceMaker.record("r\(person)-\(number)", "Item", by: user, values))
      }
    }
    let rules = fields.map { "    \($0.name): \(random.pick($0.rules))" }.joined(separator: "\n")
    yaml = "types:\n  Item:\n" + rules
  }
}

/// What somebody sees of persons in a source, if its values are replaced, or in a result.
private struct Attacker {
  private let records: [ResultRecord]
  private let policy: AnonymisationPolicy
  private let isSource: Bool
  /// The values of each field, to compare their numbers and order.
  private var counts: [String: [RecordValue: Int]] = [:]
  private var holders: [String: [String: Set<String>]] = [:]
  private var ranks: [String: [RecordValue: Int]] = [:]

  init(_ records: [ResultRecord], _ policy: AnonymisationPolicy, isSource: Bool) {
    (self.records, self.policy, self.isSource) = (records, policy, isSource)
    for record in records {
      let user = Self.user(record)
      for field in record.fields {
        for element in field.value.elements ?? [field.value] {
          counts[field.name, default: [:]][element, default: 0] += 1
        }
        holders[field.name, default: [:]]["\(field.value)", default: []].insert(user)
      }
    }
    for (name, values) in counts {
      let sorted = values.keys.sorted { Self.number($0) < Self.number($1) }
      ranks[name] = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
    }
  }

  private static func number(_ value: RecordValue) -> Double {
    switch value {
    case .int64(let number): Double(number)
    case .double(let number): number
    case .timestamp(let date): date.timeIntervalSince1970
    default: 0
    }
  }

  private static func user(_ record: ResultRecord) -> String {
    record.systemFields.created?.userRecordName ?? ""
  }

  /// A record, by what links it to others.
  private struct Link {
    let name: String
    let user: String
    let targets: [String]
    let values: [String]
  }

  /// The persons by what they look like.
  func persons() -> [[Int]: [String]] {
    let links = records.map {
      Link(
        name: $0.recordID.recordName, user: Self.user($0), targets: targets($0), values: values($0))
    }
    var looks: [String: Int] = [:]
    for record in records { looks[record.recordID.recordName] = look(of: record).hashValue }
    let people = Dictionary(grouping: links, by: \.user)
    func all(_ links: [Link]) -> [Int] { links.map { looks[$0.name] ?? 0 }.sorted() }
    // Who refers to whom, and has equal values, over four steps.
    for _ in 0..<4 {
      var incoming: [String: [Int]] = [:]
      var peers: [String: [Int]] = [:]
      for link in links {
        let look = looks[link.name] ?? 0
        for target in link.targets { incoming[target, default: []].append(look) }
        for value in link.values { peers[value, default: []].append(look) }
      }
      let references = incoming.mapValues { $0.sorted().hashValue }
      let equals = peers.mapValues { $0.sorted().hashValue }
      let owners = people.mapValues { all($0).hashValue }
      var next: [String: Int] = [:]
      for link in links {
        let parts: [[Int?]] = [
          [looks[link.name], references[link.name], owners[link.user]],
          link.targets.map { looks[$0] }, link.values.map { equals[$0] },
        ]
        next[link.name] = parts.hashValue
      }
      looks = next
    }
    return Dictionary(grouping: people.keys) { all(people[$0] ?? []) }
  }

  private func rule(_ field: Field) -> PolicyRule? {
    policy.namedRule(for: field.name, of: "Item", field.value.type ?? .string)
  }

  private func targets(_ record: ResultRecord) -> [String] {
    record.fields.flatMap { $0.value.references.map(\.recordID.recordName) }
      + record.fields.compactMap { field in
        guard rule(field)?.rule == .identifier, case .string(let name) = field.value else {
          return nil
        }
        return name
      }
  }

  /// The values that stay equal to others.
  private func values(_ record: ResultRecord) -> [String] {
    record.fields.flatMap { field -> [String] in
      guard let rule = rule(field), rule.rule.isConsistent else { return [] }
      return (field.value.elements ?? [field.value]).map { "\(field.name) \($0)" }
    }
  }

  private func look(of record: ResultRecord) -> String {
    record.fields.map { field in
      "\(field.name) \(field.value.typeName) \(look(of: field, in: record))"
    }.joined(separator: "\n")
  }

  /// What remains of a value.
  private func look(of field: Field, in record: ResultRecord) -> String {
    guard let rule = rule(field) else { return "" }
    let elements = field.value.elements ?? [field.value]
    switch rule.rule {
    case .keep, .keepIf, .round: return "\(kept(field.value, rule, field.name))"
    case .textLength: return "\(elements.map { text($0).count })"
    case .textShape:
      return
        "\(elements.map { text($0).map { $0.isNumber ? "0" : $0.isLowercase ? "a" : $0.isUppercase ? "A" : $0 } })"
    case .numberDigits:
      return
        "\(elements.map { "\(Int64(Self.number($0)))".count * (Self.number($0) == 0 ? 0 : 1) })"
    case .numberOrder: return "\(elements.map { ranks[field.name]?[$0] ?? 0 })"
    case .dateOrder:
      let dates = record.fields.filter { self.rule($0)?.rule == .dateOrder }.map {
        Self.number($0.value)
      }
      return "\(Set(dates).filter { $0 < Self.number(field.value) }.count)"
    case .shift:
      // Days are added: the time of day stays.
      return "\((Int(Self.number(field.value)) % 86_400 + 86_400) % 86_400)"
    case .contentSize:
      if case .bytes(let data) = field.value { return "\(data.count)" }
      return ""
    case .json:
      let keys = Set(rule.words)
      return
        "\((try? JSONSerialization.jsonObject(with: Data(text(field.value).utf8)) as? [String: Any]).map { $0.filter { keys.contains($0.key) }.map { "\($0.key) \($0.value is String)" } } ?? [])"
    case _ where rule.rule.isConsistent:
      return "\(elements.map { counts[field.name]?[$0] ?? 0 })"
    default: return ""
    }
  }

  private func text(_ value: RecordValue) -> String {
    if case .string(let text) = value { text } else { "" }
  }

  /// What stays of a value of the source, by an own reading of the rule.
  private func kept(_ value: RecordValue, _ rule: PolicyRule, _ name: String) -> String {
    guard isSource else { return "\(value)" }
    switch (rule.rule, rule.parameter, value) {
    case (.keep, .words(let words), .int64(let number)):
      return "\(RecordValue.int64(words.contains("\(number)") ? number : 0))"
    case (.keepIf, .number(let count), _):
      let isCommon = holders[name]?["\(value)"]?.count ?? 0 >= Int(count)
      return "\(isCommon ? value : .string("redacted"))"
    case (.round, .number(let step), .int64(let number)):
      return "\(RecordValue.int64(Int64((Double(number) / step).rounded() * step)))"
    case (.round, .number(let step), .double(let number)):
      return "\(RecordValue.double((number / step).rounded() * step))"
    case (.round, _, .timestamp(let date)):
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = TimeZone(identifier: "UTC")!
      let year = calendar.dateInterval(of: .year, for: date)?.start ?? date
      return "\(RecordValue.timestamp(year))"
    default: return "\(value)"
    }
  }
}

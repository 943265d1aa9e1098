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

  /// What an attack found.
  private struct Finding {
    var place: String
    var attack: String
    var found: Double
    var chance: Double
    /// More than this is no chance.
    var limit: Double

    var line: String {
      "\(place)  \(attack): \(found.formatted(places: 2)), by chance "
        + "\(chance.formatted(places: 2))"
    }
  }

  // MARK: Tests

  @Test(
    "identifies nobody by the values of a field, whatever its rule",
    .enabled(if: TestAmount.isFull), arguments: [1])
  func rules(seed: UInt64) throws {
    let population = Population(seed: seed)
    let folder = try TestFolder()
    let container = try population.write(to: folder.path("source.sqlite")) { person in
      Self.attributes.flatMap { attribute in
        let value = attribute.value(person)
        return Self.rules(for: value.type ?? .string).map {
          Field(name: Self.fieldName(attribute, $0), value: value)
        }
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
    let outcome = try Outcome(BundleReader(path: out))
    var findings: [Finding] = []
    for attribute in Self.attributes {
      let known = Known(population, attribute.value)
      for rule in Self.rules(for: known.type) {
        let values = outcome.people.map { $0[Self.fieldName(attribute, rule)] }
        let place = "\(attribute.name): \(rule.rawValue)"
        findings += Self.attack(values, known, place, isFew: attribute.isFew)
      }
    }
    findings += Self.attackSystem(outcome, population)
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
    let known = Self.attributes.map { Known(population, $0.value) }
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
      let outcome = try Outcome(BundleReader(path: out))
      var findings: [Finding] = []
      for (attribute, known) in zip(Self.attributes, known) {
        let rule = policy.rules["Person"]?[attribute.name]?.rule.rawValue ?? name
        findings += Self.attack(
          outcome.people.map { $0[attribute.name] }, known,
          "\(name): \(attribute.name): \(rule)", isFew: attribute.isFew)
      }
      findings += Self.attackSystem(outcome, population)
      Self.judge(findings, name)
    }
  }

  /// Expects that no attack found more than chance does, except where the rule has a price.
  private static func judge(_ findings: [Finding], _ place: String) {
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

  // MARK: Attacks on values

  /// What the attacker knows of an attribute: the value of each candidate, and what it looks like.
  private final class Known {
    let type: ValueType
    let values: [RecordValue]
    let looks: [[Int]]
    /// The place of each person, from 0 to 1, if all candidates are sorted by value.
    let ranks: [Double]
    private let others: [[Int: Int]]
    private let weight: Double

    init(_ population: Population, _ value: (Population.Person) -> RecordValue) {
      values = population.people.map(value)
      weight = population.weight
      type = values[0].type ?? .string
      looks = values.map(Looks.of)
      let all = population.others.map(value)
      var counts = [[Int: Int]](repeating: [:], count: looks[0].count)
      for value in all {
        for (kind, look) in Looks.of(value).enumerated() { counts[kind][look, default: 0] += 1 }
      }
      others = counts
      ranks = Array(Looks.ranks(values + all).prefix(values.count))
    }

    /// The number of candidates who look so, one of whom is the person.
    func count(_ kind: Int, _ look: Int) -> Double { 1 + weight * Double(others[kind][look] ?? 0) }
  }

  private static func attack(
    _ found: [RecordValue?], _ known: Known, _ place: String, isFew: Bool
  ) -> [Finding] {
    let looks = found.map { $0.map(Looks.of) }
    var findings: [Finding] = []
    let chance = Double(known.values.count) / Double(Population.candidateCount)
    for (kind, name) in Looks.names(known.type).enumerated() {
      if isFew {
        findings.append(read(looks.map { $0?[kind] }, known, place, name))
        continue
      }
      var hits = 0.0
      for (serial, looks) in looks.enumerated() {
        guard let look = looks?[kind], known.looks[serial][kind] == look else { continue }
        hits += 1 / known.count(kind, look)
      }
      findings.append(Finding(place: place, attack: name, found: hits, chance: chance, limit: 2))
    }
    guard !isFew else { return findings }
    let ranks = Looks.ranks(found.map { $0 ?? .emptyList })
    let hits = ranks.indices.count { abs(ranks[$0] - known.ranks[$0]) < 0.005 }
    findings.append(
      Finding(place: place, attack: "order", found: Double(hits), chance: 10, limit: 28))
    return findings
  }

  /// Reads the values of half of the persons, after the attacker has learnt those of the other half.
  private static func read(
    _ looks: [Int?], _ known: Known, _ place: String, _ name: String
  ) -> Finding {
    let truth = known.values
    var learnt: [Int: [RecordValue: Int]] = [:]
    for serial in truth.indices where serial % 2 == 0 {
      learnt[looks[serial] ?? 0, default: [:]][truth[serial], default: 0] += 1
    }
    func most(_ counts: [RecordValue: Int]) -> RecordValue? {
      counts.max { $0.value < $1.value }?.key
    }
    let total = learnt.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    let usual = most(total)
    var right = 0
    var byChance = 0
    for serial in truth.indices where serial % 2 == 1 {
      let guess = learnt[looks[serial] ?? 0].flatMap(most) ?? usual
      if guess == truth[serial] { right += 1 }
      if usual == truth[serial] { byChance += 1 }
    }
    // Twice, as of all persons; four standard deviations of such a count are 130.
    return Finding(
      place: place, attack: "reading by \(name)", found: Double(2 * right),
      chance: Double(2 * byChance), limit: Double(2 * byChance) + 130)
  }

  // MARK: Attacks on names, tags and dates

  private static func attackSystem(_ outcome: Outcome, _ population: Population) -> [Finding] {
    let names = Known(population) { .string($0.recordName) }
    let users = Known(population) { .string($0.userName) }
    var findings = attack(
      outcome.people.map { .string($0.recordID.recordName) }, names, "record names", isFew: false)
    findings += attack(
      outcome.people.map { $0.systemFields.created?.userRecordName.map { .string($0) } }, users,
      "user names", isFew: false)
    func exact(_ name: String, _ isHit: (Int) -> Bool) {
      findings.append(
        Finding(
          place: "system", attack: name,
          found: Double(population.people.indices.count { isHit($0) }),
          chance: 0, limit: 2))
    }
    exact("change tags") { serial in
      outcome.people[serial].recordChangeTag
        == String(1000 + serial, radix: 36)
    }
    exact("interval of created and modified") { serial in
      let (record, person) = (outcome.people[serial], population.people[serial])
      guard let created = record.creationDate, let modified = record.modificationDate else {
        return false
      }
      return isSame(
        modified.timeIntervalSince(created), person.posts[1].timeIntervalSince(person.posts[0]))
    }
    exact("intervals of posts") { serial in
      let dates = outcome.posts[serial].compactMap { $0["sentAt"] as Date? }.sorted()
      let known = population.people[serial].posts
      return zip(dates.dropFirst(), dates).map { $0.timeIntervalSince($1) }.elementsEqual(
        zip(known.dropFirst(), known).map { $0.timeIntervalSince($1) }, by: isSame)
    }
    exact("time of day of a post") { serial in
      let person = population.people[serial]
      return outcome.posts[serial].contains { post in
        guard let date = post["sentAt"] as Date? else { return false }
        return person.posts.contains {
          isSame(
            date.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400),
            $0.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400))
        }
      }
    }
    let sentinels = [Date(timeIntervalSince1970: 0), .distantPast, .distantFuture]
    exact("shift of a sentinel") { serial in
      // A sentinel that stays gives no shift.
      let shifts = outcome.posts[serial].compactMap { $0["never"] as Date? }.flatMap { date in
        sentinels.map { date.timeIntervalSince($0) }.filter { abs($0) > 1e-4 }
      }
      let dates = outcome.posts[serial].compactMap { $0["sentAt"] as Date? }
      return shifts.contains { shift in
        dates.contains { date in
          population.people[serial].posts.contains { isSame(date.timeIntervalSince($0), shift) }
        }
      }
    }
    exact("shift of the place 0, 0") { serial in
      let values = outcome.people[serial].fields.compactMap { field -> Location? in
        guard case .location(let place) = field.value,
          !priced.contains(where: { field.name.hasSuffix("_\($0)") })
        else { return nil }
        return place
      }
      let person = population.people[serial].place
      return outcome.posts[serial].compactMap { $0["nowhere"] as Location? }.contains { zero in
        values.contains {
          abs($0.latitude - zero.latitude - person.latitude) < 1e-5
            && abs($0.longitude - zero.longitude - person.longitude) < 1e-5
        }
      }
    }
    return findings
  }

  private static func isSame(_ one: TimeInterval, _ other: TimeInterval) -> Bool {
    abs(one - other) < 0.0005
  }
}

/// The records of an anonymised population, in the order of its members.
private struct Outcome {
  private(set) var people: [ResultRecord] = []
  private(set) var posts: [[ResultRecord]] = []

  init(_ bundle: BundleReader) throws {
    var people: [Int64: ResultRecord] = [:]
    var posts: [Int64: [ResultRecord]] = [:]
    try bundle.forEachRecord { record, _ in
      let serial = try #require(record["serial"] as Int64?)
      if record.recordType == "Person" {
        people[serial] = record
      } else {
        posts[serial, default: []].append(record)
      }
    }
    for serial in 0..<Int64(people.count) {
      self.people.append(try #require(people[serial]))
      self.posts.append(posts[serial] ?? [])
    }
  }
}

extension ResultRecord {
  fileprivate subscript(_ name: String) -> RecordValue? { field(named: name)?.value }
}

/// What a value looks like: everything by which one could be matched with what it stands for.
private enum Looks {
  static func names(_ type: ValueType) -> [String] {
    switch type {
    case .string:
      [
        "text", "text in small letters", "length", "number of characters", "shape", "separators",
        "alphabet", "vowels", "lengths of words", "end", "scheme", "hexadecimal form",
      ]
    case .int64, .double: ["number", "number of digits", "sign and zero", "last digits"]
    case .timestamp: ["date", "time of day", "weekday", "midnight and milliseconds"]
    case .location: ["place", "latitude", "altitude", "members", "decimals"]
    default: ["bytes", "size", "beginning"]
    }
  }

  static func of(_ value: RecordValue) -> [Int] {
    switch value {
    case .string(let text): of(text)
    case .int64(let number):
      [
        number.hashValue, String(number).count, number.signum().hashValue, Int(number % 1000),
      ]
    case .double(let number):
      [
        number.hashValue, "\(number)".count, number.sign.hashValue ^ (number == 0 ? 1 : 0),
        "\(number)".suffix(3).hashValue,
      ]
    case .timestamp(let date): of(date)
    case .location(let place):
      [
        [place.latitude, place.longitude].hashValue, place.latitude.hashValue,
        place.altitude.hashValue, [place.altitude == nil, place.speed == nil].hashValue,
        ["\(place.latitude)".count, "\(place.longitude)".count].hashValue,
      ]
    case .bytes(let data): [data.hashValue, data.count, Data(data.prefix(4)).hashValue]
    default: []
    }
  }

  private static func of(_ date: Date) -> [Int] {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let day = (milliseconds / 86_400_000).rounded(.down)
    let time = milliseconds - day * 86_400_000
    return [
      milliseconds.hashValue, time.hashValue, day.truncatingRemainder(dividingBy: 7).hashValue,
      [time == 0, time.truncatingRemainder(dividingBy: 1000) == 0].hashValue,
    ]
  }

  private static func of(_ text: String) -> [Int] {
    var shape = Hasher()
    var separators = Hasher()
    var vowels = Hasher()
    var words = Hasher()
    var alphabet: Set<UInt32> = []
    var isHexadecimal = true
    var word = 0
    var count = 0
    for scalar in text.unicodeScalars {
      count += 1
      let kind: UInt32
      switch scalar.value {
      case 0x30...0x39: kind = 0x30
      case 0x61...0x7A: kind = 0x61
      case 0x41...0x5A: kind = 0x41
      case ..<0x80: kind = scalar.value
      default: kind = scalar.value & ~0x3F
      }
      shape.combine(kind)
      alphabet.insert(kind)
      if ![0x30, 0x61, 0x41].contains(kind) { separators.combine(kind) }
      vowels.combine([0x61, 0x65, 0x69, 0x6F, 0x75].contains(scalar.value | 0x20))
      if !(kind == 0x30 || 0x61...0x66 ~= scalar.value) { isHexadecimal = false }
      if kind == 0x20 {
        words.combine(word)
        word = 0
      } else {
        word += 1
      }
    }
    words.combine(word)
    return [
      text.hashValue, text.lowercased().hashValue, text.utf8.count, count, shape.finalize(),
      separators.finalize(), alphabet.hashValue, vowels.finalize(), words.finalize(),
      text.split(separator: ".").last.hashValue,
      text.prefix { $0 != ":" }.count == text.count
        ? 0 : text.prefix { $0 != ":" }.hashValue,
      [isHexadecimal ? 1 : 0, count].hashValue,
    ]
  }

  /// The place of each value, from 0 to 1, if they are sorted.
  static func ranks(_ values: [RecordValue]) -> [Double] {
    let sorted: [Int]
    if case .string? = values.first {
      let texts = values.map { value -> String in
        if case .string(let text) = value { text } else { "" }
      }
      sorted = texts.indices.sorted { compareUTF8(texts[$0], texts[$1]) < 0 }
    } else {
      let numbers = values.map { value -> Double in
        switch value {
        case .int64(let number): Double(number)
        case .double(let number): number
        case .timestamp(let date): date.timeIntervalSince1970
        case .location(let place): place.latitude
        case .bytes(let data): Double(data.count)
        default: 0
        }
      }
      sorted = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    }
    var ranks = [Double](repeating: 0, count: values.count)
    for (rank, index) in sorted.enumerated() {
      ranks[index] = Double(rank) / Double(values.count)
    }
    return ranks
  }
}

extension Double {
  fileprivate func formatted(places: Int) -> String { String(format: "%.\(places)f", self) }
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

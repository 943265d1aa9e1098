import RecordArchive
import RecordMigration
import RecordModel
import RecordPlatform
import RecordSchema

/// Drafts a policy for a source: a rule for each field, from its type, its name and its values.
///
/// It contains names of types and fields, and no values.
public struct PolicyDraft: Sendable {
  /// The rules.
  public var policy = AnonymisationPolicy()
  private var notes: [String: [String: String]] = [:]

  /// The number of records of a type whose values are looked at.
  static let sampleSize = 20_000

  /// Creates a policy for a source.
  ///
  /// - Parameter source: A bundle or container.
  public init(of source: ArchiveSource) throws {
    var fields: [String: [String: FieldSample]] = [:]
    if let schema = try source.info().schema {
      let parsed = try SchemaDocument(parsing: schema, name: source.name).validSchema()
      for type in parsed.recordTypes {
        for field in type.fields where !field.name.hasPrefix("___") {
          guard let value = ValueType(field.type) else { continue }
          fields[type.name, default: [:]][field.name] = FieldSample(
            value, isEncrypted: field.type.isEncrypted)
        }
      }
    }
    try Self.read(source, try Self.recordNames(in: source), &fields)
    try Self.readFilters(source, &fields)
    for (type, samples) in fields {
      let names = Set(samples.keys)
      for (name, sample) in samples
      where !sample.isOfReferences && AnonymisationPolicy().namedRule(for: name, of: type) == nil {
        let choice = sample.choice(for: name, of: type, among: names)
        policy.rules[type, default: [:]][name] = choice.rule
        notes[type, default: [:]][name] = choice.note
      }
    }
  }

  /// The names of the first records, as hashes: texts that are among them refer to records.
  private static func recordNames(in source: ArchiveSource) throws -> Set<Int> {
    var names: Set<Int> = []
    try StopReading.ends {
      try source.forEachRecordID { recordID, _, _ in
        names.insert(recordID.recordName.hashValue)
        if names.count >= 1 << 20 { throw StopReading() }
      }
    }
    return names
  }

  /// Reads the first records of each section, up to a number for each type.
  private static func read(
    _ source: ArchiveSource, _ names: Set<Int>, _ fields: inout [String: [String: FieldSample]]
  ) throws {
    var left: [String: Int] = [:]
    for section in try source.sections() {
      let type = section.recordType
      guard left[type, default: sampleSize] > 0 else { continue }
      let filter = RecordFilter(
        databases: [section.database], zoneIDs: [section.zoneID], recordTypes: NameSet([type]))
      try source.readRecords(filter) { record, _ in
        for field in record.fields {
          guard let value = field.value.type, value != .emptyList else { continue }
          var sample =
            fields[type]?[field.name]
            ?? FieldSample(value, isEncrypted: field.isEncrypted)
          sample.add(field, names)
          fields[type, default: [:]][field.name] = sample
        }
        left[type, default: sampleSize] -= 1
        return left[type] != 0
      }
    }
  }

  /// Notes the fields that only the queries of subscriptions name.
  private static func readFilters(
    _ source: ArchiveSource, _ fields: inout [String: [String: FieldSample]]
  ) throws {
    let accounts = try source.info().accounts.flatMap(\.subscriptions).map(\.subscription)
    for subscription in try source.subscriptions().map(\.subscription) + accounts {
      guard case .query(let query, _, _, _) = subscription.kind else { continue }
      for filter in query.filters where !filter.fieldName.hasPrefix("___") {
        guard let type = filter.fieldValue.type, type != .emptyList,
          fields[query.recordType]?[filter.fieldName] == nil
        else { continue }
        fields[query.recordType, default: [:]][filter.fieldName] = FieldSample(
          type, isEncrypted: false)
      }
    }
  }

  /// The policy as YAML, with comments.
  public var yaml: String {
    var lines = [
      "# The rule by which 'recordpack fixture anonymise' replaces or keeps each field.",
      "# Read each line before you use it: a rule is a guess from the name of a field and its values.",
      "#",
      "# Rules: \(Self.list { $0.price == nil && !$0.rawValue.hasSuffix("-consistent") }).",
      "# With -consistent, equal values stay equal: how often each occurs can be seen. As identifier",
      "# does, they keep the elements of lists: \(Self.list { $0.rawValue.hasSuffix("-consistent") }).",
      "# Other rules have a price, which somebody without the key learns. They keep the number of a",
      "# list's elements, too:",
    ]
    for rule in AnonymisationRule.allCases {
      if let price = rule.price { lines.append("#   \(rule.rawValue): \(price)") }
    }
    lines += [
      "\(AnonymisationPolicy.versionKey): 1", "",
      "# For fields that have no line here: keep or redact. Without it, they are an error.",
      "# default: redact", "", "# Creation and modification dates: date, shift or keep.",
      "dates: date", "", "# The bytes of assets: content, content-consistent or content-size.",
      "assets: content", "",
      "# Names of zones, records and subscriptions that stay, such as those in your app's code.",
      "keep:", "# - Notes", "# - settings-*", "", "types:",
    ]
    for (type, fields) in policy.rules.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
      lines.append("  \(PlanText.quoted(type)):")
      for (name, rule) in fields.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
        let note = notes[type]?[name].map { "  # \($0)" } ?? ""
        lines.append("    \(PlanText.quoted(name)): \(rule.rawValue)\(note)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ isIncluded: (AnonymisationRule) -> Bool) -> String {
    AnonymisationRule.allCases.filter(isIncluded).map(\.rawValue).joined(separator: ", ")
  }
}

/// The look of the values of a field.
struct FieldSample {
  private let type: ValueType
  private var isEncrypted: Bool
  /// Whether there are values of several types.
  private var isMixed = false
  private var texts = 0
  private var emails = 0
  private var phones = 0
  private var urls = 0
  private var identifiers = 0
  private var words = 0
  private var mentions = 0
  private var numbers = 0
  private var personalNumbers = 0
  /// How many records have each value, up to a number of values.
  private var counts: [RecordValue: Int] = [:]
  private var hasMore = false

  /// A field with more values is no list of cases.
  private static let maxDistinct = 24
  /// Values that fewer records have could tell whose they are.
  private static let smallestGroup = 5

  init(_ type: ValueType, isEncrypted: Bool) {
    self.type = type
    self.isEncrypted = isEncrypted
  }

  /// References always refer to pseudonyms, so they need no rule.
  var isOfReferences: Bool { type == .reference || type == .referenceList }

  /// - Parameter names: The names of records, as hashes.
  mutating func add(_ field: Field, _ names: Set<Int>) {
    isEncrypted = isEncrypted || field.isEncrypted
    isMixed = isMixed || field.value.type != type
    switch field.value {
    case .string(let text): add(text, names)
    case .stringList(let list): for text in list { add(text, names) }
    case .int64(let number): add(field.value, PersonalKinds(in: number))
    case .double(let number): add(field.value, PersonalKinds(in: number))
    // A list of numbers is a fingerprint.
    case .int64List, .doubleList: hasMore = true
    default: break
    }
  }

  private mutating func add(_ value: RecordValue, _ kinds: PersonalKinds) {
    numbers += 1
    if !kinds.isEmpty { personalNumbers += 1 }
    count(value)
  }

  private mutating func count(_ value: RecordValue) {
    if counts.count < Self.maxDistinct || counts[value] != nil {
      counts[value, default: 0] += 1
    } else {
      hasMore = true
    }
  }

  private mutating func add(_ text: String, _ names: Set<Int>) {
    guard !text.isEmpty else { return }
    texts += 1
    if EmailAddress.matches(text) {
      emails += 1
    } else if PhoneNumber.matches(text) {
      phones += 1
    } else if text.contains("://"), !text.contains(" ") {
      urls += 1
    } else if Self.isIdentifier(text) || names.contains(text.hashValue) {
      identifiers += 1
    } else if Self.isWord(text) {
      words += 1
    }
    if !PersonalKinds(in: text).isEmpty { mentions += 1 }
    count(.string(text))
  }

  private static func isIdentifier(_ text: String) -> Bool {
    switch CompactName(text) {
    case .upperUUID, .lowerUUID, .user: true
    case .text:
      text.utf8.count == 33 && text.hasPrefix("_")
        && text.dropFirst().allSatisfy { $0.isHexDigit }
    }
  }

  /// Whether a text looks like the name of a case in code.
  private static func isWord(_ text: String) -> Bool {
    text.utf8.count <= 24
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
  }

  private func isMost(_ count: Int) -> Bool { texts > 0 && count * 10 >= texts * 9 }

  /// Whether there are few different values, each of many records.
  private var isFew: Bool {
    !hasMore && !counts.isEmpty && counts.values.allSatisfy { $0 >= Self.smallestGroup }
  }

  /// How many different values a kept field has.
  private var variety: String {
    let rarest = counts.values.min() ?? 0
    return "\(counts.count) different value\(counts.count == 1 ? "" : "s"), the rarest in "
      + "\(rarest) record\(rarest == 1 ? "" : "s")"
  }

  /// Returns a rule, and why.
  ///
  /// - Parameter fields: The names of all fields of the type.
  func choice(
    for name: String, of recordType: String, among fields: Set<String>
  ) -> (rule: AnonymisationRule, note: String?) {
    if isMixed {
      return (AnonymisationRule.cover(type), "values of several types")
    }
    let word = FieldWord.find(in: name)
    var choice = choice(word)
    if type == .string, choice.rule == .text,
      let rule = AnonymisationPolicy.coreDataRule(for: name, of: recordType, among: fields)
    {
      choice = (rule, "a relationship or UUID of Core Data")
    }
    guard isEncrypted else { return choice }
    let rule = choice.rule == .keep ? AnonymisationRule.rules(for: type)[0] : choice.rule
    return (
      rule,
      ["encrypted", choice.rule == .keep ? nil : choice.note].compactMap { $0 }
        .joined(separator: "; ")
    )
  }

  private func choice(_ word: FieldWord?) -> (rule: AnonymisationRule, note: String?) {
    switch type.elementType ?? type {
    case .string: return textChoice(word)
    case .int64, .double: return numberChoice(word)
    case .timestamp: return (.date, word == .birth ? "the name looks personal" : nil)
    case .location: return (.place, nil)
    case .bytes, .asset: return (.content, nil)
    default: return (.identifier, nil)
    }
  }

  private func textChoice(_ word: FieldWord?) -> (rule: AnonymisationRule, note: String?) {
    if isMost(emails) { return (.email, "email addresses") }
    if isMost(phones), word != .code { return (.phone, "phone numbers") }
    if isMost(urls) { return (.url, "URLs") }
    if isMost(identifiers) { return (.identifier, "UUIDs, or names of records or users") }
    switch word {
    case .email?: return (.email, "the name looks personal")
    case .phone?: return (.phone, "the name looks personal")
    case .url?: return (.url, nil)
    case .person?: return (.name, "the name looks personal")
    case .secret?, .place?, .birth?: return (.text, "the name looks personal")
    case .code?, nil: break
    }
    if mentions > 0 { return (.text, "some values have addresses, numbers, places or dates") }
    if isMost(words), isFew {
      if word == .code { return (.keep, variety) }
      return (.text, "\(variety): keep, if they are the names of cases")
    }
    return (.text, nil)
  }

  private func numberChoice(_ word: FieldWord?) -> (rule: AnonymisationRule, note: String?) {
    switch word {
    case .phone?, .secret?, .place?, .birth?: return (.number, "the name looks personal")
    default: break
    }
    if numbers == 0 { return (.number, nil) }
    if 2 * personalNumbers >= numbers {
      return (.number, "the values look like phone numbers, coordinates or dates")
    }
    if isFew { return (.keep, variety) }
    return (
      .number,
      hasMore
        ? "more than \(Self.maxDistinct) different values"
        : "\(variety): keep, if they say nothing of a person"
    )
  }
}

/// The meaning that the name of a field suggests.
enum FieldWord {
  case email, phone, url, person, secret, place, birth, code

  private static let words: [(FieldWord, [String])] = [
    (.email, ["email", "mail"]), (.phone, ["phone", "mobile", "tel", "fax", "msisdn"]),
    (.url, ["url", "link", "website", "homepage"]),
    (.birth, ["birth", "birthday", "dob", "age", "gender", "sex"]),
    (
      .secret,
      [
        "password", "passcode", "secret", "token", "ssn", "passport", "iban", "card", "pin",
        "account", "ip", "serial", "license", "salary", "hiv", "marital", "diagnosis", "blood",
        "disease", "health", "medical", "religion", "ethnicity", "race", "orientation",
      ]
    ),
    (
      .place,
      [
        "address", "street", "city", "zip", "zipcode", "postcode", "postal", "latitude",
        "longitude",
        "lat", "lon", "lng",
      ]
    ),
    (.code, ["kind", "status", "state", "type", "category", "role", "locale", "currency", "unit"]),
    (
      .person,
      [
        "name", "author", "sender", "recipient", "owner", "contact", "person", "user", "username",
        "nickname", "surname", "firstname", "lastname", "fullname", "member", "participant",
        "creator", "driver", "player", "patient", "customer",
      ]
    ),
  ]

  /// Returns the meaning of a name such as `senderEmail` or `phone_number`.
  static func find(in name: String) -> FieldWord? {
    // In `email2`, the number is no part of the word.
    let words = NameWords(String(name.map { $0.isNumber ? "_" : $0 }))
    let parts = Set(words.words + [words.joined])
    return Self.words.first { _, list in list.contains { parts.contains($0) } }?.0
  }
}

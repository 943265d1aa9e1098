import RecordArchive
import RecordMigration
import RecordModel
import RecordPlatform
import RecordSchema

/// Drafts a policy for a source: a rule for each field that replaces its values, and beside it, as comments, rules
/// that keep something, with the number of persons who have it.
///
/// It has names of types and fields, and in comments values that at least five persons have.
public struct PolicyDraft: Sendable {
  /// The rules. They keep nothing.
  public var policy = AnonymisationPolicy()
  private var notes: [String: [String: String]] = [:]
  private var proposals: [String: [String: [String]]] = [:]
  /// The number of persons in the source.
  public private(set) var persons = 0
  /// Fields that may name the persons of a type's records.
  private var personFields: [(type: String, field: String)] = []
  private var orders: [String: [String]] = [:]
  /// The parts of the source that were not read.
  private var limits: [String] = []

  /// The maximum number of fields. CloudKit's own limits are far below it.
  static let maxFields = 10_000
  /// The maximum number of record names that texts are compared with.
  private static let maxNames = 1 << 20

  /// Reads a whole source, and creates a policy for it.
  ///
  /// - Parameters:
  ///   - source: A bundle or container.
  ///   - persons: The fields that name the persons of records, as ``AnonymisationPolicy/persons``.
  /// - Throws: `AnonymisationError` if the source has no such type or field.
  public init(of source: ArchiveSource, persons: [String: String] = [:]) throws {
    policy.persons = persons
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
    try read(source, try recordNames(in: source), &fields)
    try Self.readFilters(source, &fields)
    try policy.requireKnown(
      Dictionary(
        uniqueKeysWithValues: fields.map {
          (ExactString($0.key), Set($0.value.keys.map { ExactString($0) }))
        }))
    for (type, samples) in fields {
      let names = Set(samples.keys)
      for (name, sample) in samples { choose(sample, name, type, among: names) }
      orders[type] = Self.orders(among: names)
    }
    personFields.sort { compareUTF8($0.type + $0.field, $1.type + $1.field) < 0 }
  }

  private mutating func choose(
    _ sample: FieldSample, _ name: String, _ type: String, among names: Set<String>
  ) {
    let isOfPersons = FieldWord.find(in: name) == .person
    if isOfPersons, sample.isOfReferences || sample.isOfIdentifiers {
      personFields.append((type, name))
    }
    guard !sample.isOfReferences,
      AnonymisationPolicy().namedRule(for: name, of: type) == nil
    else { return }
    let choice = sample.choice(for: name, of: type, among: names, persons: persons)
    policy.rules[type, default: [:]][name] = choice.rule
    notes[type, default: [:]][name] = choice.note
    if !choice.proposals.isEmpty {
      proposals[type, default: [:]][name] = choice.proposals.map { "\($0.rule.yaml)  # \($0.note)" }
    }
    if isOfPersons, choice.rule.rule == .identifier, !sample.isOfIdentifiers {
      personFields.append((type, name))
    }
  }

  /// The names of records, as hashes: texts that are among them refer to records.
  private mutating func recordNames(in source: ArchiveSource) throws -> Set<Int> {
    var names: Set<Int> = []
    let isWhole = try StopReading.ends {
      try source.forEachRecordID { recordID, _, _ in
        names.insert(recordID.recordName.hashValue)
        if names.count >= Self.maxNames { throw StopReading() }
      }
    }
    if !isWhole {
      limits.append("Texts were compared with the names of the first \(Self.maxNames) records.")
    }
    return names
  }

  private mutating func read(
    _ source: ArchiveSource, _ names: Set<Int>, _ fields: inout [String: [String: FieldSample]]
  ) throws {
    let currentUser = try source.info().currentUserRecordName
    var people: Set<Int> = []
    var count = fields.values.reduce(0) { $0 + $1.count }
    try source.forEachRecord { record, _ in
      let storage = record.storage
      let type = storage.recordType
      let person = ExactString(policy.person(of: storage, currentUser: currentUser)).hashValue
      people.insert(person)
      var samples = fields.removeValue(forKey: type) ?? [:]
      for index in 0..<min(storage.fieldCount, Self.maxFields) {
        guard let value = storage.valueType(at: index), value != .emptyList else { continue }
        let name = storage.name(at: index).string
        if samples[name] == nil {
          guard count < Self.maxFields else { break }
          count += 1
          samples[name] = FieldSample(value, isEncrypted: storage.isEncrypted(at: index))
        }
        samples[name]?.add(storage.field(at: index), names, person: person)
      }
      fields[type] = samples
    }
    persons = people.count
    guard count >= Self.maxFields else { return }
    limits.append(
      "The source has more fields than \(Self.maxFields): the default is for the others.")
    policy.defaultRule = .redact
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

  /// Pairs of fields whose names say that one is before the other.
  private static func orders(among names: Set<String>) -> [String] {
    let pairs = [
      ("start", "end"), ("Start", "End"), ("begin", "end"), ("from", "to"), ("from", "until"),
      ("opens", "closes"), ("departure", "arrival"), ("checkIn", "checkOut"), ("min", "max"),
    ]
    return names.sorted { compareUTF8($0, $1) < 0 }.flatMap { name in
      pairs.compactMap { first, last in
        let other = name.replacingOccurrences(of: first, with: last)
        return other != name && names.contains(other) ? "\(name) <= \(other)" : nil
      }
    }
  }

  // MARK: YAML

  /// The policy as YAML, with comments.
  public var yaml: String {
    var lines = [
      "# The rule by which 'recordpack fixture anonymise' replaces each field. All values are replaced.",
      "# Beside fields that seem harmless stand rules, as comments, that keep something: use one in place",
      "# of the rule above it, after you have thought of what it says about a person. Remove the others",
      "# before you publish the policy: they show values.",
    ]
    lines += limits.map { "# " + $0 }
    lines += [
      "#", "# Rules: \(Self.list { $0.price == nil && !$0.rawValue.hasSuffix("-consistent") }).",
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
      policy.defaultRule.map { "default: \($0.rawValue)" } ?? "# default: redact", "",
      "# Creation and modification dates: date, shift or keep.",
      "dates: date", "", "# The bytes of assets: content, content-consistent or content-size.",
      "assets: content", "",
      "# Names of zones, records and subscriptions that stay, such as those in your app's code.",
      "keep:", "# - Notes", "# - settings-*", "",
      "# Parts that are left out: references, subscriptions, comments, deletions.", "drop:", "",
      "# The field that names the person of a record. Without it, a record is of its creator, or of the",
      "# owner of its zone. The source has \(persons) person\(persons == 1 ? "" : "s").",
      "persons:",
    ]
    for (type, field) in policy.persons.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
      lines.append("  \(PlanText.quoted(type)): \(PlanText.quoted(field))")
    }
    for one in personFields where policy.persons[one.type] == nil {
      lines.append("# \(PlanText.quoted(one.type)): \(PlanText.quoted(one.field))")
    }
    lines += ["", "types:"]
    for (type, fields) in policy.rules.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
      lines.append("  \(PlanText.quoted(type)):")
      for (name, rule) in fields.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
        let note = notes[type]?[name].map { "  # \($0)" } ?? ""
        lines.append("    \(PlanText.quoted(name)): \(rule.yaml)\(note)")
        for proposal in proposals[type]?[name] ?? [] {
          lines.append("    # \(PlanText.quoted(name)): \(proposal)")
        }
      }
    }
    let found = orders.filter { !$0.value.isEmpty }.sorted { compareUTF8($0.key, $1.key) < 0 }
    if !found.isEmpty {
      lines += ["", "# Orders of made-up values, which hold whatever the values were.", "orders:"]
      lines += found.map { "#   \(PlanText.quoted($0)): [\($1.joined(separator: ", "))]" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ isIncluded: (AnonymisationRule) -> Bool) -> String {
    AnonymisationRule.allCases.filter(isIncluded).map(\.rawValue).joined(separator: ", ")
  }
}

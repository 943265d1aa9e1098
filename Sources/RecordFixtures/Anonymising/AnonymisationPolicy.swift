import Foundation
import RecordMigration
import RecordModel
import RecordSchema

/// Decides what happens to each field, and which names stay.
///
/// ```yaml
/// recordpack-policy: 1
/// keep: [Chats]
/// persons: {Visit: patient}
/// types:
///   Message:
///     text: text
///     sentAt: date
///     status: {keep: [sent, read]}
///   Log: drop
/// ```
///
/// The names of records, users, zones and subscriptions get pseudonyms, participants of shares
/// other names and addresses, whatever the policy says. A field that no rule names is an error,
/// unless there is a default.
public struct AnonymisationPolicy: Sendable {
  /// The rule of fields that no rule names.
  public enum Default: String, Sendable, Hashable, CaseIterable {
    /// It stays. Encrypted values and assets are replaced all the same.
    case keep
    /// It becomes a constant of the same type.
    case redact
  }

  /// The treatment of creation, modification and deletion dates.
  public enum Dates: String, Sendable, Hashable, CaseIterable {
    /// They become made-up dates, as by the rule ``AnonymisationRule/date``.
    case date
    /// They move with all dates of a user, as by the rule ``AnonymisationRule/shift``, at its price.
    case shift
    /// They stay.
    case keep
  }

  /// The treatment of the bytes of assets.
  public enum Assets: String, Sendable, Hashable, CaseIterable {
    /// They become a constant of their kind.
    case content
    /// Different assets become different ones.
    case contentConsistent = "content-consistent"
    /// They keep their size, at the price of ``AnonymisationRule/contentSize``.
    case contentSize = "content-size"
  }

  /// A part of a container that a policy can leave out.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// All references, with parents and links to shares.
    case references
    /// All subscriptions.
    case subscriptions
    /// The comments of the schema.
    case comments
    /// The deletions of records.
    case deletions
  }

  /// The places outside fields that can have findings.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// The creation, modification and deletion dates that stay.
    case dates
    /// The names that stay.
    case names
    /// The texts of subscriptions that stay.
    case subscriptions
    /// The comments of the schema.
    case comments
    /// The container identifier.
    case identifier
    /// The version of the schema.
    case version
    /// The assets whose bytes the source does not have.
    case assets
  }

  /// The rules of fields by record type; the type `*` stands for any other one.
  public var rules: [String: [String: PolicyRule]]
  /// The types whose records are left out, with the references to them; `*` stands for all types without ``rules``.
  public var droppedTypes: Set<String> = []
  /// The parts that are left out.
  public var droppedParts: Set<Part> = []
  /// The field that names the person of a record, by record type: text, a number, a reference, or
  /// ``recordNameField``. Without one, a record is of its creator, or of the owner of its zone.
  public var persons: [String: String] = [:]
  /// The fields of each type whose made-up values are in this order, each list from the smallest.
  public var orders: [String: [[String]]] = [:]
  /// The reasons why findings outside fields are no fault.
  public var accepted: [Place: String] = [:]
  /// The rule of fields that no rule names; nil if such a field is an error.
  public var defaultRule: Default?
  /// The treatment of creation, modification and deletion dates.
  public var dates = Dates.date
  /// The treatment of the bytes of assets.
  public var assets = Assets.content
  /// Patterns of names of records, users, zones and subscriptions that stay, as in a shell:
  /// `settings`, `config-*`.
  public var keptNames: [String] = []
  /// Where the rules stand.
  var locations: [String: PlanLocation] = [:]

  /// The type in ``rules`` whose fields are those of any type.
  public static let anyType = "*"
  /// The name of the system field in ``persons`` that has a record's own name.
  public static let recordNameField = "___recordID"

  /// Creates a policy.
  public init(
    rules: [String: [String: PolicyRule]] = [:], defaultRule: Default? = nil
  ) {
    self.rules = rules
    self.defaultRule = defaultRule
  }

  /// The fields of CloudKit's own types, unless a rule names them.
  static let builtIn: [String: [String: PolicyRule]] = [
    Share.recordType: [
      Share.titleKey: PolicyRule(.text), Share.thumbnailImageDataKey: PolicyRule(.content),
      Share.shareTypeKey: PolicyRule(.keep),
    ]
  ]

  /// Returns the rule of a field; nil if none names it, and there is no default.
  ///
  /// - Parameter type: the type of the value.
  func rule(
    for field: String, of recordType: String, _ type: ValueType, isEncrypted: Bool
  ) -> PolicyRule? {
    if let rule = namedRule(for: field, of: recordType, type) { return rule }
    // References need no rule.
    let cover = PolicyRule(AnonymisationRule.cover(type))
    if cover.rule == .identifier { return cover }
    switch defaultRule {
    case nil: return nil
    case .redact?: return cover
    case .keep?: return isEncrypted || cover.rule != .redact ? cover : PolicyRule(.keep)
    }
  }

  /// Returns the rule that names a field.
  ///
  /// - Parameter type: The type of the value. Core Data adds fields of text.
  func namedRule(
    for field: String, of recordType: String, _ type: ValueType = .string
  ) -> PolicyRule? {
    rules.value(of: recordType)?.value(of: field) ?? rules[Self.anyType]?.value(of: field)
      ?? Self.builtIn[recordType]?[field]
      ?? (type == .string
        ? Self.coreDataRule(for: field, of: recordType).map { PolicyRule($0) } : nil)
  }

  /// Returns the rule of a field that Core Data adds, without which it makes no objects of records; nil
  /// for an attribute of an entity.
  ///
  /// - Parameter fields: The names of all fields of the type, as far as they are known.
  static func coreDataRule(
    for field: String, of recordType: String, among fields: Set<String> = []
  ) -> AnonymisationRule? {
    switch CoreDataNames.role(of: field, in: recordType, type: .string, among: fields) {
    case .modelNames?: .keep
    case .recordNames?, .recordNameOrUUID?: .identifier
    case .moveReceipt?, .largeValue?, nil: nil
    }
  }

  /// Where the rule of a field stands.
  func location(of field: String, in recordType: String) -> PlanLocation? {
    locations["\(recordType).\(field)"] ?? locations["\(Self.anyType).\(field)"]
  }

  /// Whether the records of a type are left out.
  func drops(_ recordType: String) -> Bool {
    guard !droppedTypes.isEmpty else { return false }
    return droppedTypes.containsName(recordType)
      || droppedTypes.contains(Self.anyType) && rules.value(of: recordType) == nil
  }

  /// The field that names the person of a type's records; nil for the creator.
  func personField(of recordType: String) -> String? {
    persons.value(of: recordType) ?? persons[Self.anyType]
  }

  /// Throws if a rule does not fit a value of a field.
  func check(
    _ rule: PolicyRule, for field: String, of recordType: String, _ type: ValueType,
    isEncrypted: Bool
  ) throws {
    let rules = AnonymisationRule.rules(for: type)
    func reject(_ reason: String) -> AnonymisationError {
      .rule(
        recordType: recordType, field: field, reason: reason,
        location(of: field, in: recordType))
    }
    guard rules.contains(rule.rule) else {
      let known = rules.map(\.rawValue).joined(separator: ", ")
      throw reject(
        "'\(rule.rule.rawValue)' does not apply to \(type.rawValue) values; use one of \(known)")
    }
    if let problem = rule.problem(for: type) { throw reject(problem) }
    if rule.rule.keepsValues, isEncrypted {
      throw reject("encrypted values cannot be kept; use '\(rules[0].rawValue)' or 'redact'")
    }
  }

  // MARK: Names of types and fields

  /// A type, or a field of a type, that the policy names.
  struct Named: Sendable {
    var recordType: String
    /// Nil for a type.
    var field: String?
    var location: PlanLocation?
  }

  /// The types and fields that the policy names, in their order.
  var named: [Named] {
    var found: [Named] = []
    func add(_ type: String, _ field: String?) {
      guard field != nil || type != Self.anyType, field != Self.recordNameField else { return }
      let place = field.map { "\(type).\($0)" } ?? type
      found.append(Named(recordType: type, field: field, location: locations[place]))
    }
    for (type, fields) in rules {
      if fields.isEmpty { add(type, nil) }
      for field in fields.keys { add(type, field) }
    }
    for type in droppedTypes { add(type, nil) }
    for (type, field) in persons { add(type, field) }
    for (type, lists) in orders { for field in Set(lists.joined()) { add(type, field) } }
    return found.sorted {
      let order = compareUTF8($0.recordType, $1.recordType)
      return order != 0 ? order < 0 : compareUTF8($0.field ?? "", $1.field ?? "") < 0
    }
  }

  /// Throws if one of the names is in none of these types.
  ///
  /// - Parameter types: The fields of each type of the source.
  func requireKnown(_ types: [ExactString: Set<ExactString>]) throws {
    for name in named {
      let type = ExactString(name.recordType)
      guard name.recordType == Self.anyType || types[type] != nil else {
        if Self.builtIn[name.recordType] != nil || name.recordType == UserRecord.recordType {
          continue
        }
        let place = Named(recordType: name.recordType, location: locations[name.recordType])
        throw error(place, "the type '\(name.recordType)'", among: types.keys)
      }
      guard let field = name.field.map({ ExactString($0) }) else { continue }
      let fields =
        types[type] ?? types.values.reduce(into: Set()) { $0.formUnion($1) }
      if fields.contains(field) || Self.builtIn[name.recordType]?[field.string] != nil { continue }
      let place = types[type] == nil ? "" : " of \(name.recordType)"
      throw error(name, "the field\(place) '\(field.string)'", among: fields)
    }
  }

  private func error(
    _ name: Named, _ what: String, among known: some Collection<ExactString>
  ) -> any Error {
    let message =
      "neither the schema nor a record has \(what)"
      + NearNames.advice(name.field ?? name.recordType, among: known.map(\.string).sorted())
    return name.location.map { FixtureError($0, message) } ?? AnonymisationError.source(message)
  }

  /// Checks that the rules fit the fields of a schema.
  ///
  /// - Throws: ``AnonymisationError``.
  func check(against schema: CloudSchema) throws {
    for type in schema.recordTypes {
      for field in type.fields {
        guard let rule = namedRule(for: field.name, of: type.name),
          rules.value(of: type.name)?.value(of: field.name) != nil,
          let value = ValueType(field.type)
        else { continue }
        try check(
          rule, for: field.name, of: type.name, value, isEncrypted: field.type.isEncrypted)
      }
    }
  }

  /// The maximum size of a policy in bytes.
  public static let maxSize = 4 << 20

  /// Reads a policy from a file.
  ///
  /// - Throws: `FixtureError` with line and column; `MigrationError` if the file cannot be read.
  public init(path: String) throws {
    try self.init(yaml: MigrationDirectory.text(of: path, limit: Self.maxSize), file: path)
  }

  /// The first key of a policy.
  static let versionKey = "recordpack-policy"

  /// Parses a policy.
  ///
  /// - Parameters:
  ///   - yaml: The text of the policy.
  ///   - file: The name of the file in messages.
  /// - Throws: `FixtureError` with line and column.
  public init(yaml: String, file: String = "policy.yml") throws {
    self = try FixtureError.reading { try AnonymisationPolicy(reading: yaml, file) }
  }

  private init(reading yaml: String, _ file: String) throws {
    let members = try YAMLMembers.document(
      yaml, file: file, maxSize: Self.maxSize, key: Self.versionKey, noun: "policy",
      allowing: [
        "default", "dates", "assets", "keep", "drop", "accepted", "persons", "orders", "types",
      ])
    self.init(defaultRule: try members["default"]?.one("default"))
    if let dates = members["dates"] { self.dates = try dates.one("rule for dates") }
    if let assets = members["assets"] { self.assets = try assets.one("rule for assets") }
    // Lists and mappings may consist of comments only, as in a draft.
    func given(_ name: String) -> YAMLNode? { members[name].flatMap { $0.isNull ? nil : $0 } }
    if let keep = given("keep") { keptNames = try keep.texts("keep") }
    if let drop = given("drop") { droppedParts = Set(try drop.several("part to drop")) }
    for (key, value) in try given("accepted")?.members("'accepted'").pairs ?? [] {
      accepted[try key.one("place")] = try value.text("the reason")
    }
    for (key, value) in try given("persons")?.members("'persons'").pairs ?? [] {
      let (type, field) = (try key.text("a record type"), try value.text("a field"))
      persons[type] = field
      locations["\(type).\(field)"] = value.location
    }
    for (key, value) in try given("types")?.members("'types'").pairs ?? [] {
      try readType(key, value)
    }
    try readOrders(given("orders"))
  }

  private mutating func readType(_ key: YAMLNode, _ value: YAMLNode) throws {
    let type = try key.text("a record type")
    locations[type] = key.location
    if value.node.scalar?.string == AnonymisationRule.drop.rawValue {
      droppedTypes.insert(type)
      return
    }
    var fields: [String: PolicyRule] = [:]
    for (name, rule) in value.isNull ? [] : try value.members("the rules of \(type)").pairs {
      let field = try name.text("a field")
      fields[field] = try PolicyRule(rule)
      locations["\(type).\(field)"] = rule.location
    }
    rules[type] = fields
  }
}

extension Dictionary where Key == String {
  /// The value of a key with the same scalars; keys that only look the same are others.
  func value(of name: String) -> Value? {
    guard let index = index(forKey: name), self[index].key.sameScalars(as: name) else { return nil }
    return self[index].value
  }
}

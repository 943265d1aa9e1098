import RecordMigration
import RecordModel
import RecordSchema

/// Decides what happens to each field, and which names stay.
///
/// ```yaml
/// recordpack-policy: 1
/// keep: [Chats]
/// types:
///   Message:
///     text: text
///     sentAt: date
///     likes: keep
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

  /// The rules of fields by record type; the type `*` stands for any other one.
  public var rules: [String: [String: AnonymisationRule]]
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

  /// Creates a policy.
  public init(
    rules: [String: [String: AnonymisationRule]] = [:], defaultRule: Default? = nil
  ) {
    self.rules = rules
    self.defaultRule = defaultRule
  }

  /// The fields of CloudKit's own types, unless a rule names them.
  static let builtIn: [String: [String: AnonymisationRule]] = [
    Share.recordType: [
      Share.titleKey: .text, Share.thumbnailImageDataKey: .content, Share.shareTypeKey: .keep,
    ]
  ]

  /// Returns the rule of a field; nil if none names it, and there is no default.
  ///
  /// - Parameter type: the type of the value.
  func rule(
    for field: String, of recordType: String, _ type: ValueType, isEncrypted: Bool
  ) -> AnonymisationRule? {
    if let rule = namedRule(for: field, of: recordType, type) { return rule }
    let cover = AnonymisationRule.cover(type)
    switch defaultRule {
    case nil: return nil
    case .redact?: return cover
    case .keep?:
      return isEncrypted || cover != .redact ? cover : .keep
    }
  }

  /// Returns the rule that names a field.
  ///
  /// - Parameter type: The type of the value. Core Data adds fields of text.
  func namedRule(
    for field: String, of recordType: String, _ type: ValueType = .string
  ) -> AnonymisationRule? {
    rules.value(of: recordType)?.value(of: field) ?? rules[Self.anyType]?.value(of: field)
      ?? Self.builtIn[recordType]?[field]
      ?? (type == .string ? Self.coreDataRule(for: field, of: recordType) : nil)
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

  /// Throws if a rule does not fit a value of a field.
  func check(
    _ rule: AnonymisationRule, for field: String, of recordType: String, _ type: ValueType,
    isEncrypted: Bool
  ) throws {
    let rules = AnonymisationRule.rules(for: type)
    func refuse(_ reason: String) -> AnonymisationError {
      .rule(
        recordType: recordType, field: field, reason: reason,
        location(of: field, in: recordType))
    }
    guard rules.contains(rule) else {
      let known = rules.map(\.rawValue).joined(separator: ", ")
      throw refuse(
        "'\(rule.rawValue)' does not apply to \(type.rawValue) values; use one of \(known)")
    }
    if rule == .keep, isEncrypted {
      throw refuse("encrypted values cannot be kept; use '\(rules[0].rawValue)' or 'redact'")
    }
  }

  /// A type or field that a rule names and the schema does not have. Records may have it.
  struct UnknownName: Sendable {
    var recordType: String
    /// Nil for a type.
    var field: String?
    var error: any Error
  }

  /// The fields that rules name, and types without any.
  var namedFields: [(recordType: String, field: String?)] {
    rules.sorted { compareUTF8($0.key, $1.key) < 0 }
      .flatMap { type, fields -> [(recordType: String, field: String?)] in
        let names = fields.keys.sorted { compareUTF8($0, $1) < 0 }
        return names.isEmpty && type != Self.anyType ? [(type, nil)] : names.map { (type, $0) }
      }
  }

  /// Checks that the rules fit the fields of a schema.
  ///
  /// - Returns: The types and fields that the schema does not have.
  /// - Throws: ``AnonymisationError``.
  func check(against schema: CloudSchema) throws -> [UnknownName] {
    var unknown: [UnknownName] = []
    for (typeName, fields) in rules.sorted(by: { compareUTF8($0.key, $1.key) < 0 })
    where typeName != Self.anyType {
      guard let type = schema.recordTypes.first(where: { $0.name.sameScalars(as: typeName) }) else {
        if Self.builtIn[typeName] != nil || typeName == UserRecord.recordType { continue }
        unknown.append(
          UnknownName(
            recordType: typeName,
            error: error("type", typeName, at: typeName, among: schema.recordTypes.map(\.name))))
        continue
      }
      for (name, rule) in fields.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
        guard let field = type.fields.first(where: { $0.name.sameScalars(as: name) }) else {
          if Self.builtIn[typeName]?[name] != nil { continue }
          unknown.append(
            UnknownName(
              recordType: typeName, field: name,
              error: error(
                "field of \(typeName)", name, at: "\(typeName).\(name)",
                among: type.fields.map(\.name))))
          continue
        }
        guard let value = ValueType(field.type) else { continue }
        try check(rule, for: name, of: typeName, value, isEncrypted: field.type.isEncrypted)
      }
    }
    return unknown
  }

  private func error(
    _ what: String, _ name: String, at place: String, among known: [String]
  ) -> any Error {
    let message =
      "neither the schema nor a record has the \(what) '\(name)'"
      + NearNames.advice(name, among: known)
    guard let location = locations[place] else { return AnonymisationError.source(message) }
    return FixtureError(location, message)
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
    let start = PlanLocation(file: file, line: 1, column: 1)
    let members = try YAMLNode.document(yaml, file: file, maxSize: Self.maxSize, noun: "policy")
      .members("a policy")
    guard let version = members[Self.versionKey] else {
      throw FixtureError(
        members.key(near: Self.versionKey)?.location ?? start,
        "this is not a policy: it should begin with '\(Self.versionKey): 1'")
    }
    guard try version.text("the version") == "1" else {
      throw version.error("this version of RecordPack reads policies of version 1")
    }
    try members.allow(
      [Self.versionKey, "default", "dates", "assets", "keep", "types"], in: "a policy")
    self.init(defaultRule: try members["default"]?.one("default"))
    if let dates = members["dates"] { self.dates = try dates.one("rule for dates") }
    if let assets = members["assets"] { self.assets = try assets.one("rule for assets") }
    // Lists may consist of comments only, as in a draft.
    if let keep = members["keep"], !keep.isNull { keptNames = try keep.texts("keep") }
    guard let types = members["types"], !types.isNull else { return }
    for (key, value) in try types.members("'types'").pairs {
      let type = try key.text("a record type")
      locations[type] = key.location
      var fields: [String: AnonymisationRule] = [:]
      for (name, rule) in value.isNull ? [] : try value.members("the rules of \(type)").pairs {
        let field = try name.text("a field")
        fields[field] = try rule.one("rule") as AnonymisationRule
        locations["\(type).\(field)"] = rule.location
      }
      rules[type] = fields
    }
  }
}

extension Dictionary where Key == String {
  /// The value of a key with the same scalars; keys that only look the same are others.
  fileprivate func value(of name: String) -> Value? {
    guard let index = index(forKey: name), self[index].key.sameScalars(as: name) else { return nil }
    return self[index].value
  }
}

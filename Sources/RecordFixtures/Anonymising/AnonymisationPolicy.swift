import RecordMigration
import RecordModel
import RecordSchema

/// What happens to each field, and which names stay.
///
/// ```yaml
/// recordpack-policy: 1
/// keep: [Chats]
/// types:
///   Message:
///     text: text
///     sentAt: shift
///     likes: keep
/// ```
///
/// The names of records, users, zones and subscriptions get pseudonyms, participants of shares
/// other names and addresses, whatever the policy says. A field that no rule names is an error,
/// unless there is a default.
public struct AnonymisationPolicy: Sendable {
  /// What happens to a field that no rule names.
  public enum Default: String, Sendable, Hashable, CaseIterable {
    /// It stays. Encrypted values and assets are replaced all the same.
    case keep
    /// It becomes a constant of the same type and length.
    case redact
  }

  /// The rules of fields by record type; the type `*` stands for any other one.
  public var rules: [String: [String: AnonymisationRule]]
  /// What happens to a field that no rule names; nil if that is an error.
  public var defaultRule: Default?
  /// Whether creation, modification and deletion dates stay. Else they move as fields with the rule
  /// ``AnonymisationRule/shift`` do.
  public var keepsDates = false
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
    if let rule = namedRule(for: field, of: recordType) { return rule }
    let cover = AnonymisationRule.cover(type)
    switch defaultRule {
    case nil: return nil
    case .redact?: return cover
    case .keep?:
      return isEncrypted || cover != .redact ? cover : .keep
    }
  }

  /// Returns the rule that names a field.
  func namedRule(for field: String, of recordType: String) -> AnonymisationRule? {
    rules.value(of: recordType)?.value(of: field) ?? rules[Self.anyType]?.value(of: field)
      ?? Self.builtIn[recordType]?[field]
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
    rules.filter { $0.key != Self.anyType }.sorted { compareUTF8($0.key, $1.key) < 0 }
      .flatMap { type, fields -> [(recordType: String, field: String?)] in
        let names = fields.keys.sorted { compareUTF8($0, $1) < 0 }
        return names.isEmpty ? [(type, nil)] : names.map { (type, $0) }
      }
  }

  /// Checks that the rules fit the fields of a schema.
  ///
  /// - Returns: What the schema does not have.
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
      + NearWord.advice(name, among: known)
    guard let location = locations[place] else { return AnonymisationError.source(message) }
    return PlanError(location, message)
  }
}

extension Dictionary where Key == String {
  /// The value of a key with the same scalars; keys that only look the same are others.
  fileprivate func value(of name: String) -> Value? {
    guard let index = index(forKey: name), self[index].key.sameScalars(as: name) else { return nil }
    return self[index].value
  }
}

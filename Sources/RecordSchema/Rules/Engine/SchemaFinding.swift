import RecordModel

/// What a rule found in one place.
public struct SchemaFinding: Sendable, Hashable {
  /// The rule's identifier.
  public var rule: SchemaRule.ID
  /// The rule's category.
  public var category: SchemaCategory
  /// How much it matters, the configuration considered.
  public var severity: SchemaSeverity
  /// What it is about.
  public var subject: SchemaSubject
  /// What was found, in a sentence or two.
  public var message: String
  /// What to do about it.
  public var hint: String?
  /// Where to look in the checked schema: the element itself, or what it would stand in.
  public var location: SchemaLocation?
  /// Where the element stands in the schema that is compared with.
  public var formerLocation: SchemaLocation?
  /// The stored records that it is about.
  public var records: RecordSample?

  /// The message, the records it is about, and the hint, as formats of one text show them.
  var fullMessage: String { message + (records.map { " (" + $0.phrase + ")" } ?? "") }
}

extension SchemaFinding {
  /// The order of reports: by category, severity, subject, rule, place.
  static func precedes(_ lhs: SchemaFinding, _ rhs: SchemaFinding) -> Bool {
    if lhs.category != rhs.category { return lhs.category < rhs.category }
    if lhs.severity != rhs.severity { return lhs.severity > rhs.severity }
    if lhs.subject != rhs.subject { return lhs.subject < rhs.subject }
    if lhs.rule != rhs.rule { return lhs.rule.rawValue < rhs.rule.rawValue }
    let (offset, other) = (lhs.location?.span.offset ?? 0, rhs.location?.span.offset ?? 0)
    return offset != other ? offset < other : compareUTF8(lhs.message, rhs.message) < 0
  }
}

import RecordModel

/// A finding of a rule.
public struct SchemaFinding: Sendable, Hashable {
  /// The rule's identifier.
  public var rule: SchemaRule.ID
  /// The rule's category.
  public var category: SchemaCategory
  /// The severity, according to the configuration.
  public var severity: SchemaSeverity
  /// The subject.
  public var subject: SchemaSubject
  /// A description of the finding.
  public var message: String
  /// A suggested fix.
  public var hint: String?
  /// The location in the checked schema: of the element, or of what would contain it.
  public var location: SchemaLocation?
  /// The location of the element in the schema that is compared with.
  public var formerLocation: SchemaLocation?
  /// The stored records that the finding is about.
  public var records: RecordSample?

  /// The message with the records that it is about.
  package var fullMessage: String { message + (records.map { " (" + $0.phrase + ")" } ?? "") }
}

extension SchemaFinding {
  /// Returns whether a finding precedes another in a report: by category, severity, subject, rule
  /// and location.
  static func precedes(_ lhs: SchemaFinding, _ rhs: SchemaFinding) -> Bool {
    if lhs.category != rhs.category { return lhs.category < rhs.category }
    if lhs.severity != rhs.severity { return lhs.severity > rhs.severity }
    if lhs.subject != rhs.subject { return lhs.subject < rhs.subject }
    if lhs.rule != rhs.rule { return lhs.rule.rawValue < rhs.rule.rawValue }
    let (file, otherFile) = (lhs.location?.file ?? "", rhs.location?.file ?? "")
    if file != otherFile { return compareUTF8(file, otherFile) < 0 }
    let (offset, other) = (lhs.location?.span.offset ?? 0, rhs.location?.span.offset ?? 0)
    return offset != other ? offset < other : compareUTF8(lhs.message, rhs.message) < 0
  }
}

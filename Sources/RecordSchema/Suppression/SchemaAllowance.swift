/// An allowance, which suppresses a known finding.
public struct SchemaAllowance: Sendable, Hashable {
  /// The origin of an allowance.
  public enum Source: Sendable, Hashable {
    /// A comment in the checked schema.
    case comment(SchemaLocation)
    /// An entry in a configuration's allow list: the file, and the line from 1.
    case configuration(file: String, line: Int)
  }

  /// The rule whose findings are suppressed.
  public var rule: SchemaRule.ID
  /// A pattern for the description of a ``SchemaSubject``. `*` stands for any number of characters,
  /// and a record type's name matches everything in it.
  public var subject: String
  /// The reason for the allowance. Never empty.
  public var reason: String
  /// The origin of the allowance.
  public var source: Source

  /// Creates an allowance.
  public init(rule: SchemaRule.ID, subject: String, reason: String, source: Source) {
    self.rule = rule
    self.subject = subject
    self.reason = reason
    self.source = source
  }
}

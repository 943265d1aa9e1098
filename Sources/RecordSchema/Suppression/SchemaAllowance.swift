/// A permission for a known finding to pass.
public struct SchemaAllowance: Sendable, Hashable {
  /// Where a permission was given.
  public enum Source: Sendable, Hashable {
    /// A comment in the checked schema.
    case comment(SchemaLocation)
    /// The allow list of a configuration: its file, and the line of the entry from 1.
    case configuration(file: String, line: Int)
  }

  /// The rule whose findings may pass.
  public var rule: SchemaRule.ID
  /// What they may be about: the description of a ``SchemaSubject``, with `*` for any run of
  /// characters; a record type's name covers all in it.
  public var subject: String
  /// Why they may pass; never empty.
  public var reason: String
  /// Where the permission was given.
  public var source: Source

  /// Makes a permission.
  public init(rule: SchemaRule.ID, subject: String, reason: String, source: Source) {
    self.rule = rule
    self.subject = subject
    self.reason = reason
    self.source = source
  }
}

import RecordModel

/// A reason for the production server to reject a record.
public struct RecordProblem: Sendable, Hashable, CustomStringConvertible {
  /// The violated rule. Look it up with ``SchemaRule/named(_:)``.
  public var rule: SchemaRule.ID
  /// The record's type.
  @ExactText public var recordType: String
  /// The affected field, if any.
  @ExactText public var field: String?
  /// A description of the problem.
  public var message: String
  /// The exact message of the server, if users have reported it.
  public var serverMessage: String?

  /// The description of the problem, with the server's message if known.
  public var description: String {
    message + (serverMessage.map { "; the server says: \"\($0)\"" } ?? "")
  }
}

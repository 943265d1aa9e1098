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

  init(
    rule: SchemaRule.ID, recordType: String, field: String?, message: String,
    serverMessage: String?
  ) {
    self.rule = rule
    _recordType = ExactText(wrappedValue: recordType)
    _field = ExactText(wrappedValue: field)
    self.message = message
    self.serverMessage = serverMessage
  }

  /// The description of the problem, with the server's message if known.
  public var description: String {
    message + (serverMessage.map { "; the server says: \"\($0)\"" } ?? "")
  }
}

import RecordModel

/// Why a production server would refuse a record.
public struct RecordProblem: Sendable, Hashable, CustomStringConvertible {
  /// The rule that is broken; ``SchemaRule/named(_:)`` explains it.
  public var rule: SchemaRule.ID
  /// The record's type.
  @ExactText public var recordType: String
  /// The field, where it is about one.
  @ExactText public var field: String?
  /// What does not fit.
  public var message: String
  /// What the server says, word for word, where people have reported it.
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

  /// What does not fit, and what the server says to it.
  public var description: String {
    message + (serverMessage.map { "; the server says: \"\($0)\"" } ?? "")
  }
}

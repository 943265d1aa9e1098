import protocol Foundation.LocalizedError

/// An error of the CloudKit server or framework (`CKError`).
///
/// ```swift
/// do {
///   _ = try draft.resultRecord()
/// } catch CloudError.limitExceeded {
///   print("The record is too large.")
/// } catch let error as CloudError {
///   print(error.code.name, error.message, error.violation?.found ?? "")
/// }
/// ```
public struct CloudError: Error, Sendable, Hashable {
  /// The error code.
  public var code: Code
  /// The message; the server's own text where it is publicly known.
  @ExactText public var message: String
  /// The error of each record that failed, for ``Code/partialFailure``.
  public var partialErrors: [RecordID: CloudError]
  /// The records in conflict, for ``Code/serverRecordChanged``.
  public var conflict: Conflict?
  /// The limit that was exceeded, for an error that ``RecordLimits`` throws.
  public var violation: LimitViolation?
  /// The delay in seconds after which the request may be retried.
  public var retryAfter: Double?

  /// The records of a conflict.
  public struct Conflict: Sendable, Hashable {
    /// The record on the server (`serverRecord`).
    public var serverRecord: ResultRecord?
    /// The record that the client tried to save (`clientRecord`).
    public var clientRecord: DraftRecord?
    /// The record that the client's changes are based on (`ancestorRecord`), if known.
    public var ancestorRecord: ResultRecord?

    /// Creates a conflict.
    public init(
      serverRecord: ResultRecord? = nil, clientRecord: DraftRecord? = nil,
      ancestorRecord: ResultRecord? = nil
    ) {
      self.serverRecord = serverRecord
      self.clientRecord = clientRecord
      self.ancestorRecord = ancestorRecord
    }
  }

  /// Creates an error.
  public init(
    _ code: Code, _ message: String = "", partialErrors: [RecordID: CloudError] = [:],
    conflict: Conflict? = nil, retryAfter: Double? = nil
  ) {
    self.code = code
    self.message = message
    self.partialErrors = partialErrors
    self.conflict = conflict
    self.retryAfter = retryAfter
  }
}

extension CloudError: CustomStringConvertible, LocalizedError {
  /// The name and number of the code, and the message.
  public var description: String {
    "\(code.name) (\(code.rawValue))\(message.isEmpty ? "" : ": \(message)")"
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

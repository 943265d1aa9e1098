import protocol Foundation.LocalizedError

/// An error of the CloudKit server or framework (`CKError`), with its name and number.
public struct CloudError: Error, Sendable, Hashable {
  /// Which error it is.
  public var code: Code
  /// What the server says of it, in its own words where they are publicly known.
  @ExactText public var message: String
  /// For ``Code/partialFailure``: the error of each record that failed.
  public var partialErrors: [RecordID: CloudError]
  /// For ``Code/serverRecordChanged``: the records of the conflict.
  public var conflict: Conflict?
  /// For an error that ``RecordLimits`` throws: which limit, where, and what was found.
  public var violation: LimitViolation?
  /// Seconds after which the request may be tried again.
  public var retryAfter: Double?

  /// The records of a conflict.
  public struct Conflict: Sendable, Hashable {
    /// What the server has (`serverRecord`).
    public var serverRecord: ResultRecord?
    /// What was to be saved (`clientRecord`).
    public var clientRecord: DraftRecord?
    /// What the client's record grew from (`ancestorRecord`), where it is known.
    public var ancestorRecord: ResultRecord?

    /// Makes a conflict.
    public init(
      serverRecord: ResultRecord? = nil, clientRecord: DraftRecord? = nil,
      ancestorRecord: ResultRecord? = nil
    ) {
      self.serverRecord = serverRecord
      self.clientRecord = clientRecord
      self.ancestorRecord = ancestorRecord
    }
  }

  /// Makes an error.
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

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

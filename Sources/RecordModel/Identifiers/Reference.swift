/// A reference from one record to another (`CKRecord.Reference`).
public struct Reference: Sendable, Hashable {
  /// The effect of deleting the target of a reference.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// No effect: the reference is left dangling.
    case none = "NONE"
    /// The referring record is deleted with its target.
    case deleteSelf = "DELETE_SELF"
    /// The server checks that the target exists when the reference is saved. Seen only in Web
    /// Services responses.
    case validate = "VALIDATE"
  }

  /// The target of the reference.
  public let recordID: RecordID
  /// The effect of deleting the target.
  public let action: Action
  /// The JSON members of the reference that this model has no property for.
  public let otherMembers: OtherMembers

  /// Creates a reference to a record.
  public init(recordID: RecordID, action: Action = .none, otherMembers: OtherMembers = []) {
    self.recordID = recordID
    self.action = action
    self.otherMembers = otherMembers
  }

  /// Creates a reference to a record that a database returned.
  public init(record: ResultRecord, action: Action = .none) {
    self.init(recordID: record.recordID, action: action)
  }

  /// Creates a reference to a record that is not yet saved.
  public init(record: DraftRecord, action: Action = .none) {
    self.init(recordID: record.recordID, action: action)
  }
}

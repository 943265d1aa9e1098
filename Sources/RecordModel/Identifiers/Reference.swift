/// A reference from one record to another (`CKRecord.Reference`).
public struct Reference: Sendable, Hashable {
  /// What happens to the referring record when its target is deleted.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// Nothing: the reference is left dangling.
    case none = "NONE"
    /// The referring record is deleted with its target.
    case deleteSelf = "DELETE_SELF"
    /// The server checked on saving that the target exists; seen in Web Services responses only.
    case validate = "VALIDATE"
  }

  /// The record that is referred to.
  public let recordID: RecordID
  /// What happens when that record is deleted.
  public let action: Action
  /// What a server sent in the reference that this model does not know.
  public let otherMembers: OtherMembers

  /// Makes a reference to a record.
  public init(recordID: RecordID, action: Action = .none, otherMembers: OtherMembers = []) {
    self.recordID = recordID
    self.action = action
    self.otherMembers = otherMembers
  }

  /// Makes a reference to a record that a database returned.
  public init(record: ResultRecord, action: Action = .none) {
    self.init(recordID: record.recordID, action: action)
  }

  /// Makes a reference to a record that is yet to be saved.
  public init(record: DraftRecord, action: Action = .none) {
    self.init(recordID: record.recordID, action: action)
  }
}

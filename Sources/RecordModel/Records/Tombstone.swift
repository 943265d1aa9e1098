import struct Foundation.Date

/// What is left of a deleted record: the change feed tells the other devices by it.
public struct Tombstone: Sendable, Hashable {
  /// The record that was deleted.
  public var recordID: RecordID
  /// Its type, where it is known: Web Services do not tell it.
  @ExactText public var recordType: String?
  /// When it was deleted, where it is known.
  public var deletionDate: Date?
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes a tombstone.
  public init(
    recordID: RecordID, recordType: String? = nil, deletionDate: Date? = nil,
    otherMembers: OtherMembers = []
  ) {
    self.recordID = recordID
    self.recordType = recordType
    self.deletionDate = deletionDate
    self.otherMembers = otherMembers
  }
}

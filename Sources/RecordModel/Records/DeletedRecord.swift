import struct Foundation.Date

/// A deleted record, as the change feed reports it.
public struct DeletedRecord: Sendable, Hashable {
  /// The identity of the deleted record.
  public var recordID: RecordID
  /// The type of the record, if known; Web Services do not send it.
  @ExactText public var recordType: String?
  /// The change tag of the deletion, if known.
  @ExactText public var recordChangeTag: String?
  /// The time of the deletion, if known.
  public var deletionDate: Date?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates a tombstone.
  public init(
    recordID: RecordID, recordType: String? = nil, recordChangeTag: String? = nil,
    deletionDate: Date? = nil, otherMembers: OtherMembers = []
  ) {
    self.recordID = recordID
    self.recordType = recordType
    self.recordChangeTag = recordChangeTag
    self.deletionDate = deletionDate
    self.otherMembers = otherMembers
  }
}

import struct Foundation.Date

/// The time, user and device of a record's creation or modification.
public struct RecordStamp: Sendable, Hashable {
  /// The time of the save on the server; Web Services send whole milliseconds.
  public var date: Date?
  /// The record name of the user who saved the record.
  @ExactText public var userRecordName: String?
  /// The identifier of the device that saved the record.
  @ExactText public var deviceID: String?
  /// The JSON members of the stamp that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates a stamp.
  public init(
    date: Date? = nil, userRecordName: String? = nil, deviceID: String? = nil,
    otherMembers: OtherMembers = []
  ) {
    self.date = date
    self.userRecordName = userRecordName
    self.deviceID = deviceID
    self.otherMembers = otherMembers
  }
}

extension RecordStamp {
  /// The identifier of the user record, in the default zone, of the user who saved the record.
  public var userRecordID: RecordID? { userRecordName.map(UserRecord.recordID(named:)) }
}

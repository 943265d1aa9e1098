import struct Foundation.Date

/// When, by whom and on which device a record was created or modified.
public struct RecordStamp: Sendable, Hashable {
  /// The server's time of the save; Web Services give it in whole milliseconds.
  public var date: Date?
  /// The record name of the user who saved.
  @ExactText public var userRecordName: String?
  /// The device that saved, as the server names it.
  @ExactText public var deviceID: String?
  /// What a server sent in the stamp that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes a stamp.
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
  /// The record of the user who saved; users live in the default zone.
  public var userRecordID: RecordID? { userRecordName.map(UserRecord.recordID(named:)) }
}

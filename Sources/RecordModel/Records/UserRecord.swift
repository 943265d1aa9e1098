/// Facts about user records.
public enum UserRecord {
  /// The record type of users; their records lie in the default zone of the public database, one
  /// each, and can be changed but not created or queried.
  public static let recordType = "Users"

  /// The identity of a user's record.
  ///
  /// - Parameter recordName: `_` and 32 hexadecimal digits for a real user;
  ///   ``ZoneID/currentUserOwnerName`` stands for the signed-in one.
  public static func recordID(named recordName: String) -> RecordID {
    RecordID(recordName: recordName)
  }
}

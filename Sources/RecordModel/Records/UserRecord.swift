/// The record type and identifiers of user records.
public enum UserRecord {
  /// The record type of users.
  ///
  /// Each user has one record, in the default zone of the public database. It can be changed, but
  /// not created or queried.
  public static let recordType = "Users"

  /// Returns the identifier of a user record.
  ///
  /// - Parameter recordName: `_` and 32 hexadecimal digits; ``ZoneID/currentUserOwnerName`` for the
  ///   signed-in user.
  public static func recordID(named recordName: String) -> RecordID {
    RecordID(recordName: recordName)
  }
}

extension CKRecord {
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemtype
  public enum SystemType {
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemtype/userrecord
    public static let userRecord: CKRecord.RecordType = "Users"
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemtype/share
    public static let share: CKRecord.RecordType = "cloudkit.share"
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemfieldkey
  public enum SystemFieldKey {
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemfieldkey/recordid
    public static var recordID: CKRecord.FieldKey { "recordID" }
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemfieldkey/creatoruserrecordid
    public static var creatorUserRecordID: CKRecord.FieldKey { "creatorUserRecordID" }
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemfieldkey/creationdate
    public static var creationDate: CKRecord.FieldKey { "creationDate" }
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemfieldkey/lastmodifieduserrecordid
    public static var lastModifiedUserRecordID: CKRecord.FieldKey { "lastModifiedUserRecordID" }
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemfieldkey/modificationdate
    public static var modificationDate: CKRecord.FieldKey { "modificationDate" }
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemfieldkey/parent
    public static let parent: CKRecord.FieldKey = "___parent"
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/systemfieldkey/share
    public static let share: CKRecord.FieldKey = "___share"
  }
}

@available(*, unavailable)
extension CKRecord.SystemType: Sendable {}

@available(*, unavailable)
extension CKRecord.SystemFieldKey: Sendable {}

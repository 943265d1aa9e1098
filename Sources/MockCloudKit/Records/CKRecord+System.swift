extension CKRecord {
  public enum SystemType {
    public static let userRecord: CKRecord.RecordType = "Users"
    public static let share: CKRecord.RecordType = "cloudkit.share"
  }

  public enum SystemFieldKey {
    public static var recordID: CKRecord.FieldKey { "recordID" }
    public static var creatorUserRecordID: CKRecord.FieldKey { "creatorUserRecordID" }
    public static var creationDate: CKRecord.FieldKey { "creationDate" }
    public static var lastModifiedUserRecordID: CKRecord.FieldKey { "lastModifiedUserRecordID" }
    public static var modificationDate: CKRecord.FieldKey { "modificationDate" }
    public static let parent: CKRecord.FieldKey = "___parent"
    public static let share: CKRecord.FieldKey = "___share"
  }
}

@available(*, unavailable)
extension CKRecord.SystemType: Sendable {}

@available(*, unavailable)
extension CKRecord.SystemFieldKey: Sendable {}

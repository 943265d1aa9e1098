import Foundation

extension RecordState {
  /// The keys are at the top of the archive, as CloudKit writes them.
  func encodeSystemFields(to coder: NSCoder) {
    coder.encode(recordType as NSString, forKey: "RecordType")
    coder.encode(recordID, forKey: "RecordID")
    coder.encode(recordChangeTag.map { $0 as NSString }, forKey: "ETag")
    coder.encode(created.date.map { $0 as NSDate }, forKey: "RecordCtime")
    coder.encode(modified.date.map { $0 as NSDate }, forKey: "RecordMtime")
    coder.encode(created.userRecordID, forKey: "CreatorUserRecordID")
    coder.encode(modified.userRecordID, forKey: "LastModifiedUserRecordID")
    coder.encode(modified.device.map { $0 as NSString }, forKey: "ModifiedByDevice")
    coder.encode(parent, forKey: "ParentReference")
    coder.encode(share, forKey: "ShareReference")
    coder.encode(hasChangedParent, forKey: "HasUpdatedParentReference")
    coder.encode(hasChangedShare, forKey: "HasUpdatedShareReference")
    coder.encode(recordChangeTag != nil, forKey: "KnownToServer")
  }

  init?(coder: NSCoder) {
    guard let type = coder.optionalObject(of: NSString.self, forKey: "RecordType"),
      let id = coder.optionalObject(of: CKRecord.ID.self, forKey: "RecordID")
    else { return nil }
    func string(_ key: String) -> String? {
      coder.optionalObject(of: NSString.self, forKey: key).map { String($0) }
    }
    func date(_ key: String) -> Date? {
      coder.optionalObject(of: NSDate.self, forKey: key).map { $0 as Date }
    }
    self.init(recordType: String(type), recordID: id)
    recordChangeTag = string("ETag")
    created.date = date("RecordCtime")
    created.userRecordID = coder.optionalObject(of: CKRecord.ID.self, forKey: "CreatorUserRecordID")
    modified.date = date("RecordMtime")
    modified.userRecordID = coder.optionalObject(
      of: CKRecord.ID.self, forKey: "LastModifiedUserRecordID")
    modified.device = string("ModifiedByDevice")
    parent = coder.optionalObject(of: CKRecord.Reference.self, forKey: "ParentReference")
    share = coder.optionalObject(of: CKRecord.Reference.self, forKey: "ShareReference")
    hasChangedParent = coder.decodeBool(forKey: "HasUpdatedParentReference")
    hasChangedShare = coder.decodeBool(forKey: "HasUpdatedShareReference")
  }

  func encodeValues(to coder: NSCoder) {
    coder.encode(ArchivedValues(plain), forKey: "ValueStore")
    coder.encode(ArchivedEncryptedValues(encrypted), forKey: "EncryptedValueStore")
  }

  mutating func decodeValues(from coder: NSCoder) {
    if let values = coder.optionalObject(of: ArchivedValues.self, forKey: "ValueStore") {
      plain = values.fields
    }
    let key = "EncryptedValueStore"
    if let values = coder.optionalObject(of: ArchivedEncryptedValues.self, forKey: key) {
      encrypted = values.fields
    }
  }
}

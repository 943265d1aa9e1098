import CoreLocation
import Foundation

/// The classes of the names in archives, for reading; `ArchiveClassNames` has them for writing.
///
/// Each class registers them when its first object is made or asked whether it supports secure
/// coding; an archive cannot be read before.
enum ArchiveNames {
  static func register() { _ = registered }

  private static let registered: Void = {
    let names: [(AnyClass, String)] = [
      (CKRecord.self, "CKRecord"), (CKRecord.ID.self, "CKRecordID"),
      (CKRecord.Reference.self, "CKReference"), (CKRecordZone.self, "CKRecordZone"),
      (CKRecordZone.ID.self, "CKRecordZoneID"), (CKShare.self, "CKShare"),
      (CKShare.Participant.self, "CKShareParticipant"),
      (CKShare.Metadata.self, "CKShareMetadata"),
      (CKUserIdentity.self, "CKUserIdentity"),
      (CKUserIdentity.LookupInfo.self, "CKUserIdentityLookupInfo"),
      (CKServerChangeToken.self, "CKServerChangeToken"),
      (CKQueryOperation.Cursor.self, "CKQueryCursor"), (CLLocation.self, "CLLocation"),
      (ArchivedPersonName.self, "NSPersonNameComponents"),
      (ArchivedPersonNameData.self, "_NSPersonNameComponentsData"),
      (ArchivedAsset.self, "CKAsset"), (ArchivedValues.self, "CKRecordValueStore"),
      (ArchivedEncryptedValues.self, "CKEncryptedRecordValueStore"),
    ]
    for (objectClass, name): (AnyClass, String) in names {
      NSKeyedUnarchiver.setClass(objectClass, forClassName: name)
    }
  }()
}

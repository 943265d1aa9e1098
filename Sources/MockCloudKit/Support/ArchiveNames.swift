#if os(Linux)
  import AppleFoundation
#endif
import Foundation

/// The names that CloudKit's classes have in archives.
///
/// A process registers the names when it starts (`CMockCloudKit`), so an archive can be read before
/// anything else.
enum ArchiveNames {
  /// Each class of ours with the name of Apple's class. Superclasses come first.
  private static let names: [(name: String, class: AnyClass, superclass: String?)] = [
    ("CKRecord", CKRecord.self, nil), ("CKShare", CKShare.self, "CKRecord"),
    ("CKRecordID", CKRecord.ID.self, nil), ("CKReference", CKRecord.Reference.self, nil),
    ("CKRecordZone", CKRecordZone.self, nil), ("CKRecordZoneID", CKRecordZone.ID.self, nil),
    ("CKShareParticipant", CKShare.Participant.self, nil),
    ("CKShareMetadata", CKShare.Metadata.self, nil),
    ("CKUserIdentity", CKUserIdentity.self, nil),
    ("CKUserIdentityLookupInfo", CKUserIdentity.LookupInfo.self, nil),
    ("CKServerChangeToken", CKServerChangeToken.self, nil),
    ("CKQueryCursor", CKQueryOperation.Cursor.self, nil),
    ("NSPersonNameComponents", ArchivedPersonName.self, nil),
    ("_NSPersonNameComponentsData", ArchivedPersonNameData.self, nil),
    ("CKAsset", CKAsset.self, nil),
    ("CKContainerID", ArchivedContainerID.self, nil),
    ("CKQuery", CKQuery.self, nil),
    ("RecordPackPredicate", ArchivedPredicate.self, nil),
    ("CKSubscription", CKSubscription.self, nil),
    ("CKQuerySubscription", CKQuerySubscription.self, "CKSubscription"),
    ("CKRecordZoneSubscription", CKRecordZoneSubscription.self, "CKSubscription"),
    ("CKDatabaseSubscription", CKDatabaseSubscription.self, "CKSubscription"),
    ("CKNotificationInfo", CKSubscription.NotificationInfo.self, nil),
    ("CKRecordValueStore", ArchivedValues.self, nil),
    ("CKEncryptedRecordValueStore", ArchivedEncryptedValues.self, "CKRecordValueStore"),
  ]

  #if os(Linux)
    private static let classes: [String: AnyClass] = names.reduce(into: [:]) {
      $0[$1.name] = FoundationClass.named(
        $1.name, superclass: $1.superclass.flatMap { [classes = $0] in classes[$0] })
    }
  #else
    private static let classes: [String: AnyClass] = Dictionary(
      uniqueKeysWithValues: names.map { ($0.name, $0.class) })
  #endif

  /// The class that an archiver writes with a name: what `classForKeyedArchiver` returns.
  static func `class`(named name: String) -> AnyClass? { classes[name] }

  /// Makes readers, and on Apple's platforms writers, use the names.
  static func register() { _ = registered }

  private static let registered: Void = {
    for entry in names {
      NSKeyedUnarchiver.setClass(entry.class, forClassName: entry.name)
      #if !os(Linux)
        NSKeyedArchiver.setClassName(entry.name, for: entry.class)
      #endif
    }
    #if os(Linux)
      NSKeyedUnarchiver.setClass(CLLocation.self, forClassName: "CLLocation")
    #endif
  }()
}

/// Registers the names when the process starts, called from C.
@_cdecl("MockCloudKit_registerArchiveNames")
package func registerArchiveNames() { ArchiveNames.register() }

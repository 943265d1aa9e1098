import Foundation

// The names that CloudKit's classes have in archives.
//
// swift-corelibs-foundation writes the name of a class with its module, unless that is Foundation,
// and its `NSKeyedArchiver.setClassName(_:for:)` has no effect (it stores the name under one key and
// looks it up under another). Therefore this module has the ABI name Foundation, and nothing in it
// but these classes, which `classForKeyedArchiver` returns.

/// The name of `CKRecord`.
open class CKRecord: NSObject {}
/// The name of `CKShare`.
public final class CKShare: CKRecord {}
/// The name of `CKRecord.ID`.
public final class CKRecordID: NSObject {}
/// The name of `CKRecord.Reference`.
public final class CKReference: NSObject {}
/// The name of `CKRecordZone`.
public final class CKRecordZone: NSObject {}
/// The name of `CKRecordZone.ID`.
public final class CKRecordZoneID: NSObject {}
/// The name of `CKShare.Participant`.
public final class CKShareParticipant: NSObject {}
/// The name of `CKUserIdentity`.
public final class CKUserIdentity: NSObject {}
/// The name of `CKUserIdentity.LookupInfo`.
public final class CKUserIdentityLookupInfo: NSObject {}
/// The name of `CKServerChangeToken`.
public final class CKServerChangeToken: NSObject {}
/// The name of `CKQueryOperation.Cursor`.
public final class CKQueryCursor: NSObject {}
/// The name of `CKAsset`.
public final class CKAsset: NSObject {}
/// The name of `CLLocation`.
public final class CLLocation: NSObject {}
/// The name of the values of a record.
open class CKRecordValueStore: NSObject {}
/// The name of the encrypted values of a record.
public final class CKEncryptedRecordValueStore: CKRecordValueStore {}
/// The name of what `NSPersonNameComponents` contains.
public final class _NSPersonNameComponentsData: NSObject {}

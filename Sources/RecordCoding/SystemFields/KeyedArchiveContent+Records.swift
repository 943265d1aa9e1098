import Foundation
import RecordModel

/// CloudKit's own classes as content for an archive, with the keys that CloudKit writes.
extension KeyedArchiveContent {
  /// A `CKRecordID`.
  static func recordID(_ id: RecordID) -> KeyedArchiveContent {
    .object(
      class: ["CKRecordID", "NSObject"],
      members: [("RecordName", .string(id.recordName)), ("ZoneID", .zoneID(id.zoneID))])
  }

  /// A `CKRecordZoneID`; a zone here does not know its database, so the scope is left unknown.
  static func zoneID(_ id: ZoneID) -> KeyedArchiveContent {
    .object(
      class: ["CKRecordZoneID", "NSObject"],
      members: [
        ("ZoneName", .string(id.zoneName)), ("ownerName", .string(id.ownerName)),
        ("databaseScopeKey", .integer(0)), ("anonymousCKUserID", .null),
      ])
  }

  /// A `CKReference`.
  ///
  /// `validate` exists in Web Services only, and is written as no action.
  static func reference(_ reference: Reference) -> KeyedArchiveContent {
    .object(
      class: ["CKReference", "NSObject"],
      members: [
        ("recordID", .recordID(reference.recordID)),
        ("referenceAction", .integer(reference.action == .deleteSelf ? 1 : 0)),
      ])
  }

  /// A user's `CKRecordID`.
  static func user(_ recordName: String) -> KeyedArchiveContent {
    .recordID(UserRecord.recordID(named: recordName))
  }
}

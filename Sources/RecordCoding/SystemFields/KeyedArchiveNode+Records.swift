import Foundation
import RecordModel

/// Decoding of CloudKit's classes: identifiers, references and system fields.
///
/// Source of the keys: archives written by CloudKit, examined with other tools.
extension KeyedArchiveNode {
  /// Returns the identity of a `CKRecordID`.
  func recordID() throws -> RecordID {
    try instance(of: "CKRecordID")
    let name = try required("RecordName").string()
    return RecordID(recordName: name, zoneID: try child("ZoneID")?.zoneID() ?? .default)
  }

  /// Returns the identity of a `CKRecordZoneID`.
  func zoneID() throws -> ZoneID {
    try instance(of: "CKRecordZoneID")
    let name = try required("ZoneName").string()
    let owner = try child("ownerName")?.string() ?? ZoneID.currentUserOwnerName
    if name == ZoneID.defaultZoneName, owner == ZoneID.currentUserOwnerName { return .default }
    return ZoneID(zoneName: name, ownerName: owner)
  }

  /// Returns the reference of a `CKReference`; both spellings of its keys occur.
  func reference() throws -> Reference {
    try instance(of: "CKReference")
    let target = try child("recordID") ?? required("RecordID")
    let number = try child("referenceAction") ?? child("ReferenceAction")
    let action: Reference.Action
    switch try number?.integer() ?? 0 {
    case 0: action = .none
    case 1: action = .deleteSelf
    case let other:
      throw KeyedArchiveError.invalidValue(
        path: path, found: "reference action \(other)", expected: "0 (none) or 1 (delete self)")
    }
    return Reference(recordID: try target.recordID(), action: action)
  }

  /// Returns everything but the field values from the keys of a `CKRecord`.
  func systemFields() throws -> SystemFields {
    let created = RecordStamp(
      date: try child("RecordCtime")?.date(),
      userRecordName: try child("CreatorUserRecordID")?.recordID().recordName)
    let modified = RecordStamp(
      date: try child("RecordMtime")?.date(),
      userRecordName: try child("LastModifiedUserRecordID")?.recordID().recordName,
      deviceID: try child("ModifiedByDevice")?.string())
    return SystemFields(
      recordID: try required("RecordID").recordID(),
      recordType: try required("RecordType").string(),
      recordChangeTag: try child("ETag")?.string(),
      created: created.unlessEmpty, modified: modified.unlessEmpty,
      parent: try child("ParentReference")?.reference(),
      share: try child("ShareReference")?.reference())
  }
}

extension RecordStamp {
  /// The stamp, or nil if all of its properties are nil.
  var unlessEmpty: RecordStamp? { self == RecordStamp() ? nil : self }
}

extension KeyedArchive {
  /// Returns the object with a record's keys: the top of an archive by `encodeSystemFields(with:)`,
  /// or the `CKRecord` with the key `root` of an archived record.
  func record() throws -> KeyedArchiveNode {
    if try top.child("RecordType") == nil, let root = try top.child("root") {
      return try root.instance(of: "CKRecord")
    }
    return top
  }
}

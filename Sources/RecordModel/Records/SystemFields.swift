import struct Foundation.Data
import struct Foundation.Date

/// Everything about a record but its field values. Apps store it beside their own model, to save
/// the record again.
///
/// `encodeSystemFields()` in `RecordCoding` writes the format of CloudKit's
/// `encodeSystemFields(with:)`, and `init(decoding:)` reads it.
///
/// ```swift
/// let systemFields = record.systemFields
/// // … later, to change the record:
/// var draft = DraftRecord(systemFields: systemFields)
/// draft["title"] = "Hiking club 2025"
/// ```
public struct SystemFields: Sendable, Hashable {
  /// The record's identity.
  public var recordID: RecordID
  /// The record's type.
  @ExactText public var recordType: String
  /// The version of the record on the server; nil for a record that was never saved.
  @ExactText public var recordChangeTag: String?
  /// The time, user and device of the creation.
  public var created: RecordStamp?
  /// The time, user and device of the last modification.
  public var modified: RecordStamp?
  /// The record's parent in the sharing hierarchy.
  public var parent: Reference?
  /// The share whose root is this record, or that contains it.
  public var share: Reference?
  /// The JSON members that this model has no property for, and the special members of shares (see
  /// ``Share``).
  public var otherMembers: OtherMembers
  /// The keyed archive these fields were read from; it preserves keys that RecordPack does not
  /// know.
  public var archive: Data?

  /// Creates system fields.
  public init(
    recordID: RecordID, recordType: String, recordChangeTag: String? = nil,
    created: RecordStamp? = nil, modified: RecordStamp? = nil, parent: Reference? = nil,
    share: Reference? = nil, otherMembers: OtherMembers = [], archive: Data? = nil
  ) {
    self.recordID = recordID
    self.recordType = recordType
    self.recordChangeTag = recordChangeTag
    self.created = created
    self.modified = modified
    self.parent = parent
    self.share = share
    self.otherMembers = otherMembers
    self.archive = archive
  }

  /// The same fields without their archive.
  package var withoutArchive: SystemFields {
    guard archive != nil else { return self }
    var copy = self
    copy.archive = nil
    return copy
  }

  /// The time of the first save.
  public var creationDate: Date? { created?.date }
  /// The user who first saved the record.
  public var creatorUserRecordID: RecordID? { created?.userRecordID }
  /// The time of the last save.
  public var modificationDate: Date? { modified?.date }
  /// The user who last saved the record.
  public var lastModifiedUserRecordID: RecordID? { modified?.userRecordID }
}

/// The time, user and device of a record's creation or modification.
public struct RecordStamp: Sendable, Hashable {
  /// The time of the save on the server; Web Services send whole milliseconds.
  public var date: Date?
  /// The record name of the user who saved the record.
  @ExactText public var userRecordName: String?
  /// The identifier of the device that saved the record.
  @ExactText public var deviceID: String?
  /// The JSON members of the stamp that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates a stamp.
  public init(
    date: Date? = nil, userRecordName: String? = nil, deviceID: String? = nil,
    otherMembers: OtherMembers = []
  ) {
    self.date = date
    self.userRecordName = userRecordName
    self.deviceID = deviceID
    self.otherMembers = otherMembers
  }

  /// The identifier of the user record, in the default zone, of the user who saved the record.
  public var userRecordID: RecordID? { userRecordName.map(UserRecord.recordID(named:)) }
}

extension RecordStamp {
  /// Whether all properties are equal, the dates by their bits, as in a ``RecordValue``.
  public static func == (lhs: RecordStamp, rhs: RecordStamp) -> Bool {
    lhs.date?.bits == rhs.date?.bits && lhs.userRecordName.sameScalars(as: rhs.userRecordName)
      && lhs.deviceID.sameScalars(as: rhs.deviceID) && lhs.otherMembers == rhs.otherMembers
  }
}

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

/// The change tags of RecordPack: the numbers of changes in base 36.
package enum ChangeTag {
  /// Returns the number in a tag; nil if the tag is none in base 36. Signs, capitals and leading
  /// zeros, which `text(of:)` does not write, are read.
  package static func change(of tag: String) -> Int64? { Int64(tag, radix: 36) }

  /// Returns the tag of a change.
  package static func text(of change: Int64) -> String { String(change, radix: 36) }
}

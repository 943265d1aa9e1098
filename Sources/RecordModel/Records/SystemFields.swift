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

import struct Foundation.Data
import struct Foundation.Date

/// Everything about a record but its values: what an app stores beside its own model to be able to
/// save a record again.
///
/// `encodeSystemFields()` in `RecordCoding` writes what CloudKit's `encodeSystemFields(with:)`
/// writes, and `init(decoding:)` reads it.
public struct SystemFields: Sendable, Hashable {
  /// The record's identity.
  public var recordID: RecordID
  /// The record's type.
  @ExactText public var recordType: String
  /// The server's version of the record; nil for a record that was never saved.
  @ExactText public var recordChangeTag: String?
  /// When, by whom and where the record was created.
  public var created: RecordStamp?
  /// When, by whom and where the record was last modified.
  public var modified: RecordStamp?
  /// The record this one is shared with: the hierarchy that sharing follows.
  public var parent: Reference?
  /// The share that this record is the root of, or lies in.
  public var share: Reference?
  /// What a server sent in the record that this model does not know, and the special fields of
  /// shares (see ``Share``).
  public var otherMembers: OtherMembers
  /// The keyed archive these fields were read from, so that keys unknown here survive.
  public var archive: Data?

  /// Makes system fields.
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

  /// When the record was first saved.
  public var creationDate: Date? { created?.date }
  /// Who saved it first.
  public var creatorUserRecordID: RecordID? { created?.userRecordID }
  /// When the record was last saved.
  public var modificationDate: Date? { modified?.date }
  /// Who saved it last.
  public var lastModifiedUserRecordID: RecordID? { modified?.userRecordID }
}

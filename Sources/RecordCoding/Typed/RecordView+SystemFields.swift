import RecordModel

import struct Foundation.Date

extension RecordView {
  /// The record's type.
  public var recordType: String { state.pointee.recordType }

  /// The record's identity.
  public var recordID: RecordID { state.pointee.recordID }

  /// The version of the record; nil if it was never saved.
  public var recordChangeTag: String? { state.pointee.changeTag }

  /// When the record was first saved.
  public var creationDate: Date? { state.pointee.creationDate }

  /// The user who created the record.
  public var creatorUserRecordID: RecordID? { state.pointee.creator }

  /// When the record was last saved.
  public var modificationDate: Date? { state.pointee.modificationDate }

  /// The user who last saved the record.
  public var lastModifiedUserRecordID: RecordID? { state.pointee.modifier }

  /// The record's parent in the sharing hierarchy.
  public var parent: Reference? { state.pointee.parent }

  /// The share whose root is this record.
  public var share: Reference? { state.pointee.share }
}

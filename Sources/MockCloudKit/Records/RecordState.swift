import Foundation
import RecordModel

/// The contents of a `CKRecord`.
struct RecordState {
  /// The time, user and device of a save.
  struct Stamp {
    var date: Date?
    var userRecordID: CKRecord.ID?
    var device: String?
  }

  let recordType: String
  let recordID: CKRecord.ID
  var recordChangeTag: String?
  var created = Stamp()
  var modified = Stamp()
  var parent: CKRecord.Reference?
  /// Whether the parent was set, and is sent with the record.
  var hasChangedParent = false
  var share: CKRecord.Reference?
  /// Whether the share was set, and is sent with the record.
  var hasChangedShare = false
  var plain = FieldStore()
  var encrypted = FieldStore()
  /// The record that the server last returned. It also has what other devices have saved meanwhile.
  var base: ResultRecord?

  init(recordType: String, recordID: CKRecord.ID) {
    self.recordType = recordType
    self.recordID = recordID
  }
}

extension CKRecord {
  /// Whether the parent was set since the record was made from the server's or from system fields.
  package var hasChangedParent: Bool { state.with { $0.hasChangedParent } }
}

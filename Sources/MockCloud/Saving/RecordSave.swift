import CloudInterface
import RecordModel

/// A record to save, and how. An app says how for all records of a request, a client of Web Services
/// for each.
package struct RecordSave: Sendable {
  /// The record.
  package var draft: DraftRecord
  /// What to do if the record on the server has changed.
  package var policy: RecordSavePolicy
  /// Whether the fields are removed that only the stored record has. Source: Apple's *CloudKit Web
  /// Services Reference*, operation types `replace` and `forceReplace`.
  package var replacesFields: Bool

  package init(_ draft: DraftRecord, _ policy: RecordSavePolicy, replacesFields: Bool = false) {
    self.draft = draft
    self.policy = policy
    self.replacesFields = replacesFields
  }

  /// Whether all fields of the draft are sent, not only those that have changed.
  var sendsAllKeys: Bool { policy == .allKeys || replacesFields }
}

/// A record to delete.
package struct RecordDeletion: Sendable {
  /// The record.
  package var recordID: RecordID
  /// The version that is deleted, and no other one; nil for any.
  package var recordChangeTag: String?

  package init(_ recordID: RecordID, recordChangeTag: String? = nil) {
    self.recordID = recordID
    self.recordChangeTag = recordChangeTag
  }
}

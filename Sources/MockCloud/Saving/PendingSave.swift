import CloudInterface
import RecordModel
import RecordStore

/// A draft that is being saved.
final class PendingSave {
  /// The draft as the client sent it.
  let draft: DraftRecord
  /// The record that is stored under the draft's name.
  let stored: ResultRecord?
  /// The policy by which the draft is judged.
  let policy: RecordSavePolicy
  /// Whether all fields of the draft are sent, not only those that have changed.
  let sendsAllKeys: Bool
  /// The record as it will be stored, before it gets its change tag and stamps.
  let merged: ResultRecord
  /// The position in the request.
  let position: Int
  /// The records of its zone that the record will be deleted with.
  let owners: Set<RecordID>
  /// The stored record as it lies in the container.
  let row: StoredRecord?

  /// - Parameters:
  ///   - stored: what is stored under the draft's name.
  ///   - view: the database of the user who saves the draft.
  ///   - lastChange: the number of the last change before the request.
  init(
    _ save: RecordSave, over row: StoredRecord?, in view: AccountView, after lastChange: Int64,
    at position: Int
  ) {
    draft = save.draft
    self.row = row
    stored = row.map { view.seen($0.record) }
    // Source: Apple's documentation of `CKShare`.
    let isShare = draft.recordType == Share.recordType
    policy = isShare ? .ifServerRecordUnchanged : save.policy
    sendsAllKeys = save.replacesFields || policy == .allKeys
    self.position = position
    merged = DraftMerge(save, sendsAllKeys: sendsAllKeys).result(over: stored)
      .completed(over: stored, in: view, after: lastChange)
    owners = Set(merged.owners)
  }

  var recordID: RecordID { draft.recordID }

  /// The fields that the client sends.
  var sentFields: [Field] {
    draft.fields.filter { draft.sends($0, all: sendsAllKeys) }
  }
}

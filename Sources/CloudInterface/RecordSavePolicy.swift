/// What a save does if the record on the server has changed
/// (`CKModifyRecordsOperation.RecordSavePolicy`).
///
/// Fields that only the server's record has stay as they are under every policy.
public enum RecordSavePolicy: Sendable, Hashable, CaseIterable {
  /// Saves the changed fields if the record has the change tag that the draft is based on, and
  /// otherwise fails with `serverRecordChanged`.
  case ifServerRecordUnchanged
  /// Saves the changed fields, whatever the change tag.
  case changedKeys
  /// Saves all fields of the draft, whatever the change tag.
  case allKeys
}

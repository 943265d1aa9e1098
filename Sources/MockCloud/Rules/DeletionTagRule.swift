import RecordModel

/// A deletion that names a version deletes no other one.
///
/// Source: Apple's *CloudKit Web Services Reference*, operation types `delete` and `forceDelete`. An
/// app's deletions name no version. Message: that of a save (SyncKit #8).
enum DeletionTagRule {
  static func check(_ deletion: RecordDeletion, _ request: ModifyRequest) throws {
    guard let tag = deletion.recordChangeTag,
      let stored = try request.record(deletion.recordID),
      stored.recordChangeTag?.sameScalars(as: tag) != true
    else { return }
    let conflict = CloudError.Conflict(
      serverRecord: request.rules.sendsServerRecord ? stored : nil)
    throw CloudError(
      .serverRecordChanged, "client oplock error updating record", conflict: conflict)
  }
}

import RecordModel

/// A request names each record once.
///
/// Source: messages of the CloudKit framework, with which it refuses a whole operation.
enum OneItemOnceRule {
  static func check(
    saving drafts: [DraftRecord], deleting recordIDs: [RecordID]
  ) throws(CloudError) {
    var saved = Set<RecordID>(minimumCapacity: drafts.count)
    for draft in drafts where !saved.insert(draft.recordID).inserted {
      throw CloudError(
        .invalidArguments, "You can't save the same record twice: \(draft.recordID)")
    }
    for recordID in recordIDs where saved.contains(recordID) {
      throw CloudError(
        .invalidArguments, "You can't save and delete the same record: \(recordID)")
    }
  }
}

import CloudInterface
import RecordModel

extension SaveRule {
  /// The change tag of the draft is that of the stored record, as far as the save policy asks.
  ///
  /// | stored | tag of the draft | `ifServerRecordUnchanged` | `changedKeys`, `allKeys` |
  /// |---|---|---|---|
  /// | yes | equal | saved | saved |
  /// | yes | different | `serverRecordChanged` | saved |
  /// | yes | none | ``ServerRules/untaggedSave-swift.property`` | saved |
  /// | no | any | `unknownItem` | ``ServerRules/missingRecord-swift.property`` |
  /// | no | none | created | created |
  ///
  /// Sources: sqlite-data's `MockCloudDatabase`, Apple's own mock of the server (CKKS), and Apple's
  /// documentation of `CKModifyRecordsOperation.RecordSavePolicy`. A share is always judged as
  /// `ifServerRecordUnchanged` (`CKShare`). Messages: SyncKit #8 and #111, sqlite-data #411.
  static let changeTag = SaveRule { save, request in
    let isJudged = save.policy == .ifServerRecordUnchanged
    guard let stored = save.stored else {
      guard save.draft.recordChangeTag != nil else { return }
      guard !isJudged, request.rules.missingRecord == .created else {
        throw CloudError.unknownItem(save.recordID, in: request.scope)
      }
      return
    }
    guard isJudged else { return }
    var conflict: CloudError.Conflict {
      save.conflict(with: request.transaction.shown(stored), request.rules)
    }
    guard let tag = save.draft.recordChangeTag else {
      let isChange = request.rules.untaggedSave == .serverRecordChanged
      throw CloudError(
        isChange ? .serverRecordChanged : .serverRejectedRequest,
        "record to insert already exists", conflict: conflict)
    }
    guard stored.recordChangeTag?.sameScalars(as: tag) == true else {
      throw CloudError(
        .serverRecordChanged, "client oplock error updating record",
        conflict: conflict)
    }
  }
}

extension PendingSave {
  fileprivate func conflict(
    with stored: ResultRecord, _ rules: ServerRules
  ) -> CloudError.Conflict {
    CloudError.Conflict(
      serverRecord: rules.sendsServerRecord ? stored : nil, clientRecord: draft,
      ancestorRecord: rules.sendsAncestorRecord ? draft.base : nil)
  }
}

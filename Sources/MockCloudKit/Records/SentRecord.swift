import RecordModel

/// A record that a request saves, as it was when it was sent.
///
/// CloudKit updates the object that the app passed, and returns this object. The fields stay those of
/// the object. Sources: Apple's documentation of `CKRecord.modificationDate`; `CKShare.h` on `URL`; the
/// method `updateWithSavedRecordXPCMetadata` of `CKRecord`, in lists of the framework's methods.
struct SentRecord: @unchecked Sendable {
  let record: CKRecord
  private let sent: RecordState
  private let sentShare: SentShare?

  init(_ record: CKRecord) {
    self.record = record
    sent = record.state.current
    sentShare = (record as? CKShare).map { SentShare($0.shareState.current) }
  }

  /// Returns the object with the server's system fields. Changes since the request stay changes.
  func updated(from saved: CKRecord) -> CKRecord {
    let server = saved.state.current
    record.state.with { state in
      state.recordChangeTag = server.recordChangeTag
      state.created = server.created
      state.modified = server.modified
      if state.parent == sent.parent {
        state.parent = server.parent
        state.hasChangedParent = false
      }
      if state.share == sent.share {
        state.share = server.share
        state.hasChangedShare = false
      }
      state.plain.confirm(sent.plain, as: server.plain)
      state.encrypted.confirm(sent.encrypted, as: server.encrypted)
      state.base = server.base
    }
    if let share = record as? CKShare, let saved = saved as? CKShare, let sentShare {
      share.shareState.with { $0.confirm(sentShare, as: saved.shareState.current) }
    }
    return record
  }
}

extension Dictionary<RecordID, SentRecord> {
  /// The records of a request, by identifier; of two with one identifier, the first.
  init(_ records: [CKRecord]) {
    self.init(
      records.map { (RecordID($0.recordID), SentRecord($0)) },
      uniquingKeysWith: { first, _ in first })
  }
}

import RecordModel

/// Merges what a client sends into the stored record.
///
/// A client sends the fields that have changed, under `allKeys` all that it has. All others stay as
/// they are on the server. Source: Apple's `CKModifyRecordsOperation.h`, also for `allKeys`.
struct DraftMerge {
  private let draft: DraftRecord
  private let sendsAllKeys: Bool

  init(_ draft: DraftRecord, sendsAllKeys: Bool) {
    self.draft = draft
    self.sendsAllKeys = sendsAllKeys
  }

  /// Returns the record to store.
  ///
  /// - Parameter stored: the stored record; nil for a new one.
  func result(over stored: ResultRecord?) -> ResultRecord {
    guard let stored else {
      return ResultRecord(systemFields: draft.systemFields, fields: draft.fields)
    }
    var system = stored.systemFields
    let sendsLinks = sendsAllKeys && draft.base != nil
    system.parent = sendsLinks ? draft.parent : draft.link(\.parent, over: stored)
    system.share = sendsLinks ? draft.share : draft.link(\.share, over: stored)
    system.otherMembers = otherMembers(over: stored)
    return ResultRecord(systemFields: system, fields: fields(over: stored))
  }

  private func fields(over stored: ResultRecord) -> [Field] {
    var sent = Set(draft.changedKeys())
    if sendsAllKeys { sent.formUnion(draft.allKeys()) }
    // A removed field is sent, but the draft does not have it.
    return stored.fields.filter { !sent.contains($0.name) }
      + draft.fields.filter { sent.contains($0.name) }
  }

  private func otherMembers(over stored: ResultRecord) -> OtherMembers {
    let base = draft.base?.systemFields.otherMembers ?? []
    var merged = stored.systemFields.otherMembers
    for member in draft.otherMembers where base[member.name] != member.value {
      merged.set(member.name, to: member.value)
    }
    for member in base where draft.otherMembers[member.name] == nil {
      merged.set(member.name, to: nil)
    }
    return merged
  }
}

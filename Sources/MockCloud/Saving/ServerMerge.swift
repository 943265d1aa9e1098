import RecordModel

/// Merges what a client sends into the stored record.
///
/// A client sends the fields that have changed, under `allKeys` all that it has. All others stay as
/// they are on the server. Source: Apple's `CKModifyRecordsOperation.h`, also for `allKeys`.
struct ServerMerge {
  private let save: SaveRequest
  private let sendsAllKeys: Bool
  private var draft: DraftRecord { save.draft }

  init(_ save: SaveRequest, sendsAllKeys: Bool) {
    self.save = save
    self.sendsAllKeys = sendsAllKeys
  }

  /// Returns the record to store.
  ///
  /// - Parameter stored: the stored record; nil for a new one.
  func result(over stored: ResultRecord?) -> ResultRecord {
    guard let stored else {
      return ResultRecord(
        systemFields: draft.systemFields,
        fields: draft.fields.filter { draft.sends($0, all: sendsAllKeys) })
    }
    // Most drafts are based on what is stored. They have all fields of it, unless they removed some.
    if let base = draft.base, base.hasSameBytes(as: stored) == true {
      var system = draft.systemFields
      system.otherMembers = otherMembers(over: stored)
      system.archive = nil
      return ResultRecord(
        storage: ValueStorage(systemFields: system, sorted: draft.fields))
    }
    var system = stored.systemFields
    let sendsLinks = sendsAllKeys && draft.base != nil
    system.parent =
      switch save.sendsParent {
      case true?: draft.parent
      case false?: stored.parent
      case nil: sendsLinks ? draft.parent : draft.parent(over: stored)
      }
    system.share =
      switch save.sendsShare {
      case true?: draft.share
      case false?: stored.share
      case nil: sendsLinks ? draft.share : draft.share(over: stored)
      }
    system.otherMembers = otherMembers(over: stored)
    // A removed field is sent, but the draft does not have it.
    let sent = draft.sentKeys(all: sendsAllKeys)
    let others = save.replacesFields ? [] : stored.fields.filter { !sent.contains($0.name) }
    let fields = draft.fields.filter { sent.contains($0.name) }
    return ResultRecord(systemFields: system, fields: others + fields)
  }

  private func otherMembers(over stored: ResultRecord) -> OtherMembers {
    let base = draft.base?.storage.otherMembers ?? []
    var merged = stored.storage.otherMembers
    for member in draft.otherMembers where base[member.name] != member.value {
      merged.set(member.name, to: member.value)
    }
    for member in base where draft.otherMembers[member.name] == nil {
      merged.set(member.name, to: nil)
    }
    return merged
  }
}

extension DraftRecord {
  /// The names of the fields that a client sends: those that were set or removed, or all. Nothing of
  /// a draft without a change tag was sent before.
  func sentKeys(all: Bool) -> Set<String> {
    let changed = changedKeys()
    return Set(all || recordChangeTag == nil ? allKeys() + changed : changed)
  }

  /// Whether a client sends a field that the draft has.
  func sends(_ field: Field, all: Bool) -> Bool {
    all || recordChangeTag == nil || hasChanged(field.name)
  }
}

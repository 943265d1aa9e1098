import CloudInterface
import RecordModel

/// The server as plain dictionaries: what a request answers and leaves behind, by the rules as they
/// are documented.
struct ServerModel {
  struct Entry: Equatable {
    var fields: [String: String] = [:]
    var parent: String?
    var owner: String?
    var tag: String
  }

  /// A draft, as far as the model knows it.
  struct Draft {
    var name: String
    /// The tag that the draft is based on; nil for a new one.
    var tag: String?
    /// The fields that it has, and those that were set or removed.
    var fields: [String: String] = [:]
    var changed: [String: String?] = [:]
    /// The parent and owner that it is based on, if it knows them.
    var base: Entry?
    var parent: String?
    /// The owner: nil if it was not set.
    var changedOwner: String??
  }

  /// What happens to the records of one zone.
  struct Outcome {
    var errors: [String: CloudError.Code] = [:]
    var after: [String: Entry] = [:]
    var saved: Set<String> = []
    var touched: Set<String> = []
  }

  var zones: [ZoneID: [String: Entry]] = [:]
  /// Whether records of the default zone are deleted with their owners at once.
  var cascadesInDefaultZone = false

  func outcome(
    in zoneID: ZoneID, saving drafts: [Draft], deleting names: [String],
    _ policy: RecordSavePolicy, atomically: Bool
  ) -> Outcome {
    let stored = zones[zoneID] ?? [:]
    let isAtomic = atomically && !zoneID.isDefault
    var outcome = Outcome()
    var merged: [String: Entry] = [:]
    for draft in drafts {
      merged[draft.name] = merge(draft, into: stored[draft.name], policy)
      outcome.errors[draft.name] = tagError(draft, stored[draft.name], policy)
    }
    func counts(_ name: String) -> Bool { isAtomic || outcome.errors[name] == nil }
    var known = -1
    while outcome.errors.count > known {
      known = outcome.errors.count
      for draft in drafts where outcome.errors[draft.name] == nil {
        var targets = [merged[draft.name]?.parent]
        let owner = merged[draft.name]?.owner
        if owner != stored[draft.name]?.owner { targets.append(owner) }
        for case let target? in targets
        where stored[target] == nil && !(merged[target] != nil && counts(target)) {
          outcome.errors[draft.name] = .referenceViolation
        }
      }
    }
    var state = stored
    for (name, entry) in merged where counts(name) { state[name] = entry }
    var gone: Set<String> = []
    known = -1
    while outcome.errors.count > known {
      known = outcome.errors.count
      gone = []
      for name in names where counts(name) { gone.formUnion(removals(name, zoneID, state)) }
      for name in names where outcome.errors[name] == nil {
        let removed = removals(name, zoneID, state)
        let isHeld = state.contains { child, entry in
          !gone.contains(child) && entry.parent.map(removed.contains) == true
        }
        if isHeld { outcome.errors[name] = .referenceViolation }
      }
    }
    if isAtomic && !outcome.errors.isEmpty {
      for name in drafts.map(\.name) + names where outcome.errors[name] == nil {
        outcome.errors[name] = .batchRequestFailed
      }
      outcome.after = stored
      return outcome
    }
    outcome.saved = Set(drafts.map(\.name)).subtracting(outcome.errors.keys)
    outcome.touched = Set(outcome.saved.compactMap { state[$0]?.parent })
      .subtracting(outcome.saved).subtracting(gone)
    outcome.after = state.filter { !gone.contains($0.key) }
    return outcome
  }

  private func tagError(
    _ draft: Draft, _ stored: Entry?, _ policy: RecordSavePolicy
  ) -> CloudError.Code? {
    guard let stored else { return draft.tag == nil ? nil : .unknownItem }
    guard policy == .ifServerRecordUnchanged, draft.tag != stored.tag else { return nil }
    return .serverRecordChanged
  }

  private func merge(_ draft: Draft, into stored: Entry?, _ policy: RecordSavePolicy) -> Entry {
    var entry = stored ?? Entry(tag: "")
    if policy == .allKeys { entry.fields.merge(draft.fields) { $1 } }
    for (key, value) in draft.changed { entry.fields[key] = value }
    if let owner = draft.changedOwner {
      entry.owner = owner
    } else if policy == .allKeys, let owner = draft.base?.owner {
      entry.owner = owner
    }
    let isFresh = draft.tag == nil
    if stored == nil {
      entry.parent = draft.parent
    } else if let base = draft.base {
      if policy == .allKeys || draft.parent != base.parent { entry.parent = draft.parent }
    } else if !isFresh || draft.parent != nil {
      entry.parent = draft.parent
    }
    return entry
  }

  private func removals(
    _ name: String, _ zoneID: ZoneID, _ state: [String: Entry]
  ) -> Set<String> {
    guard state[name] != nil else { return [] }
    var gone: Set = [name]
    if zoneID.isDefault && !cascadesInDefaultZone { return gone }
    while true {
      let more = state.filter {
        !gone.contains($0.key) && $0.value.owner.map(gone.contains) == true
      }
      if more.isEmpty { return gone }
      gone.formUnion(more.keys)
    }
  }
}

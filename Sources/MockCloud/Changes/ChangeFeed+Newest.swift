import CloudInterface
import RecordModel
import RecordStore

/// A page of the changes of a zone, the newest first, each record once.
package struct NewestChanges: Sendable {
  package enum Change: Sendable {
    case saved(ResultRecord)
    case deleted(RecordZoneChange.Deletion)
  }

  package fileprivate(set) var changes: [Change] = []
  /// Where the next page begins.
  package fileprivate(set) var changeToken: ServerChangeToken
  package fileprivate(set) var moreComing = false
}

extension ChangeFeed {
  /// Returns a page of the changes of a zone, the newest first.
  ///
  /// What changes after the first page is not part of the fetch: the last page has the token of the
  /// first one's time, in the usual order.
  package func newest(
    of zoneID: ZoneID, since serverToken: ServerChangeToken?, limit: Int?
  ) throws -> NewestChanges {
    let limit = try ResultsLimitRule.limit(limit, rules)
    try ChangeFeedRule.check(zoneID, in: database.scope)
    return try store.changes { base in
      let page = try serverToken.flatMap { try NewestToken($0) }
      var found: [(change: StoredChange, position: ChangePosition)] = []
      var count = 0
      let first = page == nil ? serverToken : page?.since
      let all = try forEachChange(of: zoneID, in: base, since: first, limit: .max) {
        change, position in
        if let page, !position.precedes(page.before) { return }
        count += 1
        found.append((change, position))
        // The newest are kept, and twice as many as these at most.
        if found.count >= 2 * limit { found.removeFirst(found.count - limit) }
      }
      // Checks that the token is one of this container.
      if let page { _ = try ChangeToken(page.end, of: .zone(zoneID, database)) }
      let rest = found.suffix(limit)
      var result = NewestChanges(changeToken: page?.end ?? all.changeToken)
      result.changes = rest.reversed().map { NewestChanges.Change($0.change) }
      result.moreComing = count > limit
      if result.moreComing, let oldest = rest.first?.position {
        result.changeToken =
          NewestToken(since: first, before: oldest, end: result.changeToken).serverToken
      }
      return result
    }
  }
}

extension NewestChanges.Change {
  fileprivate init(_ change: StoredChange) {
    switch change {
    case .saved(let record): self = .saved(record)
    case .deleted(let tombstone):
      self = .deleted(.init(recordID: tombstone.recordID, recordType: tombstone.recordType ?? ""))
    }
  }
}

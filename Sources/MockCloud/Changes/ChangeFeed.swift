import CloudInterface
import RecordModel
import RecordStore

/// The changes of a database in a store, as the server tells them.
package struct ChangeFeed {
  private let store: ContainerStore
  private let scope: DatabaseScope
  private let rules: ServerRules

  package init(_ store: ContainerStore, of scope: DatabaseScope, rules: ServerRules = .native) {
    self.store = store
    self.scope = scope
    self.rules = rules
  }

  /// Returns a page of the changed and deleted zones; see `CloudDatabase.databaseChanges`.
  package func zones(since serverToken: ServerChangeToken?, limit: Int?) throws -> ZoneChanges {
    try ChangeFeedRule.check(scope)
    let limit = try ResultsLimitRule.limit(limit, rules)
    return try store.snapshot { snapshot in
      let origin = ChangeToken.Origin.database(scope)
      let since = try token(serverToken, of: origin)
      let last = try snapshot.lastChange(in: scope)
      if let since, since.position.change > last { throw ChangeToken.expired }
      var page = ZoneChanges()
      let end = try page.add(
        of: snapshot, in: scope, after: since?.position.change ?? 0, start: since?.start ?? last,
        limit: limit)
      let position = ChangePosition(change: page.moreComing ? end : last)
      page.changeToken =
        ChangeToken(origin, position: position, start: since?.start ?? last).serverToken
      return page
    }
  }

  /// Returns a page of the changed and deleted records of a zone; see
  /// `CloudDatabase.recordZoneChanges`.
  package func records(
    of zoneID: ZoneID, since token: ServerChangeToken?, desiredKeys: [String]? = nil, limit: Int?
  ) throws -> RecordChanges {
    let limit = try ResultsLimitRule.limit(limit, rules)
    let desired = desiredKeys.map(Set.init)
    try store.makeChangeIndexes()
    var page = RecordChanges()
    (page.changeToken, page.moreComing) = try forEachChange(
      of: zoneID, since: token, limit: limit
    ) { page.add($0, desired) }
    return page
  }

  /// Calls `body` with the changed and deleted records of a zone, in the order of their changes.
  ///
  /// - Returns: the token for the next fetch, and whether there is more.
  package func forEachChange(
    of zoneID: ZoneID, since serverToken: ServerChangeToken?, limit: Int,
    _ body: (StoredChange) throws -> Void
  ) throws -> (changeToken: ServerChangeToken, moreComing: Bool) {
    try ChangeFeedRule.check(zoneID, in: scope)
    return try store.snapshot { snapshot in
      guard let zone = try snapshot.history(of: zoneID, in: scope) else {
        throw try snapshot.missingZone(zoneID, in: scope)
      }
      let last = try snapshot.lastChange(in: scope)
      let origin = ChangeToken.Origin.zone(zoneID, scope)
      let since = try token(serverToken, of: origin)
      if let since, since.position.change < zone.firstChange || since.position.change > last {
        throw ChangeToken.expired
      }
      let start = since?.start ?? last
      var end = since?.position ?? ChangePosition()
      var (count, moreComing) = (0, false)
      try snapshot.forEachChange(of: zone, in: scope, after: end) { change, position in
        if !rules.firstFetchHasDeletions, case .deleted = change, position.change <= start {
          return true
        }
        moreComing = count == limit
        if moreComing { return false }
        try body(change)
        (count, end) = (count + 1, position)
        return true
      }
      let position = moreComing ? end : ChangePosition(change: last)
      return (ChangeToken(origin, position: position, start: start).serverToken, moreComing)
    }
  }

  private func token(
    _ token: ServerChangeToken?, of origin: ChangeToken.Origin
  ) throws(CloudError) -> ChangeToken? {
    guard let token else { return nil }
    return try ChangeToken(token, of: origin)
  }
}

/// The records of one answer to a fetch of changes, each once.
package struct RecordChanges: Sendable {
  /// The records that are new or have changed, in the order of their changes.
  package fileprivate(set) var records: [ResultRecord] = []
  /// The records that were deleted, in the order of their deletion.
  package fileprivate(set) var deletions: [RecordZoneChange.Deletion] = []
  /// Where the next page begins.
  package fileprivate(set) var changeToken = ServerChangeToken(data: .init())
  package fileprivate(set) var moreComing = false

  fileprivate mutating func add(_ change: StoredChange, _ desiredKeys: Set<String>?) {
    switch change {
    case .saved(let record): records.append(record.keeping(desiredKeys))
    case .deleted(let tombstone):
      deletions.append(
        .init(recordID: tombstone.recordID, recordType: tombstone.recordType ?? ""))
    }
  }
}

/// The zones of one answer to a fetch of changes, each once.
package struct ZoneChanges: Sendable {
  /// The zones that are new, or whose records have changed, in the order of their last changes.
  package fileprivate(set) var modifications: [DatabaseChange.Modification] = []
  /// The zones that were deleted, in the order of their deletion.
  package fileprivate(set) var deletions: [DatabaseChange.Deletion] = []
  /// Where the next page begins.
  package fileprivate(set) var changeToken = ServerChangeToken(data: .init())
  package fileprivate(set) var moreComing = false

  private enum Item {
    case modification(ZoneID)
    case deletion(ZoneTombstone)
  }

  /// Adds the zones that have changed after a number.
  ///
  /// - Parameter start: the last change when the first fetch began. Zones that were deleted before
  ///   are not part of any fetch.
  /// - Returns: the number of the last change that was added.
  fileprivate mutating func add(
    of snapshot: ContainerSnapshot, in scope: DatabaseScope, after change: Int64, start: Int64,
    limit: Int
  ) throws -> Int64 {
    var items = try snapshot.histories(in: scope, after: change)
      .filter { !$0.zoneID.isDefault }.map { ($0.lastChange, Item.modification($0.zoneID)) }
    items += try snapshot.deletedZones(in: scope, after: max(change, start))
      .map { ($0.change, .deletion($0.tombstone)) }
    items.sort { $0.0 < $1.0 }
    var last = change
    for (index, (change, item)) in items.enumerated() {
      // Zones with the same number of their last change, which an import can make, come in one page.
      guard index < limit || change == last else {
        moreComing = true
        break
      }
      switch item {
      case .modification(let zoneID): modifications.append(.init(zoneID: zoneID))
      case .deletion(let tombstone): deletions.append(tombstone)
      }
      last = change
    }
    return last
  }
}

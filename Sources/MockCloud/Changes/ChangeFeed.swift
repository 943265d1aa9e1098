import CloudInterface
import RecordModel
import RecordStore

/// The changes of a database in a store, as the server sends them to a user.
package struct ChangeFeed {
  let store: ContainerStore
  let database: DatabaseKey
  let rules: ServerRules

  /// - Parameter account: the record name of another account; nil for the signed-in user.
  package init(
    _ store: ContainerStore, of scope: DatabaseScope, account: String? = nil,
    rules: ServerRules = .native
  ) {
    self.store = store
    database = DatabaseKey(scope: scope, account: account)
    self.rules = rules
  }

  /// Returns a page of the changed and deleted zones; see `CloudDatabase.databaseChanges`.
  package func zones(since serverToken: ServerChangeToken?, limit: Int?) throws -> ZoneChanges {
    try ChangeFeedRule.check(database.scope)
    let limit = try ResultsLimitRule.limit(limit, rules)
    func read<T>(_ body: (ContainerSnapshot) throws -> T) throws -> T {
      try database.scope == .shared ? store.changes(body) : store.snapshot(body)
    }
    return try read { base in
      let snapshot = try AccountSnapshot(base, of: database)
      let origin = ChangeToken.Origin.database(database)
      let changes = try base.changes(of: database.scope)
      let last = changes.last
      let since = try token(serverToken, of: origin, changes)
      var page = ZoneChanges()
      let end = try page.add(
        of: snapshot, after: since?.position ?? ChangePosition(), start: since?.start ?? last,
        last: last, limit: limit)
      let position = page.moreComing ? end : ChangePosition(change: last)
      page.changeToken =
        ChangeToken(
          origin, position: position, start: since?.start ?? last, historyID: changes.historyID
        ).serverToken
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
    try ChangeFeedRule.check(zoneID, in: database.scope)
    var page = RecordChanges()
    (page.changeToken, page.moreComing) = try store.changes { base in
      try forEachChange(of: zoneID, in: base, since: token, limit: limit) { change, _ in
        page.add(change, desired)
      }
    }
    return page
  }

  /// Returns the token after the last change of a zone, or of the database for nil.
  package func currentToken(of zoneID: ZoneID?) throws -> ServerChangeToken {
    try ChangeFeedRule.check(database.scope)
    if let zoneID { try ChangeFeedRule.check(zoneID, in: database.scope) }
    return try store.snapshot { base in
      let snapshot = try AccountSnapshot(base, of: database)
      if let zoneID, try snapshot.location(of: zoneID) == nil {
        throw try snapshot.missingZone(zoneID)
      }
      let changes = try base.changes(of: database.scope)
      let token = ChangeToken(
        zoneID.map { .zone($0, database) } ?? .database(database),
        position: ChangePosition(change: changes.last), start: changes.last,
        historyID: changes.historyID)
      return token.serverToken
    }
  }

  /// Calls `body` with the changed and deleted records of a zone, in the order of their changes.
  ///
  /// - Returns: the token for the next fetch, and whether there is more.
  package func forEachChange(
    of zoneID: ZoneID, since serverToken: ServerChangeToken?, limit: Int,
    _ body: (StoredChange) throws -> Void
  ) throws -> (changeToken: ServerChangeToken, moreComing: Bool) {
    try ChangeFeedRule.check(zoneID, in: database.scope)
    return try store.snapshot {
      try forEachChange(of: zoneID, in: $0, since: serverToken, limit: limit) { change, _ in
        try body(change)
      }
    }
  }

  /// Calls `body` with the changes of a zone and the positions after them.
  func forEachChange(
    of zoneID: ZoneID, in base: ContainerSnapshot, since serverToken: ServerChangeToken?,
    limit: Int, _ body: (StoredChange, ChangePosition) throws -> Void
  ) throws -> (changeToken: ServerChangeToken, moreComing: Bool) {
    let fetch = try Fetch(of: zoneID, in: base, since: serverToken, self)
    var end = fetch.position
    var (count, moreComing) = (0, false)
    try fetch.zone.forEachChange(after: end) { change, position in
      if fetch.leavesOut(change, at: position, rules) { return true }
      if position.change > fetch.last {
        // The number is damaged: no token may have it. Such changes come last, with any page.
        try body(change, position)
        return true
      }
      moreComing = count == limit
      if moreComing { return false }
      try body(change, position)
      (count, end) = (count + 1, position)
      return true
    }
    return (fetch.token(after: moreComing ? end : nil), moreComing)
  }

  /// Returns a page of the changes of a zone, in their order.
  package func oldest(
    of zoneID: ZoneID, since token: ServerChangeToken?, limit: Int?
  ) throws -> ChangePage {
    let limit = try ResultsLimitRule.limit(limit, rules)
    try ChangeFeedRule.check(zoneID, in: database.scope)
    var page = ChangePage()
    (page.changeToken, page.moreComing) = try store.changes { base in
      try forEachChange(of: zoneID, in: base, since: token, limit: limit) { change, position in
        page.add(change, at: position)
      }
    }
    return page
  }

  /// Returns a page of the changes of a zone, the newest first.
  ///
  /// Changes after the first page are not part of the fetch: the last page has the token of the first
  /// page's time, in the usual order.
  package func newest(
    of zoneID: ZoneID, since serverToken: ServerChangeToken?, limit: Int?
  ) throws -> ChangePage {
    let limit = try ResultsLimitRule.limit(limit, rules)
    try ChangeFeedRule.check(zoneID, in: database.scope)
    return try store.changes { base in
      let fetch = try Fetch(of: zoneID, in: base, since: serverToken, mayBeNewest: true, self)
      var page = ChangePage()
      var oldest: ChangePosition?
      try fetch.zone.forEachNewestChange(
        after: fetch.position, before: fetch.since?.newest?.before, pageSize: limit + 1
      ) { change, position in
        if fetch.leavesOut(change, at: position, rules) { return true }
        page.moreComing = page.changes.count == limit
        if page.moreComing { return false }
        page.add(change, at: position)
        oldest = position
        return true
      }
      page.changeToken = fetch.token(before: page.moreComing ? oldest : nil)
      return page
    }
  }

  /// Reads a token.
  ///
  /// - Throws: CloudKit's `changeTokenExpired` for any other data, and for a token from another
  ///   history of the container.
  func token(
    _ token: ServerChangeToken?, of origin: ChangeToken.Origin, _ changes: ChangeCounters,
    mayBeNewest: Bool = false
  ) throws -> ChangeToken? {
    guard let token else { return nil }
    let read = try ChangeToken(token, of: origin)
    guard mayBeNewest || read.newest == nil else { throw ChangeToken.expired }
    guard changes.know(historyID: read.historyID, change: read.position.change) else {
      throw ChangeToken.expired
    }
    // The container knows what was shared with an account from here on, as it was then.
    if database.scope == .shared, read.start < changes.firstShared,
      read.position.change < changes.firstShared
    {
      throw ChangeToken.expired
    }
    return read
  }
}

/// A fetch of the changes of a zone.
private struct Fetch {
  let zone: ZoneFeed
  let since: ChangeToken?
  /// The last change that was fetched before.
  let position: ChangePosition
  /// The number of the last change when the first fetch began.
  private let start: Int64
  let last: Int64
  private let origin: ChangeToken.Origin
  private let historyID: Int64

  init(
    of zoneID: ZoneID, in base: ContainerSnapshot, since serverToken: ServerChangeToken?,
    mayBeNewest: Bool = false, _ feed: ChangeFeed
  ) throws {
    let database = feed.database
    let snapshot = try AccountSnapshot(base, of: database)
    guard let zone = try ZoneFeed(of: zoneID, snapshot) else {
      throw try snapshot.missingZone(zoneID)
    }
    self.zone = zone
    origin = .zone(zoneID, database)
    let changes = try base.changes(of: database.scope)
    last = changes.last
    historyID = changes.historyID
    since = try feed.token(serverToken, of: origin, changes, mayBeNewest: mayBeNewest)
    // A first fetch in pages may still be at changes from before the user saw the zone.
    if let since, since.start < zone.firstChange { throw ChangeToken.expired }
    position = since?.position ?? ChangePosition()
    start = since?.start ?? last
  }

  /// Whether a change is a deletion from before the first fetch, which a rule leaves out.
  func leavesOut(_ change: StoredChange, at position: ChangePosition, _ rules: ServerRules) -> Bool
  {
    guard !rules.firstFetchHasDeletions, case .deleted = change else { return false }
    return position.change <= start
  }

  /// Returns the token after a page.
  ///
  /// - Parameter end: the last change of the page; nil for the last page.
  func token(after end: ChangePosition?) -> ServerChangeToken {
    ChangeToken(
      origin, position: end ?? ChangePosition(change: last), start: start, historyID: historyID
    ).serverToken
  }

  /// Returns the token after a page with the newest changes first.
  ///
  /// - Parameter oldest: the oldest change of the page; nil for the last page.
  func token(before oldest: ChangePosition?) -> ServerChangeToken {
    let end = since?.newest?.end ?? last
    guard let oldest else { return token(after: ChangePosition(change: end)) }
    var token = ChangeToken(origin, position: position, start: start, historyID: historyID)
    token.newest = (oldest, end)
    return token.serverToken
  }
}

/// A page of the changes of a zone, each record once.
package struct ChangePage: Sendable {
  /// The changes; a deletion has the change tag that it got.
  package fileprivate(set) var changes: [StoredChange] = []
  /// The position where the next page begins.
  package fileprivate(set) var changeToken = ServerChangeToken(data: .init())
  package fileprivate(set) var moreComing = false

  fileprivate mutating func add(_ change: StoredChange, at position: ChangePosition) {
    guard case .deleted(var tombstone) = change else { return changes.append(change) }
    tombstone.recordChangeTag =
      tombstone.recordChangeTag ?? ChangeTag.text(of: position.change)
    changes.append(.deleted(tombstone))
  }
}

/// The records of one response to a fetch of changes, each once.
package struct RecordChanges: Sendable {
  /// The records that are new or have changed, in the order of their changes.
  package fileprivate(set) var records: [ResultRecord] = []
  /// The errors of changes that cannot be read, because a record is damaged.
  package fileprivate(set) var failures: [(recordID: RecordID, error: CloudError)] = []
  /// The records that were deleted, in the order of their deletion.
  package fileprivate(set) var deletions: [RecordZoneChange.Deletion] = []
  /// The position where the next page begins.
  package fileprivate(set) var changeToken = ServerChangeToken(data: .init())
  package fileprivate(set) var moreComing = false

  fileprivate mutating func add(_ change: StoredChange, _ desiredKeys: Set<String>?) {
    switch change {
    case .saved(let record): records.append(record.keeping(desiredKeys))
    case .deleted(let tombstone):
      deletions.append(
        .init(recordID: tombstone.recordID, recordType: tombstone.recordType ?? ""))
    case .unreadable(let recordID, let error): failures.append((recordID, error.cloudError))
    }
  }
}

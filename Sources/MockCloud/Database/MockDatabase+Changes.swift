import CloudInterface
import RecordModel
import RecordStore

extension MockDatabase {
  /// Fetches the zones that have changed; see `CloudDatabase`.
  public func databaseChanges(
    since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  ) {
    let (scope, rules) = (databaseScope, container.rules)
    return try await reading { snapshot in
      try ChangeFeedRule.check(scope)
      let limit = try ResultsLimitRule.limit(resultsLimit, rules)
      let origin = ChangeToken.Origin.database(scope)
      let since = try serverChangeToken.map { token throws(CloudError) in
        try ChangeToken(token, of: origin)
      }
      let last = try snapshot.lastChange(in: scope)
      if let since, since.position.change > last { throw ChangeToken.expired }
      let page = try ZonePage(
        of: snapshot, in: scope, after: since?.position ?? ChangePosition(),
        start: since?.start ?? last, limit: limit)
      let position = page.moreComing ? page.position : ChangePosition(change: last)
      let token = ChangeToken(origin, position: position, start: since?.start ?? last)
      return (page.modifications, page.deletions, token.serverToken, page.moreComing)
    }
  }

  /// Fetches the records of a zone that have changed; see `CloudDatabase`.
  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]?, resultsLimit: Int?
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  ) {
    let (container, scope, rules) = (container, databaseScope, container.rules)
    let desired = desiredKeys.map(Set.init)
    return try await container.perform {
      try AccountRule.check(container.status, for: scope, writes: false)
      try ChangeFeedRule.check(zoneID, in: scope)
      let limit = try ResultsLimitRule.limit(resultsLimit, rules)
      try container.store.makeChangeIndexes()
      return try container.store.snapshot { snapshot in
        guard let zone = try snapshot.history(of: zoneID, in: scope) else {
          throw try snapshot.missingZone(zoneID, in: scope)
        }
        let last = try snapshot.lastChange(in: scope)
        let origin = ChangeToken.Origin.zone(zoneID, scope)
        let since = try serverChangeToken.map { token throws(CloudError) in
          try ChangeToken(token, of: origin)
        }
        if let since, since.position.change < zone.firstChange || since.position.change > last {
          throw ChangeToken.expired
        }
        let start = since?.start ?? last
        var page = RecordPage(limit: limit)
        try snapshot.forEachChange(
          of: zone, in: scope, after: since?.position ?? ChangePosition()
        ) { change, position in
          if !rules.firstFetchHasDeletions, case .deleted = change, position.change <= start {
            return true
          }
          return page.add(change, position, desired)
        }
        let position = page.moreComing ? page.position : ChangePosition(change: last)
        let token = ChangeToken(origin, position: position, start: start)
        return (page.modifications, page.deletions, token.serverToken, page.moreComing)
      }
    }
  }
}

/// The records of one answer to a fetch of changes.
private struct RecordPage {
  let limit: Int
  private(set) var modifications: [RecordID: Result<RecordZoneChange.Modification, any Error>] = [:]
  private(set) var deletions: [RecordZoneChange.Deletion] = []
  /// Where the next page begins.
  private(set) var position = ChangePosition()
  private(set) var moreComing = false

  init(limit: Int) { self.limit = limit }

  /// Adds a change. Returns false if the page is full, without adding it.
  mutating func add(
    _ change: RecordChange, _ position: ChangePosition, _ desiredKeys: Set<String>?
  ) -> Bool {
    guard modifications.count + deletions.count < limit else {
      moreComing = true
      return false
    }
    switch change {
    case .saved(let record):
      modifications[record.recordID] = .success(.init(record: record.keeping(desiredKeys)))
    case .deleted(let tombstone):
      deletions.append(
        .init(recordID: tombstone.recordID, recordType: tombstone.recordType ?? ""))
    }
    self.position = position
    return true
  }
}

/// The zones of one answer to a fetch of changes.
private struct ZonePage {
  private(set) var modifications: [DatabaseChange.Modification] = []
  private(set) var deletions: [DatabaseChange.Deletion] = []
  private(set) var position: ChangePosition
  private(set) var moreComing = false

  private enum Item {
    case modification(ZoneID)
    case deletion(ZoneTombstone)
  }

  /// - Parameter start: The last change when the first fetch began. Zones that were deleted before are
  ///   not part of any fetch.
  init(
    of snapshot: ContainerSnapshot, in scope: DatabaseScope, after position: ChangePosition,
    start: Int64, limit: Int
  ) throws {
    self.position = position
    // Zones with the same number of their last change come in one answer; few have.
    var items = try snapshot.histories(in: scope, after: position.change)
      .filter { !$0.zoneID.isDefault }.map { ($0.lastChange, Item.modification($0.zoneID)) }
    items += try snapshot.deletedZones(in: scope, after: max(position.change, start))
      .map { ($0.change, .deletion($0.tombstone)) }
    items.sort { $0.0 < $1.0 }
    for (index, (change, item)) in items.enumerated() {
      guard index < limit || change == self.position.change else {
        moreComing = true
        break
      }
      switch item {
      case .modification(let zoneID): modifications.append(.init(zoneID: zoneID))
      case .deletion(let tombstone): deletions.append(.init(tombstone))
      }
      self.position.change = change
    }
  }
}

extension DatabaseChange.Deletion {
  fileprivate init(_ tombstone: ZoneTombstone) {
    let reason: Reason =
      switch tombstone.reason {
      case .deleted: .deleted
      case .purged: .purged
      case .encryptedDataReset: .encryptedDataReset
      }
    self.init(zoneID: tombstone.zoneID, reason: reason)
  }
}

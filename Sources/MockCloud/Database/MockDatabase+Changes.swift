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
    let page = try await fetching { try $0.zones(since: serverChangeToken, limit: resultsLimit) }
    return (page.modifications, page.deletions, page.changeToken, page.moreComing)
  }

  /// Fetches the records of a zone that have changed; see `CloudDatabase`.
  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]?, resultsLimit: Int?
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  ) {
    let page = try await fetching {
      try $0.records(
        of: zoneID, since: serverChangeToken, desiredKeys: desiredKeys, limit: resultsLimit)
    }
    var modifications: [RecordID: Result<RecordZoneChange.Modification, any Error>] = [:]
    modifications.reserveCapacity(page.records.count)
    for record in page.records { modifications[record.recordID] = .success(.init(record: record)) }
    return (modifications, page.deletions, page.changeToken, page.moreComing)
  }

  /// Fetches the changes of a zone, the newest first.
  ///
  /// - Parameter serverChangeToken: that of a fetch in the usual order, or of the page before. After
  ///   the last page, it is one for the usual order.
  package func newestChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> NewestChanges {
    try await fetching {
      try $0.newest(of: zoneID, since: serverChangeToken, limit: resultsLimit)
    }
  }

  /// Returns the token of a zone, or of the database, after which nothing has changed yet.
  ///
  /// - Parameter zoneID: the zone; nil for the database.
  package func currentChangeToken(ofZone zoneID: ZoneID?) async throws -> ServerChangeToken {
    try await fetching { try $0.currentToken(of: zoneID) }
  }

  private func fetching<T: Sendable>(
    _ body: @escaping @Sendable (ChangeFeed) throws -> T
  ) async throws -> T {
    try await answering { container, database in
      try body(
        ChangeFeed(
          container.store, of: database.scope, account: database.account, rules: container.rules))
    }
  }
}

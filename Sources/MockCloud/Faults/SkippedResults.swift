import CloudInterface
import RecordModel

/// A request that starts after a page of which some results were left out.
struct SkippedResults {
  /// The request with the server's own token or cursor.
  let request: CloudRequest
  private let items: SkippedItems
  private let desiredKeys: [String]?

  /// Nil for a request with a token or cursor of the server, or none.
  init?(of request: CloudRequest) {
    switch request {
    case .continueQuery(let cursor, let keys, let limit):
      guard let items = SkippedItems(token: cursor.data) else { return nil }
      self.items = items
      desiredKeys = keys
      self.request =
        items.token.map {
          .continueQuery(QueryCursor(data: $0), desiredKeys: keys, resultsLimit: limit)
        } ?? request
    case .databaseChanges(let token?, let limit):
      guard let items = SkippedItems(token: token.data) else { return nil }
      self.items = items
      desiredKeys = nil
      self.request = .databaseChanges(
        since: items.token.map { ServerChangeToken(data: $0) }, resultsLimit: limit)
    case .recordZoneChanges(let zoneID, let token?, let keys, let limit):
      guard let items = SkippedItems(token: token.data) else { return nil }
      self.items = items
      desiredKeys = keys
      self.request = .recordZoneChanges(
        zoneID: zoneID, since: items.token.map { ServerChangeToken(data: $0) }, desiredKeys: keys,
        resultsLimit: limit)
    default: return nil
    }
  }

  /// Whether the server has no more results of the query.
  var isLastPage: Bool {
    if case .continueQuery = request { items.token == nil } else { false }
  }

  /// Adds what was left out to the response: records as they are now.
  func adding(
    to response: CloudResponse, of call: CloudCall, from base: some CloudContainer
  ) async throws -> CloudResponse {
    switch response {
    case .query(let results, let cursor):
      let known = Set(results.map(\.0))
      let records = try await records(besides: known, of: call, from: base)
      let earlier = items.records.compactMap { id in records[id].map { (id, $0) } }
      return .query(matchResults: earlier + results, queryCursor: cursor)
    case .databaseChanges(let zones, let deletions, let token, let moreComing):
      let known = Set(zones.map(\.zoneID) + deletions.map(\.zoneID))
      return .databaseChanges(
        modifications: items.zones.filter { !known.contains($0) }.map { .init(zoneID: $0) } + zones,
        deletions: items.zoneDeletions.filter { !known.contains($0.zoneID) } + deletions,
        changeToken: token, moreComing: moreComing)
    case .recordZoneChanges(let results, let deletions, let token, let moreComing):
      let known = Set(results.keys).union(deletions.map(\.recordID))
      let records = try await records(besides: known, of: call, from: base)
      let modifications = records.mapValues { result in
        result.map { RecordZoneChange.Modification(record: $0) }
      }
      return .recordZoneChanges(
        modificationResultsByID: results.merging(modifications) { now, _ in now },
        deletions: items.deletions.filter { !known.contains($0.recordID) } + deletions,
        changeToken: token, moreComing: moreComing)
    default: return response
    }
  }

  /// Fetches the records that were left out. Those that are gone come with the deletions.
  private func records(
    besides known: Set<RecordID>, of call: CloudCall, from base: some CloudContainer
  ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
    let ids = items.records.filter { !known.contains($0) }
    guard !ids.isEmpty else { return [:] }
    let request = CloudRequest.records(ids: ids, desiredKeys: desiredKeys)
    let response = try await base.send(CloudCall(request, in: call.databaseScope))
    guard case .records(let results) = response else { return [:] }
    return results.filter { _, result in
      if case .failure(CloudError.unknownItem) = result { false } else { true }
    }
  }
}

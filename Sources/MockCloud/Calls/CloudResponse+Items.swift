import CloudInterface
import RecordCoding
import RecordModel

extension CloudResponse {
  /// What the response has results of: by name, or in the order of a query.
  public var items: [CloudItem] {
    switch self {
    case .records(let results): results.keys.sorted().map(CloudItem.record)
    case .modifyRecords(let saved, let deleted):
      (saved.keys.sorted() + deleted.keys.sorted()).map(CloudItem.record)
    case .query(let results, _): results.map { .record($0.0) }
    case .databaseChanges(let zones, let deletions, _, _):
      (zones.map(\.zoneID) + deletions.map(\.zoneID)).map(CloudItem.zone)
    case .recordZoneChanges(let results, let deletions, _, _):
      (results.keys.sorted() + deletions.map(\.recordID)).map(CloudItem.record)
    case .recordZones(let results): results.keys.sorted().map(CloudItem.zone)
    case .modifyRecordZones(let saved, let deleted):
      (saved.keys.sorted() + deleted.keys.sorted()).map(CloudItem.zone)
    case .subscriptions(let results): results.keys.sorted().map(CloudItem.subscription)
    case .modifySubscriptions(let saved, let deleted):
      (saved.keys.sorted() + deleted.keys.sorted()).map(CloudItem.subscription)
    case .allRecordZones(let zones): zones.map { .zone($0.zoneID) }
    case .allSubscriptions(let all): all.map { .subscription($0.subscriptionID) }
    case .shareParticipants(let results):
      results.keys.sortedByJSON(\.self).map(CloudItem.user)
    case .shareMetadatas(let results): results.keys.sortedByJSON(\.self).map(CloudItem.link)
    case .accept(let results): results.keys.map(\.share.recordID).sorted().map(CloudItem.record)
    case .accountStatus, .userRecordID: []
    }
  }

  /// The items of a response to a fetch that have a result each, and so may have an error.
  var itemsWithResults: [CloudItem] {
    switch self {
    case .recordZoneChanges(let results, _, _, _): results.keys.sorted().map(CloudItem.record)
    case .databaseChanges, .allRecordZones, .allSubscriptions: []
    default: items
    }
  }

  /// Returns the response to a fetch with an error instead of the results of some items. Responses
  /// without results of single items stay as they are.
  func failing(_ items: Set<CloudItem>, with error: CloudError) -> CloudResponse {
    func results<Key, Item>(
      _ results: [Key: Result<Item, any Error>], _ item: (Key) -> CloudItem
    ) -> [Key: Result<Item, any Error>] {
      var results = results
      for key in results.keys where items.contains(item(key)) { results[key] = .failure(error) }
      return results
    }
    switch self {
    case .records(let records): return .records(results(records, CloudItem.record))
    case .query(let records, let cursor):
      return .query(
        matchResults: records.map { items.contains(.record($0.0)) ? ($0.0, .failure(error)) : $0 },
        queryCursor: cursor)
    case .recordZoneChanges(let records, let deletions, let token, let moreComing):
      return .recordZoneChanges(
        modificationResultsByID: results(records, CloudItem.record), deletions: deletions,
        changeToken: token, moreComing: moreComing)
    case .recordZones(let zones): return .recordZones(results(zones, CloudItem.zone))
    case .subscriptions(let all): return .subscriptions(results(all, CloudItem.subscription))
    case .shareParticipants(let users): return .shareParticipants(results(users, CloudItem.user))
    case .shareMetadatas(let links): return .shareMetadatas(results(links, CloudItem.link))
    case .modifyRecords, .databaseChanges, .allRecordZones, .modifyRecordZones, .allSubscriptions,
      .modifySubscriptions, .accept, .accountStatus, .userRecordID:
      return self
    }
  }
}

extension CloudRequest {
  /// The response to a request that changes something, of which nothing is left to send.
  var emptyResponse: CloudResponse? {
    switch self {
    case .modifyRecords: .modifyRecords(saveResults: [:], deleteResults: [:])
    case .modifyRecordZones: .modifyRecordZones(saveResults: [:], deleteResults: [:])
    case .modifySubscriptions: .modifySubscriptions(saveResults: [:], deleteResults: [:])
    case .accept: .accept([:])
    default: nil
    }
  }

  /// Returns the response to this request, from that to a part of it and the errors of the rest.
  func completing(_ response: CloudResponse, with errors: [CloudItem: CloudError]) -> CloudResponse
  {
    func results<Key: Hashable, Item>(
      _ results: [Key: Result<Item, any Error>], _ keys: [Key], _ item: (Key) -> CloudItem
    ) -> [Key: Result<Item, any Error>] {
      var results = results
      for key in keys { if let error = errors[item(key)] { results[key] = .failure(error) } }
      return results
    }
    switch (self, response) {
    case (.modifyRecords(let drafts, let ids, _, _), .modifyRecords(let saved, let deleted)):
      return .modifyRecords(
        saveResults: results(saved, drafts.map(\.recordID), CloudItem.record),
        deleteResults: results(deleted, ids, CloudItem.record))
    case (.modifyRecordZones(let zones, let ids), .modifyRecordZones(let saved, let deleted)):
      return .modifyRecordZones(
        saveResults: results(saved, zones.map(\.zoneID), CloudItem.zone),
        deleteResults: results(deleted, ids, CloudItem.zone))
    case (.modifySubscriptions(let all, let ids), .modifySubscriptions(let saved, let deleted)):
      return .modifySubscriptions(
        saveResults: results(saved, all.map(\.subscriptionID), CloudItem.subscription),
        deleteResults: results(deleted, ids, CloudItem.subscription))
    case (.accept(let metadatas), .accept(let accepted)):
      return .accept(results(accepted, metadatas, \.item))
    default: return response
    }
  }
}

import CloudInterface
import RecordModel

import struct Foundation.URL

/// A database of a container that handles all calls in one function; see
/// ``CallHandlingContainer/handle(_:)``.
public struct CallHandlingDatabase<Container: CallHandlingContainer>: CloudDatabase {
  /// The container of the database.
  public let container: Container
  /// The scope of the database.
  public let databaseScope: DatabaseScope

  /// Makes a call, and takes what it returns out of the response.
  private func answer<Answer>(
    _ request: CloudRequest, _ take: (CloudResponse) -> Answer?
  ) async throws -> Answer {
    try await container.answer(CloudCall(request, in: databaseScope), take)
  }

  /// Returns a file with the content of an asset of a fetched record; see `CloudDatabase`.
  public func fileURL(for asset: Asset) async throws -> URL {
    try await container.fileURL(for: asset, in: databaseScope)
  }

  // MARK: Records

  /// Fetches records; see `CloudDatabase`.
  public func records(
    for ids: [RecordID], desiredKeys: [String]?
  ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
    try await answer(.records(ids: ids, desiredKeys: desiredKeys)) {
      if case .records(let results) = $0 { results } else { nil }
    }
  }

  /// Saves and deletes records; see `CloudDatabase`.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID],
    savePolicy: RecordSavePolicy, atomically: Bool
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    let request = CloudRequest.modifyRecords(
      saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: savePolicy,
      atomically: atomically)
    return try await answer(request) {
      if case .modifyRecords(let saved, let deleted) = $0 { (saved, deleted) } else { nil }
    }
  }

  // MARK: Queries

  /// Finds the first records that match a query; see `CloudDatabase`.
  public func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID?, desiredKeys: [String]?,
    resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    let request = CloudRequest.query(
      query, zoneID: zoneID, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
    return try await answer(request) {
      if case .query(let results, let cursor) = $0 { (results, cursor) } else { nil }
    }
  }

  /// Finds the next records of a query; see `CloudDatabase`.
  public func records(
    continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]?, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    let request = CloudRequest.continueQuery(
      queryCursor, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
    return try await answer(request) {
      if case .query(let results, let cursor) = $0 { (results, cursor) } else { nil }
    }
  }

  // MARK: Changes

  /// Fetches the zones that have changed; see `CloudDatabase`.
  public func databaseChanges(
    since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  ) {
    let request = CloudRequest.databaseChanges(
      since: serverChangeToken, resultsLimit: resultsLimit)
    return try await answer(request) {
      guard case .databaseChanges(let zones, let deletions, let token, let more) = $0 else {
        return nil
      }
      return (zones, deletions, token, more)
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
    let request = CloudRequest.recordZoneChanges(
      zoneID: zoneID, since: serverChangeToken, desiredKeys: desiredKeys,
      resultsLimit: resultsLimit)
    return try await answer(request) {
      guard case .recordZoneChanges(let results, let deletions, let token, let more) = $0 else {
        return nil
      }
      return (results, deletions, token, more)
    }
  }

  // MARK: Zones

  /// Fetches all zones of the database; see `CloudDatabase`.
  public func allRecordZones() async throws -> [RecordZone] {
    try await answer(.allRecordZones) {
      if case .allRecordZones(let zones) = $0 { zones } else { nil }
    }
  }

  /// Fetches zones; see `CloudDatabase`.
  public func recordZones(
    for ids: [ZoneID]
  ) async throws -> [ZoneID: Result<RecordZone, any Error>] {
    try await answer(.recordZones(ids: ids)) {
      if case .recordZones(let results) = $0 { results } else { nil }
    }
  }

  /// Saves and deletes zones; see `CloudDatabase`.
  @discardableResult
  public func modifyRecordZones(
    saving recordZonesToSave: [RecordZone], deleting recordZoneIDsToDelete: [ZoneID]
  ) async throws -> (
    saveResults: [ZoneID: Result<RecordZone, any Error>],
    deleteResults: [ZoneID: Result<Void, any Error>]
  ) {
    let request = CloudRequest.modifyRecordZones(
      saving: recordZonesToSave, deleting: recordZoneIDsToDelete)
    return try await answer(request) {
      if case .modifyRecordZones(let saved, let deleted) = $0 { (saved, deleted) } else { nil }
    }
  }

  // MARK: Subscriptions

  /// Fetches all subscriptions to the database; see `CloudDatabase`.
  public func allSubscriptions() async throws -> [CloudSubscription] {
    try await answer(.allSubscriptions) {
      if case .allSubscriptions(let subscriptions) = $0 { subscriptions } else { nil }
    }
  }

  /// Fetches subscriptions; see `CloudDatabase`.
  public func subscriptions(
    for ids: [String]
  ) async throws -> [String: Result<CloudSubscription, any Error>] {
    try await answer(.subscriptions(ids: ids)) {
      if case .subscriptions(let results) = $0 { results } else { nil }
    }
  }

  /// Saves and deletes subscriptions; see `CloudDatabase`.
  @discardableResult
  public func modifySubscriptions(
    saving subscriptionsToSave: [CloudSubscription], deleting subscriptionIDsToDelete: [String]
  ) async throws -> (
    saveResults: [String: Result<CloudSubscription, any Error>],
    deleteResults: [String: Result<Void, any Error>]
  ) {
    let request = CloudRequest.modifySubscriptions(
      saving: subscriptionsToSave, deleting: subscriptionIDsToDelete)
    return try await answer(request) {
      if case .modifySubscriptions(let saved, let deleted) = $0 { (saved, deleted) } else { nil }
    }
  }
}

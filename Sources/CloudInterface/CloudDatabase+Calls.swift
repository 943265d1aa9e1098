import RecordModel

import struct Foundation.URL

extension CloudDatabase {
  /// Fetches a record.
  ///
  /// - Throws: `CloudError`: `zoneNotFound` or `unknownItem`.
  public func record(for recordID: RecordID) async throws -> ResultRecord {
    try await records(for: [recordID], desiredKeys: nil).result(for: recordID)
  }

  /// Fetches records with all their fields.
  public func records(
    for ids: [RecordID]
  ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
    try await records(for: ids, desiredKeys: nil)
  }

  /// Saves a record if it has not changed on the server.
  ///
  /// - Returns: the record as the server saved it.
  /// - Throws: `CloudError`, such as `serverRecordChanged` with the records in conflict.
  @discardableResult
  public func save(_ record: DraftRecord) async throws -> ResultRecord {
    try await modifyRecords(saving: [record], deleting: []).saveResults.result(for: record.recordID)
  }

  /// Deletes a record. One that does not exist is no error.
  ///
  /// - Throws: `CloudError`, such as `zoneNotFound`, or `referenceViolation` for a record with
  ///   children.
  @discardableResult
  public func deleteRecord(withID recordID: RecordID) async throws -> RecordID {
    try await modifyRecords(saving: [], deleting: [recordID]).deleteResults.result(for: recordID)
    return recordID
  }

  /// Saves records that have not changed on the server, and deletes records, atomically in each
  /// zone that can do that.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID]
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    try await modifyRecords(
      saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: .ifServerRecordUnchanged,
      atomically: true)
  }

  /// Saves and deletes records, atomically in each zone that can do that.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID],
    savePolicy: RecordSavePolicy
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    try await modifyRecords(
      saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: savePolicy, atomically: true)
  }

  /// Saves records that have not changed on the server, and deletes records.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID], atomically: Bool
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    try await modifyRecords(
      saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: .ifServerRecordUnchanged,
      atomically: atomically)
  }

  /// Returns the file of the asset's content.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if it has none.
  public func fileURL(for asset: Asset) async throws -> URL { try asset.contentFile }

  /// Finds the first records that match a query, in one zone or in all.
  public func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID? = nil, desiredKeys: [String]? = nil
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await records(
      matching: query, inZoneWith: zoneID, desiredKeys: desiredKeys, resultsLimit: 0)
  }

  /// Finds the next records of a query.
  public func records(
    continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]? = nil
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await records(continuingMatchFrom: queryCursor, desiredKeys: desiredKeys, resultsLimit: 0)
  }

  /// Finds the first records that match a query, with all their fields.
  public func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID? = nil, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await records(
      matching: query, inZoneWith: zoneID, desiredKeys: nil, resultsLimit: resultsLimit)
  }

  /// Finds the next records of a query, with all their fields.
  public func records(
    continuingMatchFrom queryCursor: QueryCursor, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await records(
      continuingMatchFrom: queryCursor, desiredKeys: nil, resultsLimit: resultsLimit)
  }

  /// Fetches the zones that have changed.
  public func databaseChanges(
    since serverChangeToken: ServerChangeToken?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  ) {
    try await databaseChanges(since: serverChangeToken, resultsLimit: nil)
  }

  /// Fetches the records of a zone that have changed.
  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]? = nil
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  ) {
    try await recordZoneChanges(
      inZoneWith: zoneID, since: serverChangeToken, desiredKeys: desiredKeys, resultsLimit: nil)
  }

  /// Fetches a zone.
  ///
  /// - Throws: `CloudError`: `zoneNotFound`.
  public func recordZone(for zoneID: ZoneID) async throws -> RecordZone {
    try await recordZones(for: [zoneID]).result(for: zoneID)
  }

  /// Saves a zone. One that exists keeps its records.
  @discardableResult
  public func save(_ zone: RecordZone) async throws -> RecordZone {
    try await modifyRecordZones(saving: [zone], deleting: []).saveResults.result(for: zone.zoneID)
  }

  /// Deletes a zone with all its records.
  ///
  /// - Throws: `CloudError`: `zoneNotFound`.
  @discardableResult
  public func deleteRecordZone(withID zoneID: ZoneID) async throws -> ZoneID {
    try await modifyRecordZones(saving: [], deleting: [zoneID]).deleteResults.result(for: zoneID)
    return zoneID
  }

  /// Fetches all subscriptions of the user to the database, all of which can be read.
  public func allSubscriptionResults() async throws
    -> [(subscriptionID: String, result: Result<CloudSubscription, any Error>)]
  {
    try await allSubscriptions().map { ($0.subscriptionID, .success($0)) }
  }

  /// Fetches a subscription.
  ///
  /// - Throws: `CloudError`: `unknownItem`.
  public func subscription(for subscriptionID: String) async throws -> CloudSubscription {
    try await subscriptions(for: [subscriptionID]).result(for: subscriptionID)
  }

  /// Saves a subscription.
  @discardableResult
  public func save(_ subscription: CloudSubscription) async throws -> CloudSubscription {
    try await modifySubscriptions(saving: [subscription], deleting: [])
      .saveResults.result(for: subscription.subscriptionID)
  }

  /// Deletes a subscription.
  @discardableResult
  public func deleteSubscription(withID subscriptionID: String) async throws -> String {
    try await modifySubscriptions(saving: [], deleting: [subscriptionID])
      .deleteResults.result(for: subscriptionID)
    return subscriptionID
  }
}

extension Dictionary {
  /// The success of one item, or its error.
  ///
  /// - Throws: the item's error; `internalError` if there is no result for it. The message does not
  ///   name the item, which may be a person or a link.
  func result<Success>(for item: Key) throws -> Success where Value == Result<Success, any Error> {
    guard let result = self[item] else {
      throw CloudError(.internalError, "the server returned no result for the item")
    }
    return try result.get()
  }
}

extension Asset {
  /// The file of the asset's content.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if it has none.
  package var contentFile: URL {
    get throws {
      guard case .file(let url) = content else {
        throw CloudError(.assetNotAvailable, "the asset came without its file")
      }
      return url
    }
  }
}

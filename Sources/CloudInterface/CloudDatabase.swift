import RecordModel

import struct Foundation.URL

/// A database of a container (`CKDatabase`), as an app sees it.
///
/// Code that takes an `any CloudDatabase` does not know whether it talks to a mock or to a server.
/// The calls have the names and results of `CKDatabase`'s async calls. An error of the whole request
/// is thrown; an error of one item is its result. Errors of CloudKit are `CloudError`.
///
/// ```swift
/// func rename(_ id: RecordID, to title: String, in database: any CloudDatabase) async throws {
///   var draft = DraftRecord(try await database.record(for: id))
///   draft["title"] = title
///   try await database.save(draft)
/// }
/// ```
public protocol CloudDatabase: Sendable {
  /// The scope of the database.
  var databaseScope: DatabaseScope { get }

  // MARK: Records

  /// Fetches records.
  ///
  /// - Parameters:
  ///   - ids: the records to fetch.
  ///   - desiredKeys: the fields to fetch; nil for all.
  /// - Returns: the record, or the error, for each ID: `zoneNotFound` or `unknownItem`.
  func records(
    for ids: [RecordID], desiredKeys: [String]?
  ) async throws -> [RecordID: Result<ResultRecord, any Error>]

  /// Saves and deletes records. Saves come first; their order does not matter.
  ///
  /// - Parameters:
  ///   - recordsToSave: the records to save.
  ///   - recordIDsToDelete: the records to delete. One that does not exist is no error.
  ///   - savePolicy: whether to overwrite a record that has changed on the server.
  ///   - atomically: whether an error of one record fails all others in its zone, with
  ///     `batchRequestFailed`. The default zone cannot do this.
  /// - Returns: the saved record or the error for each record to save, and the result of each
  ///   deletion. Records that the server deletes along with others are not among them.
  func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID],
    savePolicy: RecordSavePolicy, atomically: Bool
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  )

  // MARK: Assets

  /// Returns a file with the content of an asset of a fetched record, as `CKAsset.fileURL`.
  ///
  /// By default, that is the file of the asset's `content`.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if there is none.
  func fileURL(for asset: Asset) async throws -> URL

  // MARK: Queries

  /// Finds the first records that match a query.
  ///
  /// - Parameters:
  ///   - query: the type of the records, the comparisons, and the order of the results.
  ///   - zoneID: the zone to search; nil for all zones of the database.
  ///   - desiredKeys: the fields to fetch; nil for all.
  ///   - resultsLimit: the maximum number of results; 0 for as many as the server sends at once.
  /// - Returns: the records, or the error of each, in order, and where the next ones begin; no
  ///   cursor if there are no more.
  func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID?, desiredKeys: [String]?,
    resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  )

  /// Finds the next records of a query.
  ///
  /// - Throws: `CloudError`, such as `invalidArguments` for a cursor that has expired.
  func records(
    continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]?, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  )

  // MARK: Changes

  /// Fetches the zones that have changed.
  ///
  /// - Parameters:
  ///   - serverChangeToken: the end of the last fetch; nil for everything that exists.
  ///   - resultsLimit: the maximum number of zones; nil for as many as the server sends at once.
  /// - Returns: each zone once, the token for the next fetch, and whether there is more.
  /// - Throws: `CloudError`: `changeTokenExpired`.
  func databaseChanges(
    since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  )

  /// Fetches the records of a zone that have changed.
  ///
  /// - Parameters:
  ///   - zoneID: the zone; the default zone does not have changes to fetch.
  ///   - serverChangeToken: the end of the last fetch; nil for everything that exists.
  ///   - desiredKeys: the fields to fetch; nil for all.
  ///   - resultsLimit: the maximum number of records; nil for as many as the server sends at once.
  /// - Returns: each record once, as it is now, the token for the next fetch, and whether there is
  ///   more.
  /// - Throws: `CloudError`: `zoneNotFound`, `changeTokenExpired`.
  func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]?, resultsLimit: Int?
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  )

  // MARK: Zones

  /// Fetches all zones of the database.
  func allRecordZones() async throws -> [RecordZone]

  /// Fetches zones.
  ///
  /// - Returns: the zone, or the error, for each ID: `zoneNotFound`.
  func recordZones(for ids: [ZoneID]) async throws -> [ZoneID: Result<RecordZone, any Error>]

  /// Saves and deletes zones. A zone that exists keeps its records; one that is deleted loses them.
  ///
  /// - Returns: the saved zone or the error for each zone to save, and the result of each deletion.
  func modifyRecordZones(
    saving recordZonesToSave: [RecordZone], deleting recordZoneIDsToDelete: [ZoneID]
  ) async throws -> (
    saveResults: [ZoneID: Result<RecordZone, any Error>],
    deleteResults: [ZoneID: Result<Void, any Error>]
  )

  // MARK: Subscriptions

  /// Fetches all subscriptions of the user to the database. One that cannot be read is left out;
  /// ``allSubscriptionResults()`` has its error.
  func allSubscriptions() async throws -> [CloudSubscription]

  /// Fetches all subscriptions of the user to the database, each one or its error if it cannot be read.
  ///
  /// By default, these are the subscriptions of ``allSubscriptions()``.
  func allSubscriptionResults() async throws
    -> [(subscriptionID: String, result: Result<CloudSubscription, any Error>)]

  /// Fetches subscriptions by their identifiers.
  ///
  /// - Returns: the subscription, or the error, for each identifier: `unknownItem`.
  func subscriptions(
    for ids: [String]
  ) async throws -> [String: Result<CloudSubscription, any Error>]

  /// Saves and deletes subscriptions.
  ///
  /// - Returns: the saved subscription or the error for each one to save, and the result of each
  ///   deletion.
  func modifySubscriptions(
    saving subscriptionsToSave: [CloudSubscription], deleting subscriptionIDsToDelete: [String]
  ) async throws -> (
    saveResults: [String: Result<CloudSubscription, any Error>],
    deleteResults: [String: Result<Void, any Error>]
  )
}

/// Decides whether a save overwrites a record that has changed on the server
/// (`CKModifyRecordsOperation.RecordSavePolicy`).
///
/// Fields that only the server's record has stay as they are under every policy.
public enum RecordSavePolicy: Sendable, Hashable, CaseIterable {
  /// Saves the changed fields if the record has the change tag that the draft is based on, and
  /// otherwise fails with `serverRecordChanged`.
  case ifServerRecordUnchanged
  /// Saves the changed fields, whatever the change tag.
  case changedKeys
  /// Saves all fields of the draft, whatever the change tag.
  case allKeys
}

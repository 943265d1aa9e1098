import CloudInterface
import Foundation
import RecordModel

/// A result for a ``ReplayingContainer`` that is written by hand.
///
/// ```swift
/// let container = ReplayingContainer(results: [
///   .records([chat, message]),
///   .modify(saved: [message]),
///   .failure(CloudError(.zoneBusy, retryAfter: 3)),
/// ])
/// ```
public struct ReplayResult: Sendable {
  /// The responses that fit: a list of zones is one to two operations.
  let result: Result<[CloudResponse], any Error>

  private init(_ responses: CloudResponse...) { result = .success(responses) }

  /// An error of the whole call.
  public static func failure(_ error: any Error) -> ReplayResult {
    ReplayResult(failing: error)
  }

  private init(failing error: any Error) { result = .failure(error) }

  /// Any response.
  public static func response(_ response: CloudResponse) -> ReplayResult { ReplayResult(response) }

  // MARK: Records

  /// Fetched records, and the errors of others.
  public static func records(
    _ records: [ResultRecord], errors: [RecordID: any Error] = [:]
  ) -> ReplayResult {
    ReplayResult(.records(results(records, errors)))
  }

  /// Saved and deleted records, and the errors of others.
  public static func modify(
    saved: [ResultRecord] = [], deleted: [RecordID] = [], saveErrors: [RecordID: any Error] = [:],
    deleteErrors: [RecordID: any Error] = [:]
  ) -> ReplayResult {
    ReplayResult(
      .modifyRecords(
        saveResults: results(saved, saveErrors), deleteResults: deletions(deleted, deleteErrors)))
  }

  /// A page of a query.
  public static func query(_ records: [ResultRecord], cursor: QueryCursor? = nil) -> ReplayResult {
    ReplayResult(
      .query(matchResults: records.map { ($0.recordID, .success($0)) }, queryCursor: cursor))
  }

  // MARK: Changes

  /// A page of the changes of a zone.
  public static func recordZoneChanges(
    _ records: [ResultRecord], deleted: [RecordZoneChange.Deletion] = [],
    token: ServerChangeToken = ServerChangeToken(data: Data()), moreComing: Bool = false
  ) -> ReplayResult {
    let modifications = results(records, [:]).mapValues { result in
      result.map { RecordZoneChange.Modification(record: $0) }
    }
    return ReplayResult(
      .recordZoneChanges(
        modificationResultsByID: modifications, deletions: deleted, changeToken: token,
        moreComing: moreComing))
  }

  /// A page of the changes of a database.
  public static func databaseChanges(
    _ zoneIDs: [ZoneID], deleted: [DatabaseChange.Deletion] = [],
    token: ServerChangeToken = ServerChangeToken(data: Data()), moreComing: Bool = false
  ) -> ReplayResult {
    ReplayResult(
      .databaseChanges(
        modifications: zoneIDs.map { .init(zoneID: $0) }, deletions: deleted, changeToken: token,
        moreComing: moreComing))
  }

  // MARK: Zones and subscriptions

  /// Fetched zones: all of the database, or those that are asked for.
  public static func zones(_ zones: [RecordZone]) -> ReplayResult {
    ReplayResult(
      .allRecordZones(zones),
      .recordZones(
        Dictionary(zones.map { ($0.zoneID, .success($0)) }, uniquingKeysWith: { _, last in last })))
  }

  /// Saved and deleted zones.
  public static func modifyZones(
    saved: [RecordZone] = [], deleted: [ZoneID] = []
  ) -> ReplayResult {
    ReplayResult(
      .modifyRecordZones(
        saveResults: Dictionary(
          saved.map { ($0.zoneID, .success($0)) }, uniquingKeysWith: { _, last in last }),
        deleteResults: deletions(deleted, [:])))
  }

  /// Fetched subscriptions: all to the database, or those that are asked for.
  public static func subscriptions(_ subscriptions: [CloudSubscription]) -> ReplayResult {
    ReplayResult(
      .allSubscriptions(subscriptions),
      .subscriptions(
        Dictionary(
          subscriptions.map { ($0.subscriptionID, .success($0)) },
          uniquingKeysWith: { _, last in last })))
  }

  /// Saved and deleted subscriptions.
  public static func modifySubscriptions(
    saved: [CloudSubscription] = [], deleted: [String] = []
  ) -> ReplayResult {
    ReplayResult(
      .modifySubscriptions(
        saveResults: Dictionary(
          saved.map { ($0.subscriptionID, .success($0)) }, uniquingKeysWith: { _, last in last }),
        deleteResults: deletions(deleted, [:])))
  }

  // MARK: The account

  /// The status of the account.
  public static func accountStatus(_ status: AccountStatus) -> ReplayResult {
    ReplayResult(.accountStatus(status))
  }

  /// The identifier of the user's record.
  public static func userRecordID(_ recordID: RecordID) -> ReplayResult {
    ReplayResult(.userRecordID(recordID))
  }

  // MARK: Sharing

  /// Users that were found, and the errors of others.
  public static func shareParticipants(
    _ participants: [UserIdentity.LookupInfo: ShareParticipant],
    errors: [UserIdentity.LookupInfo: any Error] = [:]
  ) -> ReplayResult {
    ReplayResult(.shareParticipants(results(participants, errors)))
  }

  /// What the user may know about the shares behind links, and the errors of other links.
  public static func shareMetadatas(
    _ metadatas: [URL: ShareMetadata], errors: [URL: any Error] = [:]
  ) -> ReplayResult {
    ReplayResult(.shareMetadatas(results(metadatas, errors)))
  }

  /// Accepted shares, and the errors of others.
  public static func accept(
    _ shares: [ShareMetadata: ResultRecord], errors: [ShareMetadata: any Error] = [:]
  ) -> ReplayResult {
    ReplayResult(.accept(results(shares, errors)))
  }

  private static func results(
    _ records: [ResultRecord], _ errors: [RecordID: any Error]
  ) -> [RecordID: Result<ResultRecord, any Error>] {
    results(Dictionary(records.map { ($0.recordID, $0) }) { _, last in last }, errors)
  }

  private static func deletions<Key>(
    _ deleted: [Key], _ errors: [Key: any Error]
  ) -> [Key: Result<Void, any Error>] {
    results(Dictionary(deleted.map { ($0, ()) }) { _, last in last }, errors)
  }

  private static func results<Key, Item>(
    _ items: [Key: Item], _ errors: [Key: any Error]
  ) -> [Key: Result<Item, any Error>] {
    var results = items.mapValues { Result<Item, any Error>.success($0) }
    for (key, error) in errors { results[key] = .failure(error) }
    return results
  }
}

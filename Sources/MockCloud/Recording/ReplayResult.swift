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
  /// The calls that may have the result.
  let operations: Set<CloudOperation>
  let result: Result<CloudResponse, any Error>

  private init(_ operations: Set<CloudOperation>, _ response: CloudResponse) {
    self.operations = operations
    result = .success(response)
  }

  /// An error of the whole call.
  public static func failure(_ error: any Error) -> ReplayResult { ReplayResult(failing: error) }

  private init(failing error: any Error) {
    operations = Set(CloudOperation.allCases)
    result = .failure(error)
  }

  /// Any response to a call.
  public static func response(
    _ response: CloudResponse, to operation: CloudOperation
  ) -> ReplayResult {
    ReplayResult([operation], response)
  }

  // MARK: Records

  /// Fetched records, and the errors of others.
  public static func records(
    _ records: [ResultRecord], errors: [RecordID: any Error] = [:]
  ) -> ReplayResult {
    ReplayResult([.records], CloudResponse(table(records, errors)))
  }

  /// Saved and deleted records, and the errors of others.
  public static func modify(
    saved: [ResultRecord] = [], deleted: [RecordID] = [], saveErrors: [RecordID: any Error] = [:],
    deleteErrors: [RecordID: any Error] = [:]
  ) -> ReplayResult {
    let deletions = deleted.map { CloudResponse.Entry(.record($0)) }
    return ReplayResult(
      [.modifyRecords],
      CloudResponse(
        table(saved, saveErrors),
        deletions: deletions + failures(deleteErrors, CloudItem.record)))
  }

  /// A page of a query.
  public static func query(_ records: [ResultRecord], cursor: QueryCursor? = nil) -> ReplayResult {
    ReplayResult(
      [.query, .continueQuery],
      CloudResponse(table(records), position: cursor?.data, moreComing: cursor != nil))
  }

  // MARK: Changes

  /// A page of the changes of a zone.
  public static func recordZoneChanges(
    _ records: [ResultRecord], deleted: [RecordZoneChange.Deletion] = [],
    token: ServerChangeToken = ServerChangeToken(data: Data()), moreComing: Bool = false
  ) -> ReplayResult {
    ReplayResult(
      [.recordZoneChanges],
      CloudResponse(
        table(records),
        deletions: deleted.map { .init(.record($0.recordID), .recordType($0.recordType)) },
        position: token.data, moreComing: moreComing))
  }

  /// A page of the changes of a database.
  public static func databaseChanges(
    _ zoneIDs: [ZoneID], deleted: [DatabaseChange.Deletion] = [],
    token: ServerChangeToken = ServerChangeToken(data: Data()), moreComing: Bool = false
  ) -> ReplayResult {
    ReplayResult(
      [.databaseChanges],
      CloudResponse(
        zoneIDs.map { .init(.zone($0)) },
        deletions: deleted.map { .init(.zone($0.zoneID), .reason($0.reason)) },
        position: token.data, moreComing: moreComing))
  }

  // MARK: Zones and subscriptions

  /// Fetched zones: all of the database, or those that are asked for.
  public static func zones(_ zones: [RecordZone]) -> ReplayResult {
    ReplayResult([.allRecordZones, .recordZones], CloudResponse(table(zones)))
  }

  /// Saved and deleted zones.
  public static func modifyZones(
    saved: [RecordZone] = [], deleted: [ZoneID] = []
  ) -> ReplayResult {
    ReplayResult(
      [.modifyRecordZones],
      CloudResponse(table(saved), deletions: deleted.map { .init(.zone($0)) }))
  }

  /// Fetched subscriptions: all to the database, or those that are asked for.
  public static func subscriptions(_ subscriptions: [CloudSubscription]) -> ReplayResult {
    ReplayResult([.allSubscriptions, .subscriptions], CloudResponse(table(subscriptions)))
  }

  /// Saved and deleted subscriptions.
  public static func modifySubscriptions(
    saved: [CloudSubscription] = [], deleted: [String] = []
  ) -> ReplayResult {
    ReplayResult(
      [.modifySubscriptions],
      CloudResponse(table(saved), deletions: deleted.map { .init(.subscription($0)) }))
  }

  // MARK: The account

  /// The status of the account.
  public static func accountStatus(_ status: AccountStatus) -> ReplayResult {
    ReplayResult([.accountStatus], CloudResponse(accountStatus: status))
  }

  /// The identifier of the user's record.
  public static func userRecordID(_ recordID: RecordID) -> ReplayResult {
    ReplayResult([.userRecordID], CloudResponse([.init(.record(recordID))]))
  }

  // MARK: Sharing

  /// Users that were found, and the errors of others.
  public static func shareParticipants(
    _ participants: [UserIdentity.LookupInfo: ShareParticipant],
    errors: [UserIdentity.LookupInfo: any Error] = [:]
  ) -> ReplayResult {
    let found = participants.map { CloudResponse.Entry(.user($0), .participant($1)) }
    return ReplayResult(
      [.shareParticipants], CloudResponse(found + failures(errors, CloudItem.user)))
  }

  /// The metadata of the shares behind links, and the errors of other links.
  public static func shareMetadatas(
    _ metadatas: [URL: ShareMetadata], errors: [URL: any Error] = [:]
  ) -> ReplayResult {
    let found = metadatas.map { CloudResponse.Entry(.link($0), .metadata($1)) }
    return ReplayResult(
      [.shareMetadatas], CloudResponse(found + failures(errors, CloudItem.link)))
  }

  /// Accepted shares, and the errors of others.
  public static func accept(
    _ shares: [ShareMetadata: ResultRecord], errors: [ShareMetadata: any Error] = [:]
  ) -> ReplayResult {
    let accepted = shares.map { CloudResponse.Entry(.record($0.share.recordID), .record($1)) }
    return ReplayResult(
      [.accept],
      CloudResponse(accepted + failures(errors) { .record($0.share.recordID) }))
  }

  /// Links whose shares were asked for access, and the errors of others.
  public static func requestShareAccess(
    _ urls: [URL], errors: [URL: any Error] = [:]
  ) -> ReplayResult {
    let asked = urls.map { CloudResponse.Entry(.link($0)) }
    return ReplayResult(
      [.requestShareAccess], CloudResponse(asked + failures(errors, CloudItem.link)))
  }

  // MARK: Tables

  private static func table(
    _ records: [ResultRecord], _ errors: [RecordID: any Error] = [:]
  ) -> [CloudResponse.Entry] {
    records.map { .init(.record($0.recordID), .record($0)) } + failures(errors, CloudItem.record)
  }

  private static func table(_ zones: [RecordZone]) -> [CloudResponse.Entry] {
    zones.map { .init(.zone($0.zoneID), .zone($0)) }
  }

  private static func table(_ subscriptions: [CloudSubscription]) -> [CloudResponse.Entry] {
    subscriptions.map { .init(.subscription($0.subscriptionID), .subscription($0)) }
  }

  private static func failures<Key>(
    _ errors: [Key: any Error], _ item: (Key) -> CloudItem
  ) -> [CloudResponse.Entry] {
    errors.map { .init(item($0), .failure($1)) }
  }
}

import CloudInterface
import RecordModel

import struct Foundation.URL

/// What a call of a container or database returns.
///
/// Results of single items are as in `CloudContainer` and `CloudDatabase`: an item's success or its error.
public enum CloudResponse: Sendable {
  /// The records that were asked for.
  case records([RecordID: Result<ResultRecord, any Error>])
  /// The saved records, and the deletions.
  case modifyRecords(
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>])
  /// The records that match a query, and where the next ones begin.
  case query(
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?)
  /// The zones that have changed.
  case databaseChanges(
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool)
  /// The records of a zone that have changed.
  case recordZoneChanges(
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool)
  /// All zones.
  case allRecordZones([RecordZone])
  /// The zones that were asked for.
  case recordZones([ZoneID: Result<RecordZone, any Error>])
  /// The saved zones, and the deletions.
  case modifyRecordZones(
    saveResults: [ZoneID: Result<RecordZone, any Error>],
    deleteResults: [ZoneID: Result<Void, any Error>])
  /// All subscriptions.
  case allSubscriptions([CloudSubscription])
  /// The subscriptions that were asked for.
  case subscriptions([String: Result<CloudSubscription, any Error>])
  /// The saved subscriptions, and the deletions.
  case modifySubscriptions(
    saveResults: [String: Result<CloudSubscription, any Error>],
    deleteResults: [String: Result<Void, any Error>])
  /// The status of the user's account.
  case accountStatus(AccountStatus)
  /// The identifier of the user's record.
  case userRecordID(RecordID)
  /// The users that were found.
  case shareParticipants([UserIdentity.LookupInfo: Result<ShareParticipant, any Error>])
  /// What the user may know about the shares behind links.
  case shareMetadatas([URL: Result<ShareMetadata, any Error>])
  /// The accepted shares.
  case accept([ShareMetadata: Result<ResultRecord, any Error>])

  /// The calls that return such a response.
  public var operations: Set<CloudOperation> {
    switch self {
    case .records: [.records]
    case .modifyRecords: [.modifyRecords]
    case .query: [.query, .continueQuery]
    case .databaseChanges: [.databaseChanges]
    case .recordZoneChanges: [.recordZoneChanges]
    case .allRecordZones: [.allRecordZones]
    case .recordZones: [.recordZones]
    case .modifyRecordZones: [.modifyRecordZones]
    case .allSubscriptions: [.allSubscriptions]
    case .subscriptions: [.subscriptions]
    case .modifySubscriptions: [.modifySubscriptions]
    case .accountStatus: [.accountStatus]
    case .userRecordID: [.userRecordID]
    case .shareParticipants: [.shareParticipants]
    case .shareMetadatas: [.shareMetadatas]
    case .accept: [.accept]
    }
  }
}

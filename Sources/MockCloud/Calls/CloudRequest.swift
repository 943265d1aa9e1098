import CloudInterface
import RecordModel

import struct Foundation.URL

/// A call of a container or database with its arguments.
///
/// A call that the protocols get is added here, in ``CloudOperation`` and ``CloudResponse``; the
/// compiler then names the other places: `send(_:)`, and its JSON.
public enum CloudRequest: Sendable, Hashable {
  /// Fetches records.
  case records(ids: [RecordID], desiredKeys: [String]?)
  /// Saves and deletes records.
  case modifyRecords(
    saving: [DraftRecord], deleting: [RecordID], savePolicy: RecordSavePolicy, atomically: Bool)
  /// Finds the first records that match a query.
  case query(RecordQuery, zoneID: ZoneID?, desiredKeys: [String]?, resultsLimit: Int)
  /// Finds the next records of a query.
  case continueQuery(QueryCursor, desiredKeys: [String]?, resultsLimit: Int)
  /// Fetches the zones that have changed.
  case databaseChanges(since: ServerChangeToken?, resultsLimit: Int?)
  /// Fetches the records of a zone that have changed.
  case recordZoneChanges(
    zoneID: ZoneID, since: ServerChangeToken?, desiredKeys: [String]?, resultsLimit: Int?)
  /// Fetches all zones.
  case allRecordZones
  /// Fetches zones.
  case recordZones(ids: [ZoneID])
  /// Saves and deletes zones.
  case modifyRecordZones(saving: [RecordZone], deleting: [ZoneID])
  /// Fetches all subscriptions.
  case allSubscriptions
  /// Fetches subscriptions.
  case subscriptions(ids: [String])
  /// Saves and deletes subscriptions.
  case modifySubscriptions(saving: [CloudSubscription], deleting: [String])
  /// Returns the status of the user's account.
  case accountStatus
  /// Returns the identifier of the user's record.
  case userRecordID
  /// Finds users to invite to a share.
  case shareParticipants(lookupInfos: [UserIdentity.LookupInfo])
  /// Fetches what the user may know about the shares behind links.
  case shareMetadatas(urls: [URL])
  /// Accepts shares.
  case accept([ShareMetadata])

  /// The call without its arguments.
  public var operation: CloudOperation {
    switch self {
    case .records: .records
    case .modifyRecords: .modifyRecords
    case .query: .query
    case .continueQuery: .continueQuery
    case .databaseChanges: .databaseChanges
    case .recordZoneChanges: .recordZoneChanges
    case .allRecordZones: .allRecordZones
    case .recordZones: .recordZones
    case .modifyRecordZones: .modifyRecordZones
    case .allSubscriptions: .allSubscriptions
    case .subscriptions: .subscriptions
    case .modifySubscriptions: .modifySubscriptions
    case .accountStatus: .accountStatus
    case .userRecordID: .userRecordID
    case .shareParticipants: .shareParticipants
    case .shareMetadatas: .shareMetadatas
    case .accept: .accept
    }
  }
}

/// A call of a container, or of one of its databases.
public struct CloudCall: Sendable, Hashable {
  /// The database; nil for a call of the container itself.
  public var databaseScope: DatabaseScope?
  /// What is asked.
  public var request: CloudRequest

  /// Creates a call.
  public init(_ request: CloudRequest, in databaseScope: DatabaseScope? = nil) {
    self.databaseScope = databaseScope
    self.request = request
  }

  /// The call without its arguments.
  public var operation: CloudOperation { request.operation }
}

extension CloudCall: CustomStringConvertible {
  /// The operation, the database, and what is asked, without any values of records, identities of
  /// users, and links.
  public var description: String {
    let place = databaseScope.map { " in the \($0.rawValue) database" } ?? ""
    let summary = request.summary
    return "\(operation.rawValue)\(place)\(summary.isEmpty ? "" : ": \(summary)")"
  }
}

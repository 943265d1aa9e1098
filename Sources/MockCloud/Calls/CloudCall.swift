import CloudInterface
import RecordModel
import RecordSchema

import struct Foundation.URL

/// A call of a container or database, without its arguments.
public enum CloudOperation: String, Sendable, Hashable, CaseIterable {
  /// `records(for:desiredKeys:)`, and the calls that use it: `record(for:)`.
  case records
  /// `modifyRecords(saving:deleting:savePolicy:atomically:)`, and the calls that use it: `save(_:)`
  /// and `deleteRecord(withID:)`.
  case modifyRecords
  /// `records(matching:inZoneWith:desiredKeys:resultsLimit:)`.
  case query
  /// `records(continuingMatchFrom:desiredKeys:resultsLimit:)`.
  case continueQuery
  /// `databaseChanges(since:resultsLimit:)`.
  case databaseChanges
  /// `recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)`.
  case recordZoneChanges
  /// `allRecordZones()`.
  case allRecordZones
  /// `recordZones(for:)`, and the call that uses it: `recordZone(for:)`.
  case recordZones
  /// `modifyRecordZones(saving:deleting:)`, and the calls that use it.
  case modifyRecordZones
  /// `allSubscriptions()`.
  case allSubscriptions
  /// `subscriptions(for:)`, and the call that uses it: `subscription(for:)`.
  case subscriptions
  /// `modifySubscriptions(saving:deleting:)`, and the calls that use it.
  case modifySubscriptions
  /// `CloudContainer.accountStatus()`.
  case accountStatus
  /// `CloudContainer.userRecordID()`.
  case userRecordID
  /// `CloudContainer.shareParticipants(for:)`, and the calls that use it.
  case shareParticipants
  /// `CloudContainer.shareMetadatas(for:)`, and the call that uses it: `shareMetadata(for:)`.
  case shareMetadatas
  /// `CloudContainer.accept(_:)`, of one share or several.
  case accept
  /// `CloudContainer.requestShareAccess(for:)`, of one link or several.
  case requestShareAccess

  /// Whether the call changes something on the server.
  package var isWriting: Bool {
    switch self {
    case .modifyRecords, .modifyRecordZones, .modifySubscriptions, .accept, .requestShareAccess:
      true
    case .records, .query, .continueQuery, .databaseChanges, .recordZoneChanges, .allRecordZones,
      .recordZones, .allSubscriptions, .subscriptions, .accountStatus, .userRecordID,
      .shareParticipants, .shareMetadatas:
      false
    }
  }
  /// Whether each item of the response has a result of its own, and so can fail alone.
  var hasItemResults: Bool {
    switch self {
    case .databaseChanges, .allRecordZones, .allSubscriptions, .accountStatus, .userRecordID: false
    default: true
    }
  }
}

/// A call of a container or database with its arguments.
///
/// A call that the protocols get is added here and in ``CloudOperation``; the compiler then names the
/// other places: `send(_:)`, and its JSON.
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
  /// Asks the owners of shares for access.
  case requestShareAccess(urls: [URL])

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
    case .requestShareAccess: .requestShareAccess
    }
  }

  /// The items that the request names: those to fetch, or to save and then those to delete. Empty for
  /// requests that do not name items.
  public var items: [CloudItem] { keptItems + deletedItems }

  /// The items to fetch or save.
  var keptItems: [CloudItem] {
    switch self {
    case .records(let ids, _): ids.map(CloudItem.record)
    case .modifyRecords(let drafts, _, _, _): drafts.map { .record($0.recordID) }
    case .recordZones(let ids): ids.map(CloudItem.zone)
    case .modifyRecordZones(let zones, _): zones.map { .zone($0.zoneID) }
    case .subscriptions(let ids): ids.map(CloudItem.subscription)
    case .modifySubscriptions(let all, _): all.map { .subscription($0.subscriptionID) }
    case .shareParticipants(let lookupInfos): lookupInfos.map(CloudItem.user)
    case .shareMetadatas(let urls), .requestShareAccess(let urls): urls.map(CloudItem.link)
    case .accept(let metadatas): metadatas.map { .record($0.share.recordID) }
    default: []
    }
  }

  /// The items to delete.
  var deletedItems: [CloudItem] {
    switch self {
    case .modifyRecords(_, let ids, _, _): ids.map(CloudItem.record)
    case .modifyRecordZones(_, let ids): ids.map(CloudItem.zone)
    case .modifySubscriptions(_, let ids): ids.map(CloudItem.subscription)
    default: []
    }
  }

  /// The zones that the request names, or in which its items lie.
  var zoneIDs: Set<ZoneID> {
    switch self {
    case .query(_, let zoneID, _, _): Set([zoneID].compactMap(\.self))
    case .recordZoneChanges(let zoneID, _, _, _): [zoneID]
    default: Set(items.compactMap(\.enclosingZoneID))
    }
  }

  /// Whether the request has the token that a fetch of changes starts from.
  var hasToken: Bool {
    switch self {
    case .databaseChanges(let token, _), .recordZoneChanges(_, let token, _, _): token != nil
    default: false
    }
  }

  /// Returns a request that changes something without some of its items.
  func dropping(_ items: Set<CloudItem>) -> CloudRequest {
    switch self {
    case .modifyRecords(let drafts, let ids, let savePolicy, let atomically):
      .modifyRecords(
        saving: drafts.filter { !items.contains(.record($0.recordID)) },
        deleting: ids.filter { !items.contains(.record($0)) }, savePolicy: savePolicy,
        atomically: atomically)
    case .modifyRecordZones(let zones, let ids):
      .modifyRecordZones(
        saving: zones.filter { !items.contains(.zone($0.zoneID)) },
        deleting: ids.filter { !items.contains(.zone($0)) })
    case .modifySubscriptions(let subscriptions, let ids):
      .modifySubscriptions(
        saving: subscriptions.filter { !items.contains(.subscription($0.subscriptionID)) },
        deleting: ids.filter { !items.contains(.subscription($0)) })
    case .accept(let metadatas):
      .accept(metadatas.filter { !items.contains(.record($0.share.recordID)) })
    case .requestShareAccess(let urls):
      .requestShareAccess(urls: urls.filter { !items.contains(.link($0)) })
    default: self
    }
  }

  /// The arguments in a few words, without values of records, identities of users, and links.
  package var summary: String {
    switch self {
    case .modifyRecords(let drafts, let ids, _, _): Self.summary(drafts.map(\.recordID), ids)
    case .modifyRecordZones(let zones, let ids): Self.summary(zones.map(\.zoneID), ids)
    case .modifySubscriptions(let subscriptions, let ids):
      Self.summary(subscriptions.map(\.subscriptionID), ids)
    case .records(let ids, _): Self.summary(ids)
    case .recordZones(let ids): Self.summary(ids)
    case .subscriptions(let ids): Self.summary(ids)
    case .query(let query, let zoneID, _, _):
      "\(query.recordType)\(zoneID.map { " in \($0)" } ?? "")"
    case .recordZoneChanges(let zoneID, let token, _, _):
      "\(zoneID)\(token == nil ? "" : ", since a token")"
    case .databaseChanges(let token, _): token == nil ? "" : "since a token"
    case .shareParticipants(let lookupInfos): Phrase.count(lookupInfos.count, "user")
    case .shareMetadatas(let urls), .requestShareAccess(let urls): Phrase.count(urls.count, "link")
    case .accept(let metadatas): Self.summary(metadatas.map(\.share.recordID))
    case .continueQuery, .allRecordZones, .allSubscriptions, .accountStatus, .userRecordID: ""
    }
  }

  private static func summary<Name>(_ saved: [Name], _ deleted: [Name]) -> String {
    let parts = [("save", saved), ("delete", deleted)].filter { !$0.1.isEmpty }
    return parts.map { "\($0) \(summary($1))" }.joined(separator: ", ")
  }

  private static func summary<Name>(_ names: [Name]) -> String {
    let shown = names.prefix(3).map { "\($0)" }.joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }
}

/// A call of a container, or of one of its databases.
public struct CloudCall: Sendable, Hashable {
  /// The database; nil for a call of the container itself.
  public var databaseScope: DatabaseScope?
  /// The call with its arguments.
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
  /// The operation, the database and the arguments, without values of records, identities of users,
  /// and links.
  public var description: String {
    let place = databaseScope.map { " in the \($0.rawValue) database" } ?? ""
    let summary = request.summary
    return "\(operation.rawValue)\(place)\(summary.isEmpty ? "" : ": \(summary)")"
  }
}

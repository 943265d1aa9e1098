import RecordModel
import RecordSchema

extension CloudRequest {
  /// What the request names: the items to fetch, or to save and then those to delete. Empty for
  /// requests that do not name items.
  public var items: [CloudItem] {
    switch self {
    case .records(let ids, _): ids.map(CloudItem.record)
    case .modifyRecords(let drafts, let ids, _, _):
      (drafts.map(\.recordID) + ids).map(CloudItem.record)
    case .recordZones(let ids): ids.map(CloudItem.zone)
    case .modifyRecordZones(let zones, let ids): (zones.map(\.zoneID) + ids).map(CloudItem.zone)
    case .subscriptions(let ids): ids.map(CloudItem.subscription)
    case .modifySubscriptions(let subscriptions, let ids):
      (subscriptions.map(\.subscriptionID) + ids).map(CloudItem.subscription)
    case .shareParticipants(let lookupInfos): lookupInfos.map(CloudItem.user)
    case .shareMetadatas(let urls): urls.map(CloudItem.link)
    case .accept(let metadatas): metadatas.map(\.item)
    case .query, .continueQuery, .databaseChanges, .recordZoneChanges, .allRecordZones,
      .allSubscriptions, .accountStatus, .userRecordID:
      []
    }
  }

  /// The zones that the request names, or in which its items lie.
  public var zoneIDs: Set<ZoneID> {
    switch self {
    case .query(_, let zoneID, _, _): Set([zoneID].compactMap(\.self))
    case .recordZoneChanges(let zoneID, _, _, _): [zoneID]
    default: Set(items.compactMap(\.zoneID))
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
    case .accept(let metadatas): .accept(metadatas.filter { !items.contains($0.item) })
    default: self
    }
  }

  /// What is asked in a few words, without any values of records, identities of users, and links.
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
    case .shareMetadatas(let urls): Phrase.count(urls.count, "link")
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

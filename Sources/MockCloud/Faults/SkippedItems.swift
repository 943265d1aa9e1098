import CloudInterface
import Foundation
import RecordCoding
import RecordModel

/// What was left out of a page, and comes with the next one. It is part of the token or cursor of
/// the page, so that it is not lost with a crash, and each reader gets it.
struct SkippedItems: Hashable {
  /// The server's own token or cursor; nil for the last page of a query.
  var token: Data?
  var records: [RecordID] = []
  var deletions: [RecordZoneChange.Deletion] = []
  var zones: [ZoneID] = []
  var zoneDeletions: [DatabaseChange.Deletion] = []

  private static let opening = Data("RecordPack skipped results ".utf8)

  /// Reads a token or cursor; nil for one of a server.
  init?(token: Data) {
    guard token.starts(with: Self.opening),
      let json = try? JSONParser.parse(
        String(decoding: token.dropFirst(Self.opening.count), as: UTF8.self)),
      let items = try? SkippedItems(json: json)
    else { return nil }
    self = items
  }

  private init(json: JSONValue) throws {
    var members = try MemberReader(json, "skipped results")
    token = try members.value("token")
    records = try members.value("records") ?? []
    deletions = try members.value("deletions") ?? []
    zones = try members.value("zones") ?? []
    zoneDeletions = try members.value("zoneDeletions") ?? []
  }

  init(after token: Data?) { self.token = token }

  /// The token or cursor with what was left out.
  var data: Data {
    get throws {
      var members = MemberWriter()
      try members.add("token", token)
      try members.add("records", records)
      try members.add("deletions", deletions)
      try members.add("zones", zones)
      try members.add("zoneDeletions", zoneDeletions)
      return Self.opening + members.value.compactData
    }
  }
}

extension CloudResponse {
  /// Returns a response without the results of some items. In a page of a query or of changes they
  /// come with the next page.
  func skipping(_ items: Set<CloudItem>) -> CloudResponse {
    func kept<Key, Item>(_ results: [Key: Item], _ item: (Key) -> CloudItem) -> [Key: Item] {
      results.filter { !items.contains(item($0.key)) }
    }
    switch self {
    case .records(let results): return .records(kept(results, CloudItem.record))
    case .recordZones(let results): return .recordZones(kept(results, CloudItem.zone))
    case .subscriptions(let results):
      return .subscriptions(kept(results, CloudItem.subscription))
    case .modifyRecords(let saved, let deleted):
      return .modifyRecords(
        saveResults: kept(saved, CloudItem.record), deleteResults: kept(deleted, CloudItem.record))
    case .modifyRecordZones(let saved, let deleted):
      return .modifyRecordZones(
        saveResults: kept(saved, CloudItem.zone), deleteResults: kept(deleted, CloudItem.zone))
    case .modifySubscriptions(let saved, let deleted):
      return .modifySubscriptions(
        saveResults: kept(saved, CloudItem.subscription),
        deleteResults: kept(deleted, CloudItem.subscription))
    case .allRecordZones(let zones):
      return .allRecordZones(zones.filter { !items.contains(.zone($0.zoneID)) })
    case .allSubscriptions(let all):
      return .allSubscriptions(all.filter { !items.contains(.subscription($0.subscriptionID)) })
    case .shareParticipants(let users): return .shareParticipants(kept(users, CloudItem.user))
    case .shareMetadatas(let links): return .shareMetadatas(kept(links, CloudItem.link))
    case .accept(let accepted): return .accept(kept(accepted, \.item))
    case .query, .databaseChanges, .recordZoneChanges: return (try? movingOn(items)) ?? self
    case .accountStatus, .userRecordID: return self
    }
  }

  /// Moves items of a page to the next page.
  private func movingOn(_ items: Set<CloudItem>) throws -> CloudResponse {
    switch self {
    case .query(let results, let cursor):
      var skipped = SkippedItems(after: cursor?.data)
      skipped.records = results.map(\.0).filter { items.contains(.record($0)) }
      return .query(
        matchResults: results.filter { !items.contains(.record($0.0)) },
        queryCursor: QueryCursor(data: try skipped.data))
    case .databaseChanges(let zones, let deletions, let token, _):
      var skipped = SkippedItems(after: token.data)
      skipped.zones = zones.map(\.zoneID).filter { items.contains(.zone($0)) }
      skipped.zoneDeletions = deletions.filter { items.contains(.zone($0.zoneID)) }
      return .databaseChanges(
        modifications: zones.filter { !items.contains(.zone($0.zoneID)) },
        deletions: deletions.filter { !items.contains(.zone($0.zoneID)) },
        changeToken: ServerChangeToken(data: try skipped.data), moreComing: true)
    case .recordZoneChanges(let results, let deletions, let token, _):
      var skipped = SkippedItems(after: token.data)
      skipped.records = results.keys.sorted().filter { items.contains(.record($0)) }
      skipped.deletions = deletions.filter { items.contains(.record($0.recordID)) }
      return .recordZoneChanges(
        modificationResultsByID: results.filter { !items.contains(.record($0.key)) },
        deletions: deletions.filter { !items.contains(.record($0.recordID)) },
        changeToken: ServerChangeToken(data: try skipped.data), moreComing: true)
    default: return self
    }
  }
}

import CloudInterface
import Foundation
import RecordCoding
import RecordModel

extension CloudResponse {
  /// Returns the response; records refer to the contents of their assets.
  ///
  /// - Throws: `RecordCodingError` for values that JSON cannot represent.
  func json(_ assets: inout AssetCollector) throws -> JSONValue {
    var members = MemberWriter()
    switch self {
    case .records(let results):
      members.add("results", try ItemJSON.records(results, &assets))
    case .modifyRecords(let saved, let deleted):
      members.add("saved", try ItemJSON.records(saved, &assets))
      members.add("deleted", try ItemJSON.deletions(deleted, &assets))
    case .query(let results, let cursor):
      members.add("results", try ItemJSON.records(results, &assets))
      try members.add("queryCursor", cursor?.data)
    case .databaseChanges(let zones, let deletions, let token, let moreComing):
      try members.add("modifications", zones.map(\.zoneID))
      try members.add("deletions", deletions)
      try members.add("changeToken", token.data)
      try members.add("moreComing", moreComing)
    case .recordZoneChanges(let results, let deletions, let token, let moreComing):
      let records = results.mapValues { $0.map(\.record) }
      members.add("modifications", try ItemJSON.records(records, &assets))
      try members.add("deletions", deletions)
      try members.add("changeToken", token.data)
      try members.add("moreComing", moreComing)
    case .allRecordZones(let zones): try members.add("zones", zones)
    case .recordZones(let results): members.add("results", try ItemJSON.zones(results, &assets))
    case .modifyRecordZones(let saved, let deleted):
      members.add("saved", try ItemJSON.zones(saved, &assets))
      members.add("deleted", try ItemJSON.deletions(deleted, &assets))
    case .allSubscriptions(let all): try members.add("subscriptions", all)
    case .subscriptions(let results):
      members.add("results", try ItemJSON.subscriptions(results, &assets))
    case .modifySubscriptions(let saved, let deleted):
      members.add("saved", try ItemJSON.subscriptions(saved, &assets))
      members.add("deleted", try ItemJSON.deletions(deleted, &assets))
    case .accountStatus(let status): members.add("accountStatus", "\(status)")
    case .userRecordID(let id): try members.add("userRecordID", id)
    case .shareParticipants(let results):
      members.add("results", try ItemJSON.participants(results, &assets))
    case .shareMetadatas(let results):
      members.add("results", try ItemJSON.metadatas(results, &assets))
    case .accept(let results): members.add("results", try ItemJSON.shares(results, &assets))
    }
    return members.value
  }

  /// Reads the response to an operation.
  ///
  /// - Parameter contents: the contents of the assets.
  init(json: JSONValue, to operation: CloudOperation, _ contents: RecordedContents) throws {
    var members = try MemberReader(json, "the response to \(operation.rawValue)")
    let items = ItemReader(contents: contents)
    switch operation {
    case .records:
      self = .records(try items.dictionary(members.require("results", items.records)))
    case .modifyRecords:
      self = .modifyRecords(
        saveResults: try items.dictionary(members.require("saved", items.records)),
        deleteResults: try items.dictionary(members.require("deleted", items.deletions)))
    case .query, .continueQuery:
      self = .query(
        matchResults: try members.require("results", items.records),
        queryCursor: try members.value("queryCursor", Data.self).map { QueryCursor(data: $0) })
    case .databaseChanges:
      self = .databaseChanges(
        modifications: try members.required("modifications", [ZoneID].self)
          .map { .init(zoneID: $0) },
        deletions: try members.required("deletions"),
        changeToken: ServerChangeToken(data: try members.required("changeToken")),
        moreComing: try members.required("moreComing"))
    case .recordZoneChanges:
      let results = try items.dictionary(members.require("modifications", items.records))
      self = .recordZoneChanges(
        modificationResultsByID: results.mapValues { result in
          result.map { RecordZoneChange.Modification(record: $0) }
        },
        deletions: try members.required("deletions"),
        changeToken: ServerChangeToken(data: try members.required("changeToken")),
        moreComing: try members.required("moreComing"))
    case .allRecordZones: self = .allRecordZones(try members.required("zones"))
    case .recordZones:
      self = .recordZones(try items.dictionary(members.require("results", items.zones)))
    case .modifyRecordZones:
      self = .modifyRecordZones(
        saveResults: try items.dictionary(members.require("saved", items.zones)),
        deleteResults: try items.dictionary(members.require("deleted", items.deletions)))
    case .allSubscriptions: self = .allSubscriptions(try members.required("subscriptions"))
    case .subscriptions:
      self = .subscriptions(try items.dictionary(members.require("results", items.subscriptions)))
    case .modifySubscriptions:
      self = .modifySubscriptions(
        saveResults: try items.dictionary(members.require("saved", items.subscriptions)),
        deleteResults: try items.dictionary(members.require("deleted", items.deletions)))
    case .accountStatus:
      self = .accountStatus(try members.word("accountStatus", AccountStatus.allCases))
    case .userRecordID: self = .userRecordID(try members.required("userRecordID"))
    case .shareParticipants:
      self = .shareParticipants(
        try items.dictionary(members.require("results", items.participants)))
    case .shareMetadatas:
      self = .shareMetadatas(try items.dictionary(members.require("results", items.metadatas)))
    case .accept: self = .accept(try items.dictionary(members.require("results", items.shares)))
    }
  }
}

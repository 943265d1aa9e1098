import CloudInterface
import Foundation
import RecordCoding
import RecordModel

extension CloudRequest {
  /// Returns the arguments of the request; records refer to the contents of their assets.
  ///
  /// - Throws: `RecordCodingError` for values that JSON cannot represent.
  func json(_ assets: inout AssetCollector) throws -> JSONValue {
    var members = MemberWriter()
    switch self {
    case .records(let ids, let keys):
      try members.add("ids", ids)
      try members.add("desiredKeys", keys)
    case .modifyRecords(let drafts, let ids, let savePolicy, let atomically):
      let stripped = drafts.map { assets.strip($0) }
      try members.add("saving", stripped)
      try members.add("deleting", ids)
      members.add("savePolicy", "\(savePolicy)")
      try members.add("atomically", atomically)
    case .query(let query, let zoneID, let keys, let limit):
      members.add("query", try query.jsonValue(in: zoneID ?? .default))
      try members.add("zoneID", zoneID)
      try members.add("desiredKeys", keys)
      members.add("resultsLimit", .integer(limit))
    case .continueQuery(let cursor, let keys, let limit):
      try members.add("queryCursor", cursor.data)
      try members.add("desiredKeys", keys)
      members.add("resultsLimit", .integer(limit))
    case .databaseChanges(let token, let limit):
      try members.add("since", token?.data)
      members.add("resultsLimit", limit.map(JSONValue.integer))
    case .recordZoneChanges(let zoneID, let token, let keys, let limit):
      try members.add("zoneID", zoneID)
      try members.add("since", token?.data)
      try members.add("desiredKeys", keys)
      members.add("resultsLimit", limit.map(JSONValue.integer))
    case .recordZones(let ids): try members.add("ids", ids)
    case .modifyRecordZones(let zones, let ids):
      try members.add("saving", zones)
      try members.add("deleting", ids)
    case .subscriptions(let ids): try members.add("ids", ids)
    case .modifySubscriptions(let subscriptions, let ids):
      try members.add("saving", subscriptions)
      try members.add("deleting", ids)
    case .shareParticipants(let lookupInfos): try members.add("lookupInfos", lookupInfos)
    case .shareMetadatas(let urls): try members.add("urls", urls)
    case .accept(let metadatas):
      let stripped = metadatas.map { assets.strip($0) }
      try members.add("metadatas", stripped)
    case .allRecordZones, .allSubscriptions, .accountStatus, .userRecordID: break
    }
    return members.value
  }

  /// Reads the arguments of a request.
  init(json: JSONValue, of operation: CloudOperation) throws {
    var members = try MemberReader(json, "the arguments of \(operation.rawValue)")
    switch operation {
    case .records:
      self = .records(
        ids: try members.required("ids"), desiredKeys: try members.value("desiredKeys"))
    case .modifyRecords:
      self = .modifyRecords(
        saving: try members.required("saving"), deleting: try members.required("deleting"),
        savePolicy: try members.word("savePolicy", RecordSavePolicy.allCases),
        atomically: try members.required("atomically"))
    case .query:
      let zoneID = try members.value("zoneID", ZoneID.self)
      let query = try members.require("query") {
        try RecordQuery(json: $0, MappingContext(zoneID: zoneID ?? .default))
      }
      self = .query(
        query, zoneID: zoneID, desiredKeys: try members.value("desiredKeys"),
        resultsLimit: try members.integer("resultsLimit") ?? 0)
    case .continueQuery:
      self = .continueQuery(
        QueryCursor(data: try members.required("queryCursor")),
        desiredKeys: try members.value("desiredKeys"),
        resultsLimit: try members.integer("resultsLimit") ?? 0)
    case .databaseChanges:
      self = .databaseChanges(
        since: try members.token("since"), resultsLimit: try members.integer("resultsLimit"))
    case .recordZoneChanges:
      self = .recordZoneChanges(
        zoneID: try members.required("zoneID"), since: try members.token("since"),
        desiredKeys: try members.value("desiredKeys"),
        resultsLimit: try members.integer("resultsLimit"))
    case .allRecordZones: self = .allRecordZones
    case .recordZones: self = .recordZones(ids: try members.required("ids"))
    case .modifyRecordZones:
      self = .modifyRecordZones(
        saving: try members.required("saving"), deleting: try members.required("deleting"))
    case .allSubscriptions: self = .allSubscriptions
    case .subscriptions: self = .subscriptions(ids: try members.required("ids"))
    case .modifySubscriptions:
      self = .modifySubscriptions(
        saving: try members.required("saving"), deleting: try members.required("deleting"))
    case .accountStatus: self = .accountStatus
    case .userRecordID: self = .userRecordID
    case .shareParticipants:
      self = .shareParticipants(lookupInfos: try members.required("lookupInfos"))
    case .shareMetadatas: self = .shareMetadatas(urls: try members.required("urls"))
    case .accept: self = .accept(try members.required("metadatas"))
    }
  }
}

extension MemberReader {
  /// Takes a token; nil if there is none.
  mutating func token(_ name: String) throws -> ServerChangeToken? {
    try value(name, Data.self).map { ServerChangeToken(data: $0) }
  }

  /// Takes an integer; nil if there is none.
  mutating func integer(_ name: String) throws -> Int? {
    try read(name) { json in
      guard let number = json.numberText.flatMap({ Int($0) }) else {
        throw json.error(expected: "an integer")
      }
      return number
    }
  }

  /// Takes the name of a case.
  mutating func word<Word>(_ name: String, _ all: [Word]) throws -> Word {
    try require(name) { json in
      guard let word = all.first(where: { "\($0)" == json.string }) else {
        throw json.error(
          found: json.shown, expected: "one of \(all.map { "\"\($0)\"" }.joined(separator: ", "))")
      }
      return word
    }
  }
}

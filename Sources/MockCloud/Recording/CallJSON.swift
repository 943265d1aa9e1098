import CloudInterface
import Foundation
import RecordCoding
import RecordModel

extension CloudRequest {
  /// Returns the arguments of the request; records refer to the contents of their assets.
  ///
  /// - Throws: `RecordCodingError` for values that JSON cannot represent.
  func json(_ assets: inout AssetCollector) throws -> JSONValue {
    var members = JSONObjectWriter()
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
    case .shareMetadatas(let urls), .requestShareAccess(let urls): try members.add("urls", urls)
    case .accept(let metadatas):
      let stripped = metadatas.map { assets.strip($0) }
      try members.add("metadatas", stripped)
    case .allRecordZones, .allSubscriptions, .accountStatus, .userRecordID: break
    }
    return members.value
  }

  /// Reads the arguments of a request.
  init(json: JSONValue, of operation: CloudOperation) throws {
    var members = try JSONObjectReader(json, "the arguments of \(operation.rawValue)")
    switch operation {
    case .records:
      self = .records(
        ids: try members.required("ids"), desiredKeys: try members.value("desiredKeys"))
    case .modifyRecords:
      guard let savePolicy = try members.word("savePolicy", RecordSavePolicy.allCases) else {
        throw members.missing("savePolicy")
      }
      self = .modifyRecords(
        saving: try members.required("saving"), deleting: try members.required("deleting"),
        savePolicy: savePolicy,
        atomically: try members.required("atomically"))
    case .query:
      let zoneID = try members.value("zoneID", ZoneID.self)
      let query = try members.require("query") {
        try RecordQuery(json: $0, DecodingContext(zoneID: zoneID ?? .default))
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
    case .requestShareAccess: self = .requestShareAccess(urls: try members.required("urls"))
    }
  }
}

extension CloudResponse {
  /// Returns the response; records refer to the contents of their assets.
  ///
  /// - Throws: `RecordCodingError` for values that JSON cannot represent.
  func json(_ assets: inout AssetCollector) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("accountStatus", accountStatus.map { "\($0)" })
    for (name, entries) in [("results", results), ("deletions", deletions)] where !entries.isEmpty {
      members.add(name, .array(try entries.map { try $0.json(&assets) }))
    }
    try members.add("position", position)
    members.add("moreComing", moreComing ? .bool(true) : nil)
    return members.value
  }

  /// Reads a response.
  ///
  /// - Parameter contents: the contents of assets by SHA-256.
  init(json: JSONValue, _ contents: [String: Data]) throws {
    var members = try JSONObjectReader(json, "a response")
    self.init(
      try members.read("results") { try Self.entries($0, contents) } ?? [],
      deletions: try members.read("deletions") { try Self.entries($0, contents) } ?? [],
      position: try members.value("position"),
      moreComing: try members.value("moreComing") ?? false,
      accountStatus: try members.word("accountStatus", AccountStatus.allCases))
  }

  private static func entries(_ json: JSONValue, _ contents: [String: Data]) throws -> [Entry] {
    var items: Set<CloudItem> = []
    return try json.expectElements { json in
      let entry = try Entry(json: json, contents)
      guard items.insert(entry.item).inserted else {
        throw RecordCodingError(found: "two results of an item", expected: "one")
      }
      return entry
    }
  }
}

extension CloudResponse.Entry {
  fileprivate func json(_ assets: inout AssetCollector) throws -> JSONValue {
    var members = JSONObjectWriter()
    try members.add("id", item)
    switch result {
    case .success(.none): break
    case .success(.record(let record)): try members.add("record", assets.strip(record))
    case .success(.zone(let zone)): try members.add("zone", zone)
    case .success(.subscription(let subscription)): try members.add("subscription", subscription)
    case .success(.participant(let participant)): try members.add("participant", participant)
    case .success(.metadata(let metadata)): try members.add("metadata", assets.strip(metadata))
    case .success(.recordType(let type)): members.add("recordType", type)
    case .success(.reason(let reason)): try members.add("reason", reason)
    case .failure(let error): members.add("error", try ErrorJSON.json(error, &assets))
    }
    return members.value
  }

  fileprivate init(json: JSONValue, _ contents: [String: Data]) throws {
    var members = try JSONObjectReader(json, "the result of an item")
    item = try members.required("id")
    if let error = try members.read("error", { try ErrorJSON.error($0, contents) }) {
      result = .failure(error)
    } else {
      let values: [CloudResponse.Value?] = [
        try members.value("record", ResultRecord.self).map { .record($0.adding(contents)) },
        try members.value("zone").map { .zone($0) },
        try members.value("subscription").map { .subscription($0) },
        try members.value("participant").map { .participant($0) },
        try members.value("metadata", ShareMetadata.self).map { .metadata($0.adding(contents)) },
        try members.value("recordType").map { .recordType($0) },
        try members.value("reason").map { .reason($0) },
      ]
      result = .success(values.compactMap(\.self).first ?? .none)
    }
  }
}

extension CloudItem: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    if let id = json.string {
      self = .subscription(id)
    } else if json["recordName"] != nil {
      self = .record(try RecordID(json: json, context))
    } else if json["user"] != nil || json["link"] != nil {
      var members = try JSONObjectReader(json, "an item", context)
      self = try members.value("user").map(CloudItem.user) ?? .link(try members.required("link"))
    } else {
      self = .zone(try ZoneID(json: json, context))
    }
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    switch self {
    case .record(let id): try id.jsonValue()
    case .zone(let id): id.jsonValue()
    case .subscription(let id): .string(id)
    case .user(let lookupInfo): .object([.init("user", try lookupInfo.jsonValue())])
    case .link(let url): .object([.init("link", url.jsonValue(in: .default))])
    }
  }
}

extension ShareParticipant.Role: JSONEnum {}
extension ShareParticipant.AcceptanceStatus: JSONEnum {}
extension ShareParticipant.Permission: JSONEnum {}

extension ShareMetadata: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "the metadata of a share", context)
    // The share has values that are not the user's own.
    members.context.mayShowValues = false
    self.init(
      containerIdentifier: try members.value("containerIdentifier"),
      share: try members.required("share"),
      hierarchicalRootRecordID: try members.value("hierarchicalRootRecordID"),
      ownerIdentity: try members.required("ownerIdentity"),
      participantRole: try members.required("participantRole"),
      participantStatus: try members.required("participantStatus"),
      participantPermission: try members.required("participantPermission"))
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("containerIdentifier", containerIdentifier)
    try members.add("share", share)
    try members.add("hierarchicalRootRecordID", hierarchicalRootRecordID)
    try members.add("ownerIdentity", ownerIdentity)
    try members.add("participantRole", participantRole)
    try members.add("participantStatus", participantStatus)
    try members.add("participantPermission", participantPermission)
    return members.value
  }
}

extension URL: JSONConvertible {
  /// - Throws: `RecordCodingError` without the text: the link to a share contains a secret.
  package init(json: JSONValue, _: DecodingContext) throws {
    guard let url = json.string.flatMap({ URL(string: $0) }) else {
      throw json.error(
        found: json.string == nil ? json.kind : "a string that is not a URL", expected: "a URL")
    }
    self = url
  }

  package func jsonValue(in _: ZoneID) -> JSONValue { .string(absoluteString) }
}

extension AssetCollector {
  /// Returns metadata without the contents of the share's assets.
  mutating func strip(_ metadata: ShareMetadata) -> ShareMetadata {
    var stripped = metadata
    stripped.share = strip(metadata.share)
    return stripped
  }
}

extension ShareMetadata {
  /// Returns metadata whose share has the contents of its assets.
  func adding(_ contents: [String: Data]) -> ShareMetadata {
    var metadata = self
    metadata.share = share.adding(contents)
    return metadata
  }
}

extension CloudOperation: JSONEnum {}

extension JSONObjectReader {
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

  /// Takes the name of a case; nil if there is none.
  mutating func word<Word>(_ name: String, _ all: [Word]) throws -> Word? {
    try read(name) { json in
      guard let word = all.first(where: { "\($0)" == json.string }) else {
        throw json.error(
          found: json.shown, expected: "one of \(all.map { "\"\($0)\"" }.joined(separator: ", "))")
      }
      return word
    }
  }

  /// Takes the database of a call; nil for a call of the container.
  mutating func databaseScope() throws -> DatabaseScope? {
    try word("database", DatabaseScope.allCases)
  }
}

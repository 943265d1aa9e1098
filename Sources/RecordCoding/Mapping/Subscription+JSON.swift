import RecordModel

extension Subscription: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a subscription")
    self.init(
      subscriptionID: try members.requiredName("subscriptionID"),
      kind: try Self.kind(&members), notificationInfo: try members.object("notificationInfo"))
    otherMembers = try members.lineOthers()
  }

  private static func kind(_ members: inout MemberReader) throws(RecordCodingError) -> Kind {
    let (type, place) = try members.require("subscriptionType") {
      (json) throws(RecordCodingError) in (try json.expectString(), json)
    }
    switch type.lowercased() {
    case "query":
      let zoneID = try members.object("zoneID", ZoneID.self)
      let query = try members.require("query") { (json) throws(RecordCodingError) in
        try Query(json: json, MappingContext(zoneID: zoneID ?? .default))
      }
      return .query(
        query, zoneID: zoneID, firesOn: try members.read("firesOn", firesOn) ?? [],
        firesOnce: try members.bool("firesOnce") ?? false)
    case "zone":
      guard let zoneID = try members.object("zoneID", ZoneID.self) else {
        throw members.missing("zoneID")
      }
      return .zone(zoneID, recordType: try members.string("recordType"))
    case "database":
      return .database(recordType: try members.string("recordType"))
    default:
      throw RecordCodingError(
        offset: place.offset, found: place.shown,
        expected: "\"query\", \"zone\" or \"database\""
      ).inside(member: "subscriptionType")
    }
  }

  private static func firesOn(_ json: JSONValue) throws(RecordCodingError) -> Set<Firing> {
    Set(
      try json.expectElements { (json) throws(RecordCodingError) -> Firing in
        guard let firing = json.string.flatMap({ Firing(rawValue: $0.lowercased()) }) else {
          throw RecordCodingError(
            offset: json.offset, found: json.shown,
            expected: "\"create\", \"update\" or \"delete\"")
        }
        return firing
      })
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("subscriptionID", subscriptionID)
    switch kind {
    case .query(let query, let zoneID, let firesOn, let firesOnce):
      members.add("subscriptionType", "query")
      members.add("zoneID", zoneID?.jsonValue())
      members.add("query", try query.jsonValue(in: zoneID ?? .default))
      let firings = Firing.allCases.filter(firesOn.contains)
      members.add("firesOn", nonEmpty: firings.map(\.rawValue))
      members.add("firesOnce", whenTrue: firesOnce)
    case .zone(let zoneID, let recordType):
      members.add("subscriptionType", "zone")
      members.add("zoneID", zoneID.jsonValue())
      members.add("recordType", recordType)
    case .database(let recordType):
      members.add("subscriptionType", "database")
      members.add("recordType", recordType)
    }
    try members.add("notificationInfo", notificationInfo)
    try members.add(otherMembers)
    return members.value
  }
}

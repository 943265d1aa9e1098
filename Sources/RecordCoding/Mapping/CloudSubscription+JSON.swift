import RecordModel

extension CloudSubscription.ChangeType: JSONEnum {}

extension CloudSubscription: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a subscription", context)
    self.init(
      subscriptionID: try members.requiredName("subscriptionID"),
      kind: try Self.kind(&members), notificationInfo: try members.value("notificationInfo"))
    otherMembers = try members.lineOthers()
  }

  private static func kind(_ members: inout JSONObjectReader) throws -> Kind {
    let (type, json) = try members.require("subscriptionType") { (try String(json: $0), $0) }
    switch type.lowercased() {
    case "query":
      let zoneID = try members.value("zoneID", ZoneID.self)
      var context = members.context
      context.zoneID = zoneID ?? .default
      let query = try members.require("query") { [context] in try RecordQuery(json: $0, context) }
      return .query(
        query, zoneID: zoneID, firesOn: Set(try members.value("firesOn") ?? [ChangeType]()),
        firesOnce: try members.value("firesOnce") ?? false)
    case "zone":
      return .zone(try members.required("zoneID"), recordType: try members.value("recordType"))
    case "database":
      return .database(recordType: try members.value("recordType"))
    default:
      throw json.error(found: json.shown, expected: "\"query\", \"zone\" or \"database\"")
        .inside(member: "subscriptionType")
    }
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("subscriptionID", subscriptionID)
    switch kind {
    case .query(let query, let zoneID, let firesOn, let firesOnce):
      members.add("subscriptionType", "query")
      try members.add("zoneID", zoneID)
      members.add("query", try query.jsonValue(in: zoneID ?? .default))
      let changes = ChangeType.allCases.filter(firesOn.contains)
      try members.add("firesOn", changes.isEmpty ? nil : changes)
      try members.add("firesOnce", firesOnce ? true : nil)
    case .zone(let zoneID, let recordType):
      members.add("subscriptionType", "zone")
      try members.add("zoneID", zoneID)
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

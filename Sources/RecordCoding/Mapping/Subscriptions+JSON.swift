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

extension NotificationInfo: JSONMapped {
  package static var noun: String { "notification info" }
  package static var empty: NotificationInfo { NotificationInfo() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("alertBody", &alertBody)
    try members.map("alertLocalizationKey", &alertLocalizationKey)
    try members.map("alertLocalizationArgs", &alertLocalizationArgs, default: [])
    try members.map("alertActionLocalizationKey", &alertActionLocalizationKey)
    try members.map("alertLaunchImage", &alertLaunchImage)
    try members.map("title", &title)
    try members.map("titleLocalizationKey", &titleLocalizationKey)
    try members.map("titleLocalizationArgs", &titleLocalizationArgs, default: [])
    try members.map("subtitle", &subtitle)
    try members.map("subtitleLocalizationKey", &subtitleLocalizationKey)
    try members.map("subtitleLocalizationArgs", &subtitleLocalizationArgs, default: [])
    try members.map("soundName", &soundName)
    try members.map("category", &category)
    try members.map("collapseIdKey", or: "collapseIDKey", &collapseIDKey)
    // Web Services' name for desired keys.
    try members.map("additionalFields", or: "desiredKeys", &desiredKeys, default: [])
    try members.map("shouldBadge", &shouldBadge, default: false)
    try members.map("shouldSendContentAvailable", &shouldSendContentAvailable, default: false)
    try members.map("shouldSendMutableContent", &shouldSendMutableContent, default: false)
  }
}

extension RecordQuery: JSONMapped {
  package static var noun: String { "a query" }
  package static var empty: RecordQuery { RecordQuery(recordType: "") }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map(required: "recordType", &recordType)
    try members.map("filterBy", &filters, default: [])
    try members.map("sortBy", &sort, default: [])
  }
}

extension QueryFilter.Comparator: JSONEnum {}

extension QueryFilter: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a filter of a query", context)
    let comparator = try members.required("comparator", Comparator.self)
    let name = try members.fieldName(orAllTextFor: comparator)
    let field = try members.require("fieldValue") { json in
      // Nothing can be compared with a value that is not there, whatever else there is.
      guard json["value"]?.isNull == false, let field = try Field(name: name, json: json, context)
      else {
        var error = json.error(found: "a field without a value", expected: "the member 'value'")
        error.missingMember = "value"
        throw error
      }
      return field
    }
    self.init(
      comparator, field, distance: try members.value("distance"), otherMembers: members.others())
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("comparator", comparator.rawValue)
    members.add("fieldName", fieldName)
    members.add("fieldValue", try field.dictionary(in: zoneID))
    try members.add("distance", distance)
    try members.add(otherMembers)
    return members.value
  }
}

extension QuerySort: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a sort order of a query", context)
    let (name, ascending) = (try members.fieldName(), try members.value("ascending") ?? true)
    // Apple's reference has a dictionary as for the value of a field; clients send the location, too.
    self.init(
      name, ascending: ascending,
      relativeLocation: try members.read("relativeLocation") { location in
        try Location(json: location["value"] ?? location, context)
      })
    otherMembers = members.others()
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("fieldName", fieldName)
    members.add("ascending", .bool(ascending))
    try members.add("relativeLocation", relativeLocation)
    try members.add(otherMembers)
    return members.value
  }
}

extension JSONObjectReader {
  /// The field of a filter or sort order. Web Services name system fields in a member of their own,
  /// and otherwise than schemas do.
  ///
  /// - Parameter comparator: a search for tokens is one of all text if no field is named. Source: Apple's *CloudKit
  ///   Web Services Reference*, "Filter Dictionary".
  fileprivate mutating func fieldName(
    orAllTextFor comparator: QueryFilter.Comparator? = nil
  ) throws -> String {
    guard let system = try value("systemFieldName", String.self) else {
      guard comparator?.isTextSearch == true else { return try required("fieldName") }
      return try value("fieldName") ?? "self"
    }
    let known = SystemField.allCases.first { $0 != .etag && $0.webName == system }
    return known?.rawValue ?? system
  }
}

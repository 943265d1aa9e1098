import RecordModel

/// Reads responses of CloudKit Web Services.
struct WebServicesReader: DialectReader {
  private static let names = ResponseNames(
    items: ["records", "zones", "subscriptions"], page: ["metaSyncToken"],
    single: ["batch", "recordName", "serverErrorCode", "zoneID"],
    continuation: "continuationMarker", sync: "syncToken")

  /// The zone of records that do not name one.
  let zoneID: ZoneID
  let collector: ResponseCollector

  func read(_ json: JSONValue) throws {
    try json.forEachObject("a Web Services response", response)
  }

  private func response(_ json: JSONValue) throws {
    if let batch = json["batch"] {
      try inside(member: "batch") { try read(batch) }
    } else if Self.names.hasItems(json) {
      try container(json, zoneID, isZone: false)
    } else if json["recordName"] != nil || json["serverErrorCode"] != nil {
      try record(json, zoneID)
    } else if json["zoneID"] != nil {
      try zone(json)
    } else if Self.names.isPage(json) {
      collector.add(try Self.names.page(json))
    } else {
      throw json.error(
        found: "an object without 'records', 'zones', 'batch' or 'recordName'",
        expected: "a Web Services response, or a record")
    }
  }

  /// Reads an object that contains records, zones or subscriptions.
  private func container(_ json: JSONValue, _ zoneID: ZoneID, isZone: Bool) throws {
    try json.forEachElement(of: "zones") { try zone($1) }
    try json.forEachElement(of: "records") { try record($1, zoneID) }
    try json.forEachElement(of: "subscriptions") { _, json in
      collector.add(try error(json) ?? .subscription(CloudSubscription(json: json)))
    }
    collector.add(try Self.names.page(json, zoneID: isZone ? zoneID : nil))
  }

  private func record(_ json: JSONValue, _ zoneID: ZoneID) throws {
    let context = DecodingContext(zoneID: zoneID, zones: collector.zones)
    if let error = try error(json) {
      collector.add(error)
    } else if json["deleted"]?.bool == true {
      collector.add(.tombstone(try DeletedRecord(json: json, context)))
    } else {
      collector.add(.record(try ResultRecord(json: json, context)))
    }
  }

  /// Reads a zone in a list, or the changes in a zone.
  private func zone(_ json: JSONValue) throws {
    if json["records"] != nil {
      guard
        let zone = try json["zoneID"].map({ id in
          try inside(member: "zoneID") { try ZoneID.read(id) }
        })
      else {
        throw json.error(found: "a zone without 'zoneID'", expected: "the member 'zoneID'")
      }
      let zoneID = collector.zones.addRecord(in: zone.zoneID, zone.others)
      return try container(json, zoneID, isZone: true)
    }
    if let error = try error(json) { return collector.add(error) }
    let zone = try RecordZone(json: json)
    collector.add(json["deleted"]?.bool == true ? .deletedZone(zone.zoneID) : .zone(zone))
  }

  /// Returns the error in place of an item, if it is one. A record may have unknown members of any
  /// name.
  private func error(_ json: JSONValue) throws -> ResponseItem? {
    guard json["serverErrorCode"]?.isNull == false else { return nil }
    if json["recordType"] != nil, json["fields"] != nil { return nil }
    return .error(try ResponseErrorItem(json: json))
  }
}

import RecordModel

/// Reads responses of CloudKit Web Services.
struct WebServicesReader: DialectReader {
  private static let names = ResponseOutline.Names(
    items: ["records", "zones", "subscriptions"], page: ["metaSyncToken"],
    single: ["batch", "recordName", "serverErrorCode", "zoneID"],
    continuation: "continuationMarker", sync: "syncToken")

  /// The zone of records that do not name one.
  let zoneID: ZoneID
  let sink: ResponseSink

  func read(_ parser: inout JSONParser) throws {
    try parser.forEachObject("a Web Services response", response)
  }

  private func response(_ parser: inout JSONParser) throws {
    var start = parser
    let outline = try ResponseOutline(&parser, Self.names)
    if outline.has("batch") {
      try outline.read("batch", read)
    } else if outline.hasItems {
      try container(outline, zoneID, isZone: false)
    } else if outline.has("recordName") || outline.has("serverErrorCode") {
      try record(&start, zoneID)
    } else if outline.has("zoneID") {
      try zone(&start)
    } else if outline.isPage {
      sink.add(try outline.page(zoneID: nil))
    } else {
      throw start.error(
        found: "an object without 'records', 'zones', 'batch' or 'recordName'",
        expected: "a Web Services response, or a record")
    }
  }

  /// Reads an object that contains records, zones or subscriptions.
  private func container(_ outline: ResponseOutline, _ zoneID: ZoneID, isZone: Bool) throws {
    try outline.readElements("zones") { _, parser in try zone(&parser) }
    try outline.readElements("records") { _, parser in try record(&parser, zoneID) }
    try outline.readElements("subscriptions") { _, parser in
      let json = try parser.separateValue()
      try sink.emit(error(json) ?? .subscription(CloudSubscription(json: json)))
    }
    sink.add(try outline.page(zoneID: isZone ? zoneID : nil))
  }

  private func record(_ parser: inout JSONParser, _ zoneID: ZoneID) throws {
    let json = try parser.separateValue()
    let context = MappingContext(zoneID: zoneID, zones: sink.zones)
    if let error = try error(json) {
      try sink.emit(error)
    } else if json["deleted"]?.bool == true {
      try sink.emit(.tombstone(DeletedRecord(json: json, context)))
    } else {
      try sink.emit(.record(ResultRecord(json: json, context)))
    }
  }

  /// Reads a zone in a list, or the changes in a zone.
  private func zone(_ parser: inout JSONParser) throws {
    var start = parser
    let outline = try ResponseOutline(&parser, Self.names)
    if outline.has("records") {
      let zone = try outline.read("zoneID") { try ZoneID.read($0.separateValue()) }
      guard let zone else {
        throw start.error(found: "a zone without 'zoneID'", expected: "the member 'zoneID'")
      }
      let zoneID = sink.zones.addRecord(in: zone.zoneID, zone.others)
      return try container(outline, zoneID, isZone: true)
    }
    let json = try start.separateValue()
    if let error = try error(json) {
      try sink.emit(error)
    } else {
      let zone = try RecordZone(json: json)
      try sink.emit(json["deleted"]?.bool == true ? .deletedZone(zone.zoneID) : .zone(zone))
    }
  }

  /// Returns the error in place of an item, if it is one. A record may have unknown members of any
  /// name.
  private func error(_ json: JSONValue) throws -> ResponseItem? {
    guard json["serverErrorCode"]?.isNull == false else { return nil }
    if json["recordType"] != nil, json["fields"] != nil { return nil }
    return .error(try ResponseErrorItem(json: json))
  }
}

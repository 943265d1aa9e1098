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

  func read(_ parser: inout JSONParser) throws(RecordCodingError) {
    try responses(&parser, zoneID)
  }

  /// Reads a response or an array of responses.
  private func responses(_ parser: inout JSONParser, _ zoneID: ZoneID) throws(RecordCodingError) {
    guard parser.peek() == UInt8(ascii: "[") else { return try response(&parser, zoneID) }
    try parser.forEachElement { (_, parser) throws(RecordCodingError) in
      try response(&parser, zoneID)
    }
  }

  private func response(_ parser: inout JSONParser, _ zoneID: ZoneID) throws(RecordCodingError) {
    guard parser.peek() == UInt8(ascii: "{") else {
      throw parser.error(expected: "a response of Web Services: an object, or an array of them")
    }
    let start = parser
    let outline = try ResponseOutline(&parser, Self.names)
    if outline.has("batch") {
      return try outline.read("batch") { (parser) throws(RecordCodingError) in
        try responses(&parser, zoneID)
      }
    }
    if outline.hasItems {
      return try container(outline, zoneID, isZone: false)
    }
    var item = start
    if outline.has("recordName") || outline.has("serverErrorCode") {
      try record(&item, zoneID)
    } else if outline.has("zoneID") {
      try zone(&item)
    } else if !outline.isPage {
      throw start.error(
        found: "an object without 'records', 'zones', 'batch' or 'recordName'",
        expected: "a response of Web Services, or a record")
    } else {
      sink.add(try outline.page(zoneID: nil))
    }
  }

  /// Reads an object that contains records, zones or subscriptions.
  private func container(
    _ outline: ResponseOutline, _ zoneID: ZoneID, isZone: Bool
  ) throws(RecordCodingError) {
    try outline.readElements("zones") { (parser) throws(RecordCodingError) in
      try zone(&parser)
    }
    try outline.readElements("records") { (parser) throws(RecordCodingError) in
      try record(&parser, zoneID)
    }
    try outline.readElements("subscriptions") { (parser) throws(RecordCodingError) in
      let json = try parser.tree()
      try sink.emit(
        json["serverErrorCode"] == nil
          ? .subscription(Subscription(json: json)) : .error(ResponseErrorItem(json: json)))
    }
    sink.add(try outline.page(zoneID: isZone ? zoneID : nil))
  }

  private func record(_ parser: inout JSONParser, _ zoneID: ZoneID) throws(RecordCodingError) {
    let json = try parser.tree()
    let context = MappingContext(zoneID: zoneID, zones: sink.zones)
    if json["serverErrorCode"]?.isNull == false {
      try sink.emit(.error(try ResponseErrorItem(json: json)))
    } else if json["deleted"]?.bool == true {
      try sink.emit(.tombstone(try Tombstone(json: json, context)))
    } else {
      try sink.emit(.record(try ResultRecord(json: json, context)))
    }
  }

  /// Reads a zone in a list, or the changes in a zone.
  private func zone(_ parser: inout JSONParser) throws(RecordCodingError) {
    var start = parser
    let outline = try ResponseOutline(&parser, Self.names)
    if outline.has("records") {
      var identity: (zoneID: ZoneID, others: OtherMembers)?
      try outline.read("zoneID") { (parser) throws(RecordCodingError) in
        identity = try ZoneID.read(try parser.tree())
      }
      guard let identity else {
        throw start.error(found: "a zone without 'zoneID'", expected: "the member 'zoneID'")
      }
      let zoneID = sink.zones.shared(identity.zoneID)
      sink.zones.noteRecord(in: zoneID, identity.others)
      return try container(outline, zoneID, isZone: true)
    }
    let json = try start.tree()
    if json["serverErrorCode"]?.isNull == false {
      try sink.emit(.error(try ResponseErrorItem(json: json)))
    } else if json["deleted"]?.bool == true {
      try sink.emit(.deletedZone(try RecordZone(json: json).zoneID))
    } else {
      try sink.emit(.zone(try RecordZone(json: json)))
    }
  }
}

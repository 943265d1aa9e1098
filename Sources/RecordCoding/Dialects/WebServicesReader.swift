import RecordModel

/// Reads responses of CloudKit Web Services.
///
/// An item or a field that cannot be read is reported as ``ResponseItem/unread(_:)``, and the rest is
/// read.
struct WebServicesReader: DialectReader {
  private static let names = ResponseNames(
    items: ["records", "zones", "subscriptions"], page: ["metaSyncToken"],
    single: ["batch", "recordName", "serverErrorCode", "zoneID"],
    continuation: "continuationMarker", sync: "syncToken")

  /// The zone of records that do not name one.
  let zoneID: ZoneID
  let collector: ResponseCollector

  func read(_ json: JSONValue) throws { try read(json, ResponsePath()) }

  private func read(_ json: JSONValue, _ path: ResponsePath) throws {
    try json.forEachObject("a Web Services response", at: path, response)
  }

  private func response(_ json: JSONValue, _ path: ResponsePath) throws {
    if let batch = json["batch"] {
      try inside(member: "batch") { try read(batch, path.member("batch")) }
    } else if Self.names.hasItems(json) {
      try container(json, zoneID, path, isZone: false)
    } else if json["results"] != nil {
      try forEachElement(of: "results", in: json, path, share)
    } else if json["recordName"] != nil || json["serverErrorCode"] != nil {
      try record(json, zoneID, path)
    } else if json["zoneID"] != nil {
      try zone(json, path)
    } else if Self.names.isPage(json) {
      try page(json, nil, path)
    } else {
      throw json.error(
        found: "an object without 'records', 'zones', 'results', 'batch' or 'recordName'",
        expected: "a Web Services response, or a record")
    }
  }

  /// Reads an object that contains records, zones or subscriptions.
  private func container(
    _ json: JSONValue, _ zoneID: ZoneID, _ path: ResponsePath, isZone: Bool
  ) throws {
    try forEachElement(of: "zones", in: json, path) { try zone($0, $1) }
    try forEachElement(of: "records", in: json, path) { try record($0, zoneID, $1) }
    try forEachElement(of: "subscriptions", in: json, path) { json, path in
      try collector.collectingErrors(at: path) {
        collector.add(try error(json) ?? .subscription(CloudSubscription(json: json)))
      }
    }
    try page(json, isZone ? zoneID : nil, path)
  }

  private func forEachElement(
    of name: String, in json: JSONValue, _ path: ResponsePath,
    _ body: (JSONValue, ResponsePath) throws -> Void
  ) throws {
    try collector.collectingErrors(at: path) {
      try json.forEachElement(of: name) { try body($1, path.member(name).element($0)) }
    }
  }

  private func page(_ json: JSONValue, _ zoneID: ZoneID?, _ path: ResponsePath) throws {
    try collector.collectingErrors(at: path) {
      collector.add(try Self.names.page(json, zoneID: zoneID))
    }
  }

  private func record(_ json: JSONValue, _ zoneID: ZoneID, _ path: ResponsePath) throws {
    var context = DecodingContext(zoneID: zoneID, zones: collector.zones)
    context.readsNumberTexts = true
    try collector.collectingErrors(at: path) {
      if let error = try error(json) {
        collector.add(error)
      } else if json["deleted"]?.bool == true {
        collector.add(.tombstone(try DeletedRecord(json: json, context)))
      } else {
        let record = try ResultRecord(
          json: json, context, unread: { try collector.add(unread: path.extending($0)) },
          field: { try Field(name: $0.name, json: $0.value, $1) })
        collector.add(.record(record))
      }
    }
  }

  /// Reads a result of `records/resolve` or `records/accept`: a share and its root record.
  private func share(_ json: JSONValue, _ path: ResponsePath) throws {
    try collector.collectingErrors(at: path) {
      if let error = try error(json) { return collector.add(error) }
      let zone = try json["zoneID"].map { id in
        try inside(member: "zoneID") { try ZoneID.read(id, DecodingContext()) }
      }
      let zoneID = zone.map { collector.zones.addRecord(in: $0.zoneID, $0.others) } ?? self.zoneID
      for name in ["share", "rootRecord"] {
        if let item = json[name] { try record(item, zoneID, path.member(name)) }
      }
    }
  }

  /// Reads a zone in a list, or the changes in a zone.
  private func zone(_ json: JSONValue, _ path: ResponsePath) throws {
    try collector.collectingErrors(at: path) {
      let error = try error(json)
      if let error { collector.add(error) }
      if json["records"] != nil {
        guard
          let zone = try json["zoneID"].map({ id in
            try inside(member: "zoneID") { try ZoneID.read(id, DecodingContext()) }
          })
        else {
          throw json.error(found: "a zone without 'zoneID'", expected: "the member 'zoneID'")
        }
        let zoneID = collector.zones.addRecord(in: zone.zoneID, zone.others)
        return try container(json, zoneID, path, isZone: true)
      }
      if error != nil { return }
      let zone = try RecordZone(json: json)
      collector.add(json["deleted"]?.bool == true ? .deletedZone(zone.zoneID) : .zone(zone))
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

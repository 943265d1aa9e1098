import RecordModel

extension Reference: JSONConvertible {
  /// Reads a reference; without a zone, it refers to the default zone.
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  package init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    var members = try MemberReader(json, "a reference")
    let name = try members.requiredString("recordName")
    var zoneID = context.zoneID
    if let zone = try members.read("zoneID", ZoneID.read) {
      zoneID = zone.zoneID == context.zoneID ? context.zoneID : zone.zoneID
      if let zones = context.zones {
        zoneID = zones.shared(zoneID)
        zones.noteReference(to: zoneID, zone.others)
      }
    }
    let action = try members.read("action") { (json) throws(RecordCodingError) -> Action in
      guard let action = json.string.flatMap(Action.init) else {
        throw context.mismatch(json, expected: "\"NONE\", \"DELETE_SELF\" or \"VALIDATE\"")
      }
      return action
    }
    self.init(
      recordID: RecordID(recordName: name, zoneID: zoneID), action: action ?? .none,
      otherMembers: members.others())
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue { try jsonValue(in: .default) }

  /// - Parameter zoneID: the zone to omit.
  package func jsonValue(in zoneID: ZoneID) throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("recordName", recordID.recordName)
    if recordID.zoneID != zoneID { members.add("zoneID", recordID.zoneID.jsonValue()) }
    members.add("action", action.rawValue)
    try members.add(otherMembers)
    return members.value
  }
}

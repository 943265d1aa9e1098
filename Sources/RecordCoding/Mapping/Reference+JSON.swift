import RecordModel

extension Reference.Action: JSONEnum {}

extension Reference: JSONConvertible {
  /// Reads a reference; without a zone, it is to that of the context.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a reference", context)
    let name = try members.required("recordName", String.self)
    var zoneID = context.zoneID
    if let zone = try members.read("zoneID", ZoneID.read) {
      zoneID = zone.zoneID == context.zoneID ? context.zoneID : zone.zoneID
      zoneID = context.zones?.addReference(to: zoneID, zone.others) ?? zoneID
    }
    self.init(
      recordID: RecordID(recordName: name, zoneID: zoneID),
      action: try members.value("action") ?? .none, otherMembers: members.others())
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("recordName", recordID.recordName)
    try members.add("zoneID", recordID.zoneID == zoneID ? nil : recordID.zoneID)
    members.add("action", action.rawValue)
    try members.add(otherMembers)
    return members.value
  }
}

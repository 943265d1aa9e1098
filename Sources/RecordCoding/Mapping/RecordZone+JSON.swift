import RecordModel

extension RecordZone.Capability: JSONEnum {}

extension RecordZone: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a zone", context)
    let zone = try members.require("zoneID", ZoneID.read)
    members.context.zoneID = zone.zoneID
    let capabilities = try members.value("capabilities", [Capability].self)
    self.init(
      zoneID: zone.zoneID, capabilities: capabilities.map { Set($0) },
      share: try members.value("share"))
    otherMembers = try members.lineOthers()
    for member in zone.others { otherMembers.set(member.name, to: member.value) }
    // Web Services send only one capability, as the member `atomic`.
    if capabilities == nil, let isAtomic = otherMembers["atomic"]?.text {
      if isAtomic == "true" { self.capabilities.insert(.atomic) }
      if isAtomic == "false" { self.capabilities.remove(.atomic) }
    }
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter(zoneID: zoneID, others: otherMembers)
    try members.add("zoneID", zoneID)
    try members.add("capabilities", capabilities.map(\.rawValue).sorted())
    try members.add("share", share)
    return try members.valueWithOthers()
  }
}

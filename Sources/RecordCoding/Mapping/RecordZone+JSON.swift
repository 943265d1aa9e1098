import RecordModel

extension RecordZone: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a zone")
    let zone = try members.require("zoneID", ZoneID.read)
    let context = MappingContext(zoneID: zone.zoneID)
    let capabilities = try members.read("capabilities", Self.capabilities)
    self.init(
      zoneID: zone.zoneID, capabilities: capabilities,
      share: try members.read("share") { (json) throws(RecordCodingError) in
        try Reference(json: json, context)
      })
    otherMembers = try members.lineOthers()
    for member in zone.others { otherMembers.set(member.name, to: member.value) }
    // Web Services send only one capability, as the member `atomic`.
    if capabilities == nil, let isAtomic = otherMembers["atomic"]?.text {
      if isAtomic == "true" { self.capabilities.insert(.atomic) }
      if isAtomic == "false" { self.capabilities.remove(.atomic) }
    }
  }

  private static func capabilities(
    _ json: JSONValue
  ) throws(RecordCodingError) -> Set<Capability> {
    Set(
      try json.expectElements { (json) throws(RecordCodingError) -> Capability in
        guard let capability = json.string.flatMap(Capability.init) else {
          let names = Capability.allCases.map(\.rawValue).joined(separator: ", ")
          throw RecordCodingError(
            offset: json.offset, found: json.shown, expected: "a capability of zones: \(names)")
        }
        return capability
      })
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("zoneID", zoneID.jsonValue())
    members.add(
      "capabilities", .array(capabilities.map(\.rawValue).sorted().map(JSONValue.string)))
    if let share { members.add("share", try share.jsonValue(in: zoneID)) }
    try members.add(otherMembers)
    return members.value
  }
}

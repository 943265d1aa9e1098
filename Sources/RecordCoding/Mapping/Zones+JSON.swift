import RecordModel

extension ZoneID: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    self = try Self.read(json, context).zoneID
  }

  /// Reads a zone ID, and the other members of the object (`zoneType`), which belong to the zone.
  static func read(
    _ json: JSONValue, _ context: DecodingContext
  ) throws -> (zoneID: ZoneID, others: OtherMembers) {
    var members = try JSONObjectReader(json, "a zone ID")
    members.context.mayShowValues = false
    if context.unknownMembers != nil {
      members.context.unknownMembers = context.unknownMembers
      _ = members.take("zoneType")
    }
    let name = try members.requiredName("zoneName")
    // MistKit's description of Web Services has `ownerName`; servers send `ownerRecordName`.
    let owner = try members.name("ownerRecordName")
    let otherSpelling = try members.name("ownerName")
    let zoneID = ZoneID(
      zoneName: name, ownerName: owner ?? otherSpelling ?? ZoneID.currentUserOwnerName)
    return (zoneID, try members.zoneOthers())
  }

  package func jsonValue(in _: ZoneID) -> JSONValue { jsonValue() }

  package func jsonValue() -> JSONValue {
    .object([
      .init("zoneName", .string(zoneName)), .init("ownerRecordName", .string(ownerName)),
    ])
  }
}

extension RecordID: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a record ID", context)
    self.init(
      recordName: try members.required("recordName"),
      zoneID: try members.value("zoneID") ?? .default)
  }

  package func jsonValue(in _: ZoneID) -> JSONValue {
    .object([.init("recordName", .string(recordName)), .init("zoneID", zoneID.jsonValue())])
  }
}

extension RecordZone.Capability: JSONEnum {}

extension RecordZone: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a zone", context)
    let zone = try members.require("zoneID") { try ZoneID.read($0, context) }
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

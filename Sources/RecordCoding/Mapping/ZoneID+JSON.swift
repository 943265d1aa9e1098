import RecordModel

extension ZoneID: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    self = try Self.read(json).zoneID
  }

  /// Reads a zone's identity, and the other members of the object (`zoneType`), which belong to the
  /// zone.
  static func read(
    _ json: JSONValue
  ) throws(RecordCodingError) -> (zoneID: ZoneID, others: OtherMembers) {
    var members = try MemberReader(json, "a zone's identity")
    let name = try members.requiredName("zoneName")
    // MistKit's description of Web Services has `ownerName`; servers send `ownerRecordName`.
    let owner = try members.name("ownerRecordName")
    let otherSpelling = try members.name("ownerName")
    let zoneID = ZoneID(
      zoneName: name, ownerName: owner ?? otherSpelling ?? ZoneID.currentUserOwnerName)
    return (zoneID, try members.zoneOthers())
  }

  package func jsonValue() -> JSONValue {
    .object([
      .init("zoneName", .string(zoneName)), .init("ownerRecordName", .string(ownerName)),
    ])
  }
}

extension RecordID: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a record's identity")
    let name = try members.requiredString("recordName")
    self.init(recordName: name, zoneID: try members.object("zoneID") ?? .default)
  }

  package func jsonValue() -> JSONValue {
    .object([.init("recordName", .string(recordName)), .init("zoneID", zoneID.jsonValue())])
  }
}

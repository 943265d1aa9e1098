import CloudInterface
import RecordCoding
import RecordModel

extension RecordZoneChange.Deletion: JSONConvertible {
  package init(json: JSONValue, _ context: MappingContext) throws {
    var members = try MemberReader(json, "a deleted record", context)
    self.init(
      recordID: try members.required("id"), recordType: try members.value("recordType") ?? "")
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = MemberWriter()
    try members.add("id", recordID)
    members.add("recordType", recordType.isEmpty ? nil : recordType)
    return members.value
  }
}

extension ZoneTombstone.Reason: JSONWord {}

extension ZoneTombstone: JSONConvertible {
  package init(json: JSONValue, _ context: MappingContext) throws {
    var members = try MemberReader(json, "a deleted zone", context)
    self.init(zoneID: try members.required("zoneID"), reason: try members.required("reason"))
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = MemberWriter()
    try members.add("zoneID", zoneID)
    try members.add("reason", reason)
    return members.value
  }
}

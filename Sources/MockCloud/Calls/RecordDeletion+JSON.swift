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

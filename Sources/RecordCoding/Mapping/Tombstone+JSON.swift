import RecordModel

import struct Foundation.Date

extension Tombstone: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  /// - Parameter context: contains the zone of a record that does not name one.
  package init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    var members = try MemberReader(json, "a deleted record")
    var zoneID = context.zoneID
    if let zone = try members.read("zoneID", ZoneID.read) {
      zoneID = context.zones?.shared(zone.zoneID) ?? zone.zoneID
      context.zones?.noteRecord(in: zoneID, zone.others)
    }
    let name = try members.requiredName("recordName")
    // Web Services send `true`; a bundle contains the date if it is known.
    let date = try members.read("deleted") { (json) throws(RecordCodingError) -> Date? in
      json.bool == true ? nil : try json.date(context)
    }
    self.init(
      recordID: RecordID(recordName: name, zoneID: zoneID),
      recordType: try members.name("recordType"), deletionDate: date ?? nil)
    otherMembers = try members.lineOthers()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("zoneID", recordID.zoneID.jsonValue())
    members.add("recordName", recordID.recordName)
    members.add("recordType", recordType)
    try members.add("deleted", deletionDate)
    try members.add(otherMembers)
    return members.value
  }
}

import RecordModel

import struct Foundation.Date

extension DeletedRecord: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a deleted record", context)
    let zoneID = try members.zoneIDOfRecord() ?? context.zoneID
    let name = try members.requiredName("recordName")
    // Web Services send `true`; a bundle contains the date if it is known.
    let date = try members.read("deleted") { json in
      json.bool == true ? nil : try Date(json: json, context)
    }
    self.init(
      recordID: RecordID(recordName: name, zoneID: zoneID),
      recordType: try members.name("recordType"),
      recordChangeTag: try members.value("recordChangeTag"), deletionDate: date ?? nil)
    otherMembers = try members.lineOthers()
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    try members.add("zoneID", recordID.zoneID)
    members.add("recordName", recordID.recordName)
    members.add("recordType", recordType)
    members.add("recordChangeTag", recordChangeTag)
    try members.add("deleted", deletionDate)
    try members.add(otherMembers)
    return members.value
  }
}

extension DeletedZone.Reason: JSONEnum {}

extension DeletedZone: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a deleted zone", context)
    self.init(
      zoneID: try members.required("zoneID"), reason: try members.value("reason") ?? .deleted)
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    try members.add("zoneID", zoneID)
    try members.add("reason", reason == .deleted ? nil : reason)
    return members.value
  }
}

extension JSONObjectReader {
  /// Takes the zone of a record, and adds it to the collector; nil if the record names none.
  mutating func zoneIDOfRecord() throws -> ZoneID? {
    try read("zoneID", ZoneID.read).map { zone in
      context.zones?.addRecord(in: zone.zoneID, zone.others) ?? zone.zoneID
    }
  }
}

import RecordModel

import struct Foundation.Data

extension SystemFields: JSONConvertible {
  /// Reads a record dictionary without its fields.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "the system fields of a record", context)
    let archive = try members.value(Self.archiveKey, Data.self)
    _ = members.take("fields")
    self = try Self.read(&members)
    self.archive = archive
  }

  /// The member for the keyed archive, which only system fields have, not records.
  private static let archiveKey = "keyedArchive"

  /// Reads everything but the fields from a record dictionary.
  static func read(_ members: inout JSONObjectReader) throws -> SystemFields {
    if let zoneID = try members.zoneIDOfRecord() {
      members.context.zoneID = zoneID
    } else {
      _ = members.context.zones?.addRecord(in: members.context.zoneID)
    }
    let recordName = try members.requiredName("recordName")
    let recordType = try members.requiredName("recordType")
    if let deleted = members.take("deleted"), deleted.bool != false {
      throw deleted.error(found: "a deleted record", expected: "a record that is not deleted")
        .inside(member: "deleted")
    }
    return SystemFields(
      recordID: RecordID(recordName: recordName, zoneID: members.context.zoneID),
      recordType: recordType, recordChangeTag: try members.value("recordChangeTag"),
      created: try members.value("created"), modified: try members.value("modified"),
      parent: try members.value("parent"), share: try members.value("share"),
      otherMembers: try members.lineOthers())
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = try knownMembers()
    try members.add(Self.archiveKey, archive)
    try members.add(otherMembers)
    return members.value
  }

  /// Returns the members before `fields` in a record dictionary.
  func knownMembers() throws -> JSONObjectWriter {
    var members = JSONObjectWriter(zoneID: recordID.zoneID)
    try members.add("zoneID", recordID.zoneID)
    members.add("recordType", recordType)
    members.add("recordName", recordID.recordName)
    members.add("recordChangeTag", recordChangeTag)
    try members.add("created", created)
    try members.add("modified", modified)
    try members.add("parent", parent)
    try members.add("share", share)
    return members
  }
}

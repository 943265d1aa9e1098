import RecordModel

import struct Foundation.Data

extension SystemFields: JSONConvertible {
  /// Reads a record dictionary without its fields.
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "the system fields of a record")
    let archive = try members.read(Self.archiveKey) { (json) throws(RecordCodingError) in
      try json.bytes(MappingContext())
    }
    _ = members.take("fields")
    self = try Self.read(&members, MappingContext())
    self.archive = archive
  }

  /// The member for the keyed archive, which only system fields have, not records.
  private static let archiveKey = "keyedArchive"

  /// Reads everything but the fields from a record dictionary.
  static func read(
    _ members: inout MemberReader, _ outer: MappingContext
  ) throws(RecordCodingError) -> SystemFields {
    var context = outer
    if let zone = try members.read("zoneID", ZoneID.read) {
      context.zoneID = outer.zones?.shared(zone.zoneID) ?? zone.zoneID
      outer.zones?.noteRecord(in: context.zoneID, zone.others)
    } else {
      outer.zones?.noteRecord(in: context.zoneID, [])
    }
    let recordName = try members.requiredName("recordName")
    let recordType = try members.requiredName("recordType")
    if let deleted = members.take("deleted"), deleted.bool != false {
      throw RecordCodingError(
        offset: deleted.offset, found: "a record that is deleted", expected: "a living record"
      ).inside(member: "deleted")
    }
    func reference(_ json: JSONValue) throws(RecordCodingError) -> Reference {
      try Reference(json: json, context)
    }
    var fields = SystemFields(
      recordID: RecordID(recordName: recordName, zoneID: context.zoneID), recordType: recordType,
      recordChangeTag: try members.string("recordChangeTag"),
      created: try members.object("created"), modified: try members.object("modified"),
      parent: try members.read("parent", reference), share: try members.read("share", reference))
    fields.otherMembers = try members.lineOthers()
    return fields
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = try knownMembers()
    members.add(Self.archiveKey, archive.map(JSONValue.bytes))
    try members.add(otherMembers)
    return members.value
  }

  /// Returns the members before `fields` in a record dictionary.
  func knownMembers() throws(RecordCodingError) -> MemberWriter {
    let zoneID = recordID.zoneID
    var members = MemberWriter()
    members.add("zoneID", zoneID.jsonValue())
    members.add("recordType", recordType)
    members.add("recordName", recordID.recordName)
    members.add("recordChangeTag", recordChangeTag)
    try members.add("created", created)
    try members.add("modified", modified)
    if let parent { members.add("parent", try parent.jsonValue(in: zoneID)) }
    if let share { members.add("share", try share.jsonValue(in: zoneID)) }
    return members
  }
}

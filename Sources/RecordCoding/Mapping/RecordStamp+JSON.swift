import RecordModel

extension RecordStamp: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "when and by whom")
    self.init(
      date: try members.date("timestamp", MappingContext()),
      userRecordName: try members.string("userRecordName"),
      deviceID: try members.string("deviceID"))
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    try members.add("timestamp", date)
    members.add("userRecordName", userRecordName)
    members.add("deviceID", deviceID)
    try members.add(otherMembers)
    return members.value
  }
}

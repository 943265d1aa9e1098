import RecordModel

extension UserIdentity: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "who a user is")
    self.init(
      userRecordName: try members.string("userRecordName"),
      nameComponents: try members.object("nameComponents"),
      lookupInfo: try members.object("lookupInfo"))
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("userRecordName", userRecordName)
    try members.add("nameComponents", nameComponents)
    try members.add("lookupInfo", lookupInfo)
    try members.add(otherMembers)
    return members.value
  }
}

extension UserIdentity.LookupInfo: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "how a user was looked up")
    self.init(
      emailAddress: try members.string("emailAddress"),
      phoneNumber: try members.string("phoneNumber"),
      userRecordName: try members.string("userRecordName"))
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("emailAddress", emailAddress)
    members.add("phoneNumber", phoneNumber)
    members.add("userRecordName", userRecordName)
    try members.add(otherMembers)
    return members.value
  }
}

extension UserIdentity.NameComponents: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "the parts of a name")
    self.init(
      namePrefix: try members.string("namePrefix"), givenName: try members.string("givenName"),
      middleName: try members.string("middleName"), familyName: try members.string("familyName"),
      nameSuffix: try members.string("nameSuffix"), nickname: try members.string("nickname"))
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("namePrefix", namePrefix)
    members.add("givenName", givenName)
    members.add("middleName", middleName)
    members.add("familyName", familyName)
    members.add("nameSuffix", nameSuffix)
    members.add("nickname", nickname)
    try members.add(otherMembers)
    return members.value
  }
}

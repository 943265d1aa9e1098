import RecordModel

extension UserIdentity: JSONMapped {
  package static var noun: String { "a user identity" }
  package static var isPrivate: Bool { true }
  package static var empty: UserIdentity { UserIdentity() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("userRecordName", &userRecordName)
    try members.map("nameComponents", &nameComponents)
    try members.map("lookupInfo", &lookupInfo)
  }
}

extension UserIdentity.LookupInfo: JSONMapped {
  package static var noun: String { "lookup info" }
  package static var isPrivate: Bool { true }
  package static var empty: Self { Self() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("emailAddress", &emailAddress)
    try members.map("phoneNumber", &phoneNumber)
    try members.map("userRecordName", &userRecordName)
  }
}

extension UserIdentity.NameComponents: JSONMapped {
  package static var noun: String { "name components" }
  package static var isPrivate: Bool { true }
  package static var empty: Self { Self() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("namePrefix", &namePrefix)
    try members.map("givenName", &givenName)
    try members.map("middleName", &middleName)
    try members.map("familyName", &familyName)
    try members.map("nameSuffix", &nameSuffix)
    try members.map("nickname", &nickname)
  }
}

import RecordModel

extension RecordStamp: JSONMapped {
  package static var noun: String { "a stamp" }
  package static var empty: RecordStamp { RecordStamp() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("timestamp", &date)
    try members.map("userRecordName", &userRecordName)
    try members.map("deviceID", &deviceID)
  }
}

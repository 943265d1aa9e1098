import RecordModel

extension Location: JSONMapped {
  package static var noun: String { "a location" }
  package static var empty: Location { Location(latitude: 0, longitude: 0) }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map(required: "latitude", &latitude)
    try members.map(required: "longitude", &longitude)
    try members.map("altitude", &altitude)
    try members.map("horizontalAccuracy", &horizontalAccuracy)
    try members.map("verticalAccuracy", &verticalAccuracy)
    try members.map("course", &course)
    try members.map("speed", &speed)
    try members.map("timestamp", &timestamp)
  }
}

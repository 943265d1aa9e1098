import RecordModel

extension Location: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  package init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    var members = try MemberReader(json, "a location")
    guard let latitude = try members.double("latitude", context) else {
      throw members.missing("latitude")
    }
    guard let longitude = try members.double("longitude", context) else {
      throw members.missing("longitude")
    }
    self.init(
      latitude: latitude, longitude: longitude,
      altitude: try members.double("altitude", context),
      horizontalAccuracy: try members.double("horizontalAccuracy", context),
      verticalAccuracy: try members.double("verticalAccuracy", context),
      course: try members.double("course", context),
      speed: try members.double("speed", context),
      timestamp: try members.date("timestamp", context))
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    try members.add("latitude", latitude)
    try members.add("longitude", longitude)
    try members.add("altitude", altitude)
    try members.add("horizontalAccuracy", horizontalAccuracy)
    try members.add("verticalAccuracy", verticalAccuracy)
    try members.add("course", course)
    try members.add("speed", speed)
    try members.add("timestamp", timestamp)
    try members.add(otherMembers)
    return members.value
  }
}

import RecordModel

extension CloudError: JSONConvertible {
  /// Reads the error of a record or response in Web Services' format.
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "an error")
    try self.init(&members)
  }

  /// - Note: An unknown code becomes ``Code/serverRejectedRequest``; the message then starts with
  ///   it.
  init(_ members: inout MemberReader) throws(RecordCodingError) {
    let name = try members.string("serverErrorCode")
    let number = try members.read("ckErrorCode") { (json) throws(RecordCodingError) in
      try json.int64(MappingContext())
    }
    let reason = try members.string("reason") ?? ""
    let retryAfter = try members.double("retryAfter", MappingContext())
    let numbered = number.flatMap { Int(exactly: $0) }.flatMap(Code.init)
    if let code = numbered ?? name.flatMap(Code.init(serverErrorCode:)) {
      self.init(code, reason, retryAfter: retryAfter)
    } else if let name {
      let message = reason.isEmpty ? name : "\(name): \(reason)"
      self.init(.serverRejectedRequest, message, retryAfter: retryAfter)
    } else {
      throw members.missing("serverErrorCode")
    }
  }

  /// Returns the error in Web Services' format; errors that only the framework reports have a
  /// number.
  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    if let name = code.serverErrorCode {
      members.add("serverErrorCode", name)
    } else {
      members.add("ckErrorCode", .integer(code.rawValue))
    }
    if !message.isEmpty { members.add("reason", message) }
    try members.add("retryAfter", retryAfter)
    return members.value
  }
}

extension CloudError.Code {
  /// Creates the code for a `serverErrorCode` of Web Services.
  init?(serverErrorCode name: String) {
    switch name {
    case "AUTHENTICATION_FAILED": self = .notAuthenticated
    // Like EXISTS for records, but for zones.
    case "ZONE_ALREADY_EXISTS": self = .serverRejectedRequest
    default:
      guard let code = Self.allCases.first(where: { $0.serverErrorCode == name }) else {
        return nil
      }
      self = code
    }
  }
}

import RecordModel

extension CloudError: JSONConvertible {
  /// Reads the error of a record or of a whole response, as Web Services send it.
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "an error")
    try self.init(&members)
  }

  /// - Note: codes that the model does not know become ``Code/serverRejectedRequest``; the message
  ///   then begins with the server's code.
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

  /// The error as Web Services send it; those that only the framework has are told by number.
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
  /// The code that Web Services call by that name.
  init?(serverErrorCode name: String) {
    switch name {
    case "AUTHENTICATION_FAILED": self = .notAuthenticated
    // Beside EXISTS for a record, a zone can be there already.
    case "ZONE_ALREADY_EXISTS": self = .serverRejectedRequest
    default:
      guard let code = Self.allCases.first(where: { $0.serverErrorCode == name }) else {
        return nil
      }
      self = code
    }
  }
}

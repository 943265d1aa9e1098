import RecordModel

extension CloudError: JSONConvertible {
  /// Reads the error of a record or response in Web Services' format.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "an error", context)
    try self.init(&members)
  }

  /// - Note: An unknown code becomes ``Code/serverRejectedRequest``; the message then starts with
  ///   it.
  init(_ members: inout JSONObjectReader) throws {
    let name = try members.value("serverErrorCode", String.self)
    let number = try members.value("ckErrorCode", Int64.self)
    let reason = try members.value("reason") ?? ""
    let retryAfter = try members.value("retryAfter", Double.self)
    let numbered = number.flatMap { Int(exactly: $0) }.flatMap(Code.init)
    if let code = numbered ?? name.flatMap(Code.init(serverErrorCode:)) {
      self.init(code, reason, retryAfter: retryAfter)
    } else if let name {
      let message = reason.isEmpty ? name : "\(name): \(reason)"
      self.init(.serverRejectedRequest, message, retryAfter: retryAfter)
    } else {
      throw members.missing("serverErrorCode")
    }
    userDidResetEncryptedData = try members.value("userDidResetEncryptedData") ?? false
  }

  /// Returns the error in Web Services' format; errors that only the framework reports have a
  /// number.
  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("serverErrorCode", code.serverErrorCode)
    if code.serverErrorCode == nil { members.add("ckErrorCode", .integer(code.rawValue)) }
    if !message.isEmpty { members.add("reason", message) }
    try members.add("retryAfter", retryAfterSeconds)
    if userDidResetEncryptedData { try members.add("userDidResetEncryptedData", true) }
    return members.value
  }
}

extension CloudError.Code {
  /// Creates the code for a `serverErrorCode` of Web Services.
  init?(serverErrorCode name: String) {
    switch name {
    case "AUTHENTICATION_FAILED": self = .notAuthenticated
    // The code for zones that EXISTS is for records.
    case "ZONE_ALREADY_EXISTS": self = .serverRejectedRequest
    default:
      guard let code = Self.allCases.first(where: { $0.serverErrorCode == name }) else {
        return nil
      }
      self = code
    }
  }
}

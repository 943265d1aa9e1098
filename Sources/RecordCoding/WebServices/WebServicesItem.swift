import RecordModel

/// One thing that a Web Services response holds.
public enum WebServicesItem: Sendable, Hashable {
  /// A record.
  case record(ResultRecord)
  /// A record that was deleted.
  case tombstone(Tombstone)
  /// A zone that a response about zones lists.
  case zone(RecordZone)
  /// A zone that was deleted.
  case deletedZone(ZoneID)
  /// A subscription.
  case subscription(Subscription)
  /// What the server answered in place of a record, a zone or the whole.
  case error(WebServicesErrorItem)
}

/// What a server sends in place of a record that it could not fetch or save.
///
/// Source: *CloudKit Web Services Reference*, "Record Fetch Error Dictionary".
public struct WebServicesErrorItem: Sendable, Hashable, Error {
  /// The code, the message, and when to try again.
  public var error: CloudError
  /// The server's name of the error, also where `CloudError.Code` has none for it.
  public var serverErrorCode: String?
  /// The record it is about, where it is about one.
  public var recordName: String?
  /// The zone it is about, where the server names one.
  public var zoneID: ZoneID?
  /// The other members: `uuid`, `redirectURL` and what else came.
  public var otherMembers: OtherMembers

  /// Errors are equal when what the server sent is.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.error.code == rhs.error.code && lhs.error.message == rhs.error.message
      && lhs.error.retryAfter == rhs.error.retryAfter && lhs.recordName == rhs.recordName
      && lhs.serverErrorCode == rhs.serverErrorCode && lhs.zoneID == rhs.zoneID
      && lhs.otherMembers == rhs.otherMembers
  }

  /// Hashes code and record.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(error.code)
    hasher.combine(recordName)
  }
}

extension WebServicesErrorItem: CustomStringConvertible {
  /// The error, and the record it is about.
  public var description: String {
    recordName.map { "record '\($0)': \(error)" } ?? error.description
  }
}

extension WebServicesErrorItem: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "an error")
    error = try CloudError(&members)
    serverErrorCode = json["serverErrorCode"]?.string
    recordName = try members.string("recordName")
    zoneID = try members.object("zoneID")
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("recordName", recordName)
    members.add("zoneID", zoneID?.jsonValue())
    for member in try error.jsonValue().members ?? [] where member.name != "serverErrorCode" {
      members.add(member.name, member.value)
    }
    members.add("serverErrorCode", serverErrorCode ?? error.code.serverErrorCode)
    try members.add(otherMembers)
    return members.value
  }
}

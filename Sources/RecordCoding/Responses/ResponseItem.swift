import RecordModel

/// An item of a response.
public enum ResponseItem: Sendable, Hashable {
  /// A record.
  case record(ResultRecord)
  /// A deleted record.
  case tombstone(DeletedRecord)
  /// A zone in a response that lists zones.
  case zone(RecordZone)
  /// A deleted zone.
  case deletedZone(ZoneID)
  /// A subscription.
  case subscription(CloudSubscription)
  /// An error in place of a record, a zone or the whole response.
  case error(ResponseErrorItem)
  /// A part that the reader of a dialect could not take; the rest of the response is read.
  ///
  /// Web Services, whose form is known, have no such items: there, it is an error.
  case unread(RecordCodingError)
}

/// An error that a server sends in place of a record, zone or subscription.
///
/// Source: *CloudKit Web Services Reference*, "Record Fetch Error Dictionary".
public struct ResponseErrorItem: Sendable, Hashable, Error {
  /// The error code, message and retry delay.
  public var error: CloudError
  /// The server's error code, including codes that `CloudError.Code` does not have.
  @ExactText public var serverErrorCode: String? = nil
  /// The name of the record, if the error is about one.
  @ExactText public var recordName: String? = nil
  /// The zone, if the server sends one.
  public var zoneID: ZoneID?
  /// The other members, such as `uuid` and `redirectURL`.
  public var otherMembers: OtherMembers
}

extension ResponseErrorItem: CustomStringConvertible {
  /// The error, and the name of the record.
  public var description: String {
    recordName.map { "record '\($0)': \(error)" } ?? error.description
  }
}

extension ResponseErrorItem: JSONConvertible {
  package init(json: JSONValue, _ context: MappingContext) throws {
    var members = try MemberReader(json, "an error", context)
    error = try CloudError(&members)
    serverErrorCode = json["serverErrorCode"]?.string
    recordName = try members.value("recordName")
    zoneID = try members.value("zoneID")
    otherMembers = members.others()
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = MemberWriter()
    members.add("recordName", recordName)
    try members.add("zoneID", zoneID)
    for member in try error.jsonValue().members ?? [] where member.name != "serverErrorCode" {
      members.add(member.name, member.value)
    }
    members.add("serverErrorCode", serverErrorCode ?? error.code.serverErrorCode)
    try members.add(otherMembers)
    return members.value
  }
}

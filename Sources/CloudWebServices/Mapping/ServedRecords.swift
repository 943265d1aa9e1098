import RecordCoding
import RecordModel

/// Writes records, deletions and zones as they are in responses.
struct ServedRecords {
  private let assets: ServedAssets
  private let writer: WebServicesWriter

  init(_ call: EndpointCall, numbersAsStrings: Bool = false) {
    assets = ServedAssets(call: call)
    writer = WebServicesWriter(style: .init(numbersAsStrings: numbersAsStrings))
  }

  func record(_ record: ResultRecord) throws -> JSONValue {
    var record = assets.served(record)
    if record.isShare {
      // The link of a share is made of its short identifier.
      var systemFields = record.systemFields
      systemFields.otherMembers.set("url", to: nil)
      record = ResultRecord(systemFields: systemFields, fields: record.allFields)
    }
    return try writer.element(for: record)
  }

  /// Returns the result of a record in a request.
  func result(_ result: Result<ResultRecord, any Error>?, named name: String) throws -> JSONValue {
    switch result {
    case .success(let found)?: return try record(found)
    case .failure(let error)?: return Self.error(error, named: name)
    case nil: return Self.error(CloudError(.internalError, "no result"), named: name)
    }
  }

  static func error(_ error: any Error, named name: String) -> JSONValue {
    WebError(error).item([.init("recordName", .string(name))])
  }

  func deletion(_ recordID: RecordID) throws -> JSONValue {
    try writer.element(for: DeletedRecord(recordID: recordID)) ?? .null
  }

  // MARK: Zones

  func zoneID(_ zoneID: ZoneID) throws -> JSONValue { try Self.zoneID(zoneID) }

  static func zoneID(_ zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("zoneName", zoneID.zoneName)
    members.add("ownerRecordName", zoneID.ownerName)
    members.add("zoneType", zoneID.isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE")
    return members.value
  }

  static func error(_ error: any Error, in zoneID: ZoneID) throws -> JSONValue {
    WebError(error).item([.init("zoneID", try Self.zoneID(zoneID))])
  }
}

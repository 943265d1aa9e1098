import RecordCoding
import RecordModel

/// Writes records, deletions, zones and their errors as they are in responses.
struct RecordResponse {
  private let assets: ServedAssets
  private let writer: WebServicesWriter

  init(_ call: EndpointCall, numbersAsStrings: Bool = false) {
    assets = ServedAssets(call: call)
    writer = WebServicesWriter(style: .init(numbersAsStrings: numbersAsStrings))
  }

  func record(_ record: ResultRecord) throws -> JSONValue {
    var record = try assets.served(record)
    if record.isShare {
      // The link of a share is made of its short identifier.
      var systemFields = record.systemFields
      systemFields.otherMembers.set("url", to: nil)
      // Responses have the owner apart from the participants, too. Source: Apple's *CloudKit Web Services
      // Reference*, "Share Response Keys".
      if var share = record.shareInfo, share.owner == nil {
        share.owner = share.participants.first { $0.role == .owner }
        systemFields.otherMembers.set("owner", to: try share.jsonValue()["owner"]?.raw)
      }
      record = ResultRecord(systemFields: systemFields, fields: record.allFields)
    }
    return try writer.element(for: record)
  }

  /// Returns the result of a record in a request.
  func result(_ result: Result<ResultRecord, any Error>?, named name: String) throws -> JSONValue {
    switch result {
    case .success(let found)?: try record(found)
    case .failure(let error)?: Self.error(error, named: name)
    case nil: Self.error(CloudError(.internalError, "no result"), named: name)
    }
  }

  /// Returns the result of a deletion in a request.
  func deletion(_ result: Result<Void, any Error>?, of recordID: RecordID) throws -> JSONValue {
    switch result {
    case .success?: try deletion(recordID)
    case .failure(let error)?: Self.error(error, named: recordID.recordName)
    case nil: try self.result(nil, named: recordID.recordName)
    }
  }

  func deletion(_ recordID: RecordID) throws -> JSONValue {
    try writer.element(for: DeletedRecord(recordID: recordID)) ?? .null
  }

  /// Returns a deletion as it is in changes. Source: icloudpd-rs, `docs/synctoken-reference.md` (live).
  func change(_ tombstone: DeletedRecord) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("recordName", tombstone.recordID.recordName)
    members.add("recordType", JSONValue.null)
    members.add("recordChangeTag", tombstone.recordChangeTag)
    members.add("deleted", .bool(true))
    members.add("zoneID", try writer.value(of: tombstone.recordID.zoneID))
    return members.value
  }

  static func error(_ error: any Error, named name: String) -> JSONValue {
    WebError(error).item([.init("recordName", .string(name))])
  }

  // MARK: Zones

  static func zoneID(_ zoneID: ZoneID) -> JSONValue {
    .object([
      .init("zoneName", .string(zoneID.zoneName)),
      .init("ownerRecordName", .string(zoneID.ownerName)),
      .init("zoneType", .string(WebServicesWriter.zoneType(of: zoneID))),
    ])
  }

  static func deletion(_ zoneID: ZoneID) -> JSONValue {
    .object([.init("zoneID", Self.zoneID(zoneID)), .init("deleted", .bool(true))])
  }

  static func error(_ error: any Error, in zoneID: ZoneID) -> JSONValue {
    WebError(error).item([.init("zoneID", Self.zoneID(zoneID))])
  }
}

extension ResultRecord {
  /// Returns the record with only some of its fields; nil for all.
  func keeping(fields keys: [String]?) -> ResultRecord {
    guard let keys else { return self }
    return ResultRecord(
      systemFields: systemFields,
      fields: fields.filter { field in keys.contains { $0.sameScalars(as: field.name) } })
  }
}

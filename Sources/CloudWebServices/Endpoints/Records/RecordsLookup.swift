import RecordCoding
import RecordModel

/// `records/lookup`: fetches records by their names. The response has a record or an error for each,
/// in their order.
struct RecordsLookup: Endpoint {
  static let path = "records/lookup"

  private let records: [(recordID: RecordID, desiredKeys: [String]?)]
  private let desiredKeys: [String]?
  private let numbersAsStrings: Bool

  init(_ body: inout RequestBody) throws {
    body.zoneID = try body.zone() ?? .default
    desiredKeys = try body.value("desiredKeys")
    numbersAsStrings = try body.value("numbersAsStrings") ?? false
    records = try body.objects("records") { record in
      let zoneID = try record.zone() ?? record.zoneID
      let recordID = RecordID(recordName: try record.required("recordName"), zoneID: zoneID)
      return (recordID, try record.value("desiredKeys"))
    }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let results = try await call.database.records(
      for: records.map(\.recordID), desiredKeys: nil)
    let writer = ServedRecords(call, numbersAsStrings: numbersAsStrings)
    let items = try records.map { record in
      let result = results[record.recordID].map { result in
        result.map { $0.keeping(fields: record.desiredKeys ?? desiredKeys) }
      }
      return try writer.result(result, named: record.recordID.recordName)
    }
    return .object([.init("records", .array(items))])
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

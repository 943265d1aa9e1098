import RecordCoding
import RecordModel

/// `assets/rereference`: returns the assets of records as values for fields of other records.
///
/// The reference documentation names the members of the request, but not that of the response: it is
/// the same one, `assets`.
struct AssetsRereference: Endpoint {
  static let path = "assets/rereference"

  private let fields: [(recordID: RecordID, fieldName: String)]

  init(_ body: inout RequestBody) throws {
    body.zoneID = try body.zone() ?? .default
    fields = try body.objects("assets") { asset in
      let zoneID = try asset.zone() ?? asset.zoneID
      _ = try asset.value("recordType", String.self)
      return (
        RecordID(recordName: try asset.required("recordName"), zoneID: zoneID),
        try asset.required("fieldName")
      )
    }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let results = try await call.database.records(
      for: fields.map(\.recordID), desiredKeys: nil)
    let items = fields.flatMap { field -> [JSONValue] in
      do {
        let record = try results[field.recordID]?.get()
        let assets = record?.field(named: field.fieldName)?.value.assets ?? []
        let known = assets.compactMap { asset in
          asset.sha256.map { sha256 in
            AssetReceipt(place: call.place.words, sha256: sha256, size: asset.size ?? 0)
              .json(call.signer)
          }
        }
        guard !known.isEmpty else {
          throw WebError(.notFound, "the record has no asset in the field")
        }
        return known
      } catch {
        return [ServedRecords.error(error, named: field.recordID.recordName)]
      }
    }
    return .object([.init("assets", .array(items))])
  }
}

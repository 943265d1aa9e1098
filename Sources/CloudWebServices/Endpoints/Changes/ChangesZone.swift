import RecordCoding
import RecordModel

/// `changes/zone`: fetches the changed records of several zones. A zone that fails has an error
/// instead of its records.
struct ChangesZone: Endpoint {
  static let path = "changes/zone"

  private let zones: [ZoneChangesRequest]

  init(_ body: inout RequestBody) throws {
    let options = try ZoneChangesRequest.Options(&body)
    zones = try body.objects("zones") { try ZoneChangesRequest(&$0, or: options) }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    try await call.checkAccount()
    let writer = ServedRecords(call)
    var items: [JSONValue] = []
    for zone in zones {
      do {
        let page = try await zone.page(call)
        items.append(
          .object([
            .init("zoneID", try writer.zoneID(zone.zoneID)),
            .init("records", .array(page.records)), .init("syncToken", page.syncToken),
            .init("moreComing", .bool(page.moreComing)),
          ]))
      } catch let error as CloudError {
        items.append(try ServedRecords.error(error, in: zone.zoneID))
      }
    }
    return .object([.init("zones", .array(items))])
  }
}

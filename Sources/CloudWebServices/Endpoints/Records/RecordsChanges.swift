import CloudInterface
import RecordCoding
import RecordModel

/// `records/changes`: fetches the changed records of one zone.
struct RecordsChanges: Endpoint {
  static let path = "records/changes"

  private let request: ZoneChangesRequest

  init(_ body: inout RequestBody) throws {
    request = try ZoneChangesRequest(&body)
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let page = try await request.page(call)
    return .object([
      .init("records", .array(page.records)), .init("syncToken", page.syncToken),
      .init("moreComing", .bool(page.moreComing)),
    ])
  }
}

import RecordCoding
import RecordModel

/// `zones/modify`: creates and deletes zones. The response has a zone or an error for each operation,
/// in their order.
struct ZonesModify: Endpoint {
  static let path = "zones/modify"

  private enum Kind: String, JSONEnum { case create, delete }
  private let operations: [(kind: Kind, zoneID: ZoneID)]

  init(_ body: inout RequestBody) throws {
    operations = try body.objects("operations") { operation in
      let kind = try operation.required("operationType", Kind.self)
      let zoneID = try operation.object("zone") { zone in
        // What a client sends back of a zone that it has read.
        for name in ["atomic", "syncToken", "deleted"] { _ = zone.take(name) }
        return try zone.requiredZone()
      }
      guard let zoneID else { throw WebError(.badRequest, "an operation has no 'zone'") }
      return (kind, zoneID)
    }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let database = call.database
    let results = try await database.modifyRecordZones(
      saving: operations.filter { $0.kind == .create }.map { RecordZone(zoneID: $0.zoneID) },
      deleting: operations.filter { $0.kind == .delete }.map(\.zoneID))
    var items: [JSONValue] = []
    for (kind, zoneID) in operations {
      do {
        switch kind {
        case .create:
          guard let zone = try results.saveResults[zoneID]?.get() else { continue }
          items.append(try await ServedZone.json(zone, in: database, hasAtomic: true))
        case .delete:
          try results.deleteResults[zoneID]?.get()
          items.append(try ServedZone.deletion(zoneID))
        }
      } catch let error as CloudError {
        items.append(try ServedRecords.error(error, in: zoneID))
      }
    }
    return .object([.init("zones", .array(items))])
  }
}

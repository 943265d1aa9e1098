import RecordCoding
import RecordModel

/// `zones/list`: fetches all zones, by GET or POST.
struct ZonesList: Endpoint {
  static let path = "zones/list"
  static let methods: Set = ["GET", "POST"]

  init(_ body: inout RequestBody) throws {}

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let database = call.database
    var zones: [JSONValue] = []
    for zone in try await database.allRecordZones() {
      zones.append(try await ServedZone.json(zone, in: database, hasAtomic: false))
    }
    return .object([.init("zones", .array(zones))])
  }
}

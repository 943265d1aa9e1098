import RecordCoding
import RecordModel

/// `zones/lookup`: fetches zones by their identities. The response has a zone or an error for each,
/// in their order.
struct ZonesLookup: Endpoint {
  static let path = "zones/lookup"

  private let zoneIDs: [ZoneID]

  init(_ body: inout RequestBody) throws {
    zoneIDs = try body.objects("zones") { zone in
      // Clients send the identity itself, or an object with it.
      if let zoneID = try zone.zone() { return zoneID }
      _ = zone.take("zoneType")
      let names = ["zoneName", "ownerRecordName", "ownerName"].compactMap { name in
        zone.take(name).map { JSONValue.Member(name, $0) }
      }
      return try ZoneID(json: .object(names))
    }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let database = call.database
    let results = try await database.recordZones(for: zoneIDs)
    var items: [JSONValue] = []
    for zoneID in zoneIDs {
      switch results[zoneID] {
      case .success(let zone)?:
        items.append(try await ServedZone.json(zone, in: database, hasAtomic: true))
      case .failure(let error)?: items.append(try ServedRecords.error(error, in: zoneID))
      case nil: continue
      }
    }
    return .object([.init("zones", .array(items))])
  }
}

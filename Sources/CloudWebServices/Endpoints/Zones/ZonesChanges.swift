import CloudInterface
import RecordCoding
import RecordModel

/// `zones/changes`: fetches the zones that have changed, with their sync tokens.
///
/// Only `metaSyncToken` counts. A `syncToken` is ignored, as on the server (MistKit,
/// `what-cloudkit-got-wrong`).
struct ZonesChanges: Endpoint {
  static let path = "zones/changes"

  private let syncToken: ServerChangeToken?
  private let resultsLimit: Int?

  init(_ body: inout RequestBody) throws {
    syncToken = try EndpointCall.serverToken(try body.value("metaSyncToken"))
    resultsLimit = try body.resultsLimit()
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let database = call.database
    let changes = try await database.databaseChanges(since: syncToken, resultsLimit: resultsLimit)
    var zones: [JSONValue] = []
    for change in changes.modifications {
      let zone = RecordZone(zoneID: change.zoneID)
      zones.append(try await ServedZone.json(zone, in: database, hasAtomic: true))
    }
    for deletion in changes.deletions { zones.append(try ServedZone.deletion(deletion.zoneID)) }
    return .object([
      .init("zones", .array(zones)),
      .init("metaSyncToken", EndpointCall.text(of: changes.changeToken)),
      .init("moreComing", .bool(changes.moreComing)),
    ])
  }
}

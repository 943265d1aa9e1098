import CloudInterface
import RecordCoding
import RecordModel

/// `changes/database`: fetches the zones that have changed.
struct ChangesDatabase: Endpoint {
  static let path = "changes/database"

  private let syncToken: ServerChangeToken?
  private let resultsLimit: Int?

  init(_ body: inout RequestBody) throws {
    syncToken = try EndpointCall.serverToken(try body.value("syncToken"))
    resultsLimit = try body.resultsLimit()
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let changes = try await call.database.databaseChanges(
      since: syncToken, resultsLimit: resultsLimit)
    var zones: [JSONValue] = []
    for change in changes.modifications {
      zones.append(.object([.init("zoneID", try ServedRecords.zoneID(change.zoneID))]))
    }
    for deletion in changes.deletions { zones.append(try ServedZone.deletion(deletion.zoneID)) }
    return .object([
      .init("zones", .array(zones)),
      .init("syncToken", EndpointCall.text(of: changes.changeToken)),
      .init("moreComing", .bool(changes.moreComing)),
    ])
  }
}

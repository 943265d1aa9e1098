import MockCloud
import RecordCoding
import RecordModel

/// Writes zones as they are in responses.
enum ServedZone {
  /// - Parameters:
  ///   - database: the database of the zone.
  ///   - hasAtomic: whether to write the member `atomic`. The recorded lists of zones that are
  ///     public do not have it.
  static func json(
    _ zone: RecordZone, in database: MockDatabase, hasAtomic: Bool
  ) async throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("zoneID", try ServedRecords.zoneID(zone.zoneID))
    // The default zone, and zones of the public database, have no changes.
    let token = try? await database.currentChangeToken(ofZone: zone.zoneID)
    members.add("syncToken", token.map(EndpointCall.text))
    if hasAtomic { members.add("atomic", .bool(zone.capabilities.contains(.atomic))) }
    return members.value
  }

  static func deletion(_ zoneID: ZoneID) throws -> JSONValue {
    .object([
      .init("zoneID", try ServedRecords.zoneID(zoneID)), .init("deleted", .bool(true)),
    ])
  }
}

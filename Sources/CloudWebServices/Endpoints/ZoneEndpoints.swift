import CloudInterface
import MockCloud
import RecordCoding
import RecordModel

extension Endpoint {
  /// `zones/list`: fetches all zones, by GET or POST. The response has an error for each zone that
  /// cannot be read.
  static func listZones(_ body: inout RequestBody) -> Answer {
    { call in
      var zones: [JSONValue] = []
      let all = try await call.database.readableRecordZones()
      for zone in all.zones {
        zones.append(await json(zone, in: call.database, hasAtomic: false))
      }
      // A zone that is left out would be gone, for a client.
      zones += all.errors.map { zoneID, error in
        zoneID.map { RecordResponse.error(error, in: $0) } ?? WebError(error).item([])
      }
      var members = JSONObjectWriter()
      members.add("zones", .array(zones))
      // The token of all zones. The public database has none.
      let token = try? await call.database.currentChangeToken(ofZone: nil)
      members.add("syncToken", token?.json)
      members.add("moreComing", .bool(false))
      return members.value
    }
  }

  /// `zones/lookup`: fetches zones by their identities. The response has a zone or an error for each
  /// identity, in their order.
  static func lookUpZones(_ body: inout RequestBody) throws -> Answer {
    let zoneIDs = try body.objects("zones") { zone in
      // Clients send the identity itself, or an object with it.
      if let zoneID = try zone.zone() { return zoneID }
      try zone.ignore(["zoneType"], String.self)
      let names = ["zoneName", "ownerRecordName", "ownerName"].compactMap { name in
        zone.take(name).map { JSONValue.Member(name, $0) }
      }
      return try ZoneID(json: .object(names))
    }
    return { call in
      let results = try await call.database.recordZones(for: zoneIDs)
      var items: [JSONValue] = []
      for zoneID in zoneIDs {
        switch results[zoneID] {
        case .success(let zone)?:
          items.append(await json(zone, in: call.database, hasAtomic: true))
        case .failure(let error)?: items.append(RecordResponse.error(error, in: zoneID))
        case nil: continue
        }
      }
      return .object([.init("zones", .array(items))])
    }
  }

  /// `zones/modify`: creates and deletes zones. The response has a zone or an error for each
  /// operation, in their order.
  static func modifyZones(_ body: inout RequestBody) throws -> Answer {
    let operations = try body.objects("operations") { operation in
      let kind = try operation.required("operationType", ZoneOperation.self)
      let zoneID = try operation.object("zone") { zone in
        // A client may send back all members of a zone that it has read.
        try zone.ignore(["atomic", "deleted"], Bool.self)
        try zone.ignore(["syncToken"], String.self)
        return try zone.requiredZone()
      }
      guard let zoneID else { throw WebError.missing("zone") }
      return (kind, zoneID)
    }
    return { call in
      let own = try? await call.requireUser().recordName
      try requireOnce(
        operations.map { $0.1.ownerName == own ? ZoneID(zoneName: $0.1.zoneName) : $0.1 }, "zone")
      let results = try await call.database.modifyRecordZones(
        saving: operations.filter { $0.0 == .create }.map { RecordZone(zoneID: $0.1) },
        deleting: operations.filter { $0.0 == .delete }.map(\.1))
      var items: [JSONValue] = []
      for (kind, zoneID) in operations {
        do {
          switch kind {
          case .create:
            guard let zone = try results.saveResults[zoneID]?.get() else { continue }
            items.append(await json(zone, in: call.database, hasAtomic: true))
          case .delete:
            try results.deleteResults[zoneID]?.get()
            items.append(RecordResponse.deletion(zoneID))
          }
        } catch let error as CloudError {
          items.append(RecordResponse.error(error, in: zoneID))
        }
      }
      return .object([.init("zones", .array(items))])
    }
  }

  /// Throws if two operations of a request are for the same item: all saves come before the deletions, and one
  /// of the two would be lost.
  static func requireOnce(_ ids: [some Hashable], _ noun: String) throws {
    guard Set(ids).count < ids.count else { return }
    throw WebError.invalid("two operations are for the same \(noun)")
  }

  private enum ZoneOperation: String, JSONEnum { case create, delete }

  /// `zones/changes`: fetches the zones that have changed, with their sync tokens.
  ///
  /// Only `metaSyncToken` counts. A `syncToken` is ignored, as on the server (MistKit,
  /// `what-cloudkit-got-wrong`).
  static func changedZones(_ body: inout RequestBody) throws -> Answer {
    try zonePage(&body, tokenName: "metaSyncToken", hasAtomic: true)
  }

  /// Fetches the zones that have changed, with their sync tokens.
  ///
  /// - Parameter tokenName: the member with the token of the database, in the request and response.
  static func zonePage(
    _ body: inout RequestBody, tokenName: String, hasAtomic: Bool
  ) throws -> Answer {
    let syncToken = try ServerChangeToken(syncToken: try body.value(tokenName))
    let resultsLimit = try body.resultsLimit()
    return { call in
      let changes = try await call.database.databaseChanges(
        since: syncToken, resultsLimit: resultsLimit)
      var zones: [JSONValue] = []
      for change in changes.modifications {
        let zone = RecordZone(zoneID: change.zoneID)
        zones.append(await json(zone, in: call.database, hasAtomic: hasAtomic))
      }
      zones += changes.deletions.map { RecordResponse.deletion($0.zoneID) }
      return .object([
        .init("zones", .array(zones)), .init(tokenName, changes.changeToken.json),
        .init("moreComing", .bool(changes.moreComing)),
      ])
    }
  }

  /// Returns a zone as it is in responses.
  ///
  /// - Parameters:
  ///   - database: the database of the zone.
  ///   - hasAtomic: whether to write the member `atomic`. The recorded lists of zones that are
  ///     public do not have it.
  private static func json(
    _ zone: RecordZone, in database: MockDatabase, hasAtomic: Bool
  ) async -> JSONValue {
    var members = JSONObjectWriter()
    members.add("zoneID", RecordResponse.zoneID(zone.zoneID))
    // The default zone, and zones of the public database, have no changes.
    let token = try? await database.currentChangeToken(ofZone: zone.zoneID)
    members.add("syncToken", token?.json)
    if hasAtomic { members.add("atomic", .bool(zone.capabilities.contains(.atomic))) }
    return members.value
  }
}

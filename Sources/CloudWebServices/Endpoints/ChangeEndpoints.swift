import CloudInterface
import RecordCoding
import RecordModel

extension Endpoint {
  /// `records/changes`: fetches the changed records of one zone.
  static func recordChanges(_ body: inout RequestBody) throws -> Answer {
    let request = try ZoneChangesRequest(&body)
    return { call in .object(try await request.page(call)) }
  }

  /// `changes/zone`: fetches the changed records of several zones. A zone that fails has an error
  /// instead of its records.
  static func zoneChanges(_ body: inout RequestBody) throws -> Answer {
    let options = try ZoneChangesRequest.Options(&body)
    let zones = try body.objects("zones") { try ZoneChangesRequest(&$0, or: options) }
    return { call in
      if call.scope != .public { try await call.requireUser() }
      let maximum = call.served.container.rules.maxItems
      guard zones.count <= maximum else {
        throw WebError.invalid("a request has at most \(maximum) zones")
      }
      var items: [JSONValue] = []
      for zone in zones {
        do {
          let zoneID = JSONValue.Member("zoneID", RecordResponse.zoneID(zone.zoneID))
          items.append(.object([zoneID] + (try await zone.page(call))))
        } catch {
          items.append(RecordResponse.error(error, in: zone.zoneID))
        }
      }
      return .object([.init("zones", .array(items))])
    }
  }

  /// `changes/database`: fetches the zones that have changed.
  static func databaseChanges(_ body: inout RequestBody) throws -> Answer {
    // Each zone has its token. Source: icloudpd-rs, `docs/synctoken-reference.md` (live).
    try zonePage(&body, tokenName: "syncToken", hasAtomic: false)
  }
}

/// A request for the changes of a zone.
private struct ZoneChangesRequest {
  let zoneID: ZoneID
  private let syncToken: String?
  private let options: Options

  /// The members that each zone can have, and the request around the zones for all of them.
  struct Options {
    var desiredKeys: [String]?
    var desiredRecordTypes: [String]?
    var resultsLimit: Int?
    /// Whether the newest changes come first.
    var isReversed = false
    var numbersAsStrings = false

    init() {}

    /// - Parameter outer: the values of members that are not there.
    init(_ body: inout RequestBody, or outer: Options = Options()) throws {
      desiredKeys = try body.value("desiredKeys") ?? outer.desiredKeys
      desiredRecordTypes = try body.value("desiredRecordTypes") ?? outer.desiredRecordTypes
      resultsLimit = try body.resultsLimit() ?? outer.resultsLimit
      isReversed = try body.value("reverse") ?? outer.isReversed
      numbersAsStrings = try body.value("numbersAsStrings") ?? outer.numbersAsStrings
    }
  }

  init(_ body: inout RequestBody, or outer: Options = Options()) throws {
    zoneID = try body.requiredZone()
    syncToken = try body.value("syncToken")
    options = try Options(&body, or: outer)
  }

  private func isDesired(_ type: String) -> Bool {
    options.desiredRecordTypes?.contains(type) ?? true
  }

  /// Returns the members of a page of changes, in their order or in reverse.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST` for a token that is not one of this server.
  func page(_ call: EndpointCall) async throws -> [JSONValue.Member] {
    let token = try ServerChangeToken(syncToken: syncToken)
    let response = RecordResponse(call, numbersAsStrings: options.numbersAsStrings)
    let page =
      options.isReversed
      ? try await call.database.newestChanges(
        inZoneWith: zoneID, since: token, resultsLimit: options.resultsLimit)
      : try await call.database.oldestChanges(
        inZoneWith: zoneID, since: token, resultsLimit: options.resultsLimit)
    let items = try page.changes.compactMap { change -> JSONValue? in
      switch change {
      case .saved(let record):
        guard isDesired(record.recordType) else { return nil }
        return try response.record(record.keeping(fields: options.desiredKeys))
      case .deleted(let deletion):
        guard deletion.recordType.map(isDesired) ?? true else { return nil }
        return try response.change(deletion)
      case .unreadable(let recordID, let error):
        return RecordResponse.error(error, named: recordID.recordName)
      }
    }
    return [
      .init("records", .array(items)), .init("syncToken", page.changeToken.json),
      .init("moreComing", .bool(page.moreComing)),
    ]
  }
}

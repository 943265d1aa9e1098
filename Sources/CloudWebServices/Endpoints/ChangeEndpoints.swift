import CloudInterface
import MockCloud
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
      var items: [JSONValue] = []
      for zone in zones {
        do {
          let zoneID = JSONValue.Member("zoneID", RecordResponse.zoneID(zone.zoneID))
          items.append(.object([zoneID] + (try await zone.page(call))))
        } catch let error as CloudError {
          items.append(RecordResponse.error(error, in: zone.zoneID))
        }
      }
      return .object([.init("zones", .array(items))])
    }
  }

  /// `changes/database`: fetches the zones that have changed.
  static func databaseChanges(_ body: inout RequestBody) throws -> Answer {
    let syncToken = try ServerChangeToken(syncToken: try body.value("syncToken"))
    let resultsLimit = try body.resultsLimit()
    return { call in
      let changes = try await call.database.databaseChanges(
        since: syncToken, resultsLimit: resultsLimit)
      let zones =
        changes.modifications.map { change in
          JSONValue.object([.init("zoneID", RecordResponse.zoneID(change.zoneID))])
        } + changes.deletions.map { RecordResponse.deletion($0.zoneID) }
      return .object([
        .init("zones", .array(zones)), .init("syncToken", changes.changeToken.json),
        .init("moreComing", .bool(changes.moreComing)),
      ])
    }
  }
}

/// A request for the changes of a zone.
private struct ZoneChangesRequest {
  let zoneID: ZoneID
  private let syncToken: ServerChangeToken?
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
    syncToken = try ServerChangeToken(syncToken: try body.value("syncToken"))
    options = try Options(&body, or: outer)
  }

  private func isDesired(_ type: String) -> Bool {
    options.desiredRecordTypes?.contains(type) ?? true
  }

  /// Returns the members of a page of changes: the records that have changed, in the order of their
  /// changes, then the deletions; in reverse order, both together.
  func page(_ call: EndpointCall) async throws -> [JSONValue.Member] {
    let response = RecordResponse(call, numbersAsStrings: options.numbersAsStrings)
    if options.isReversed { return try await newestPage(call, response) }
    let changes = try await call.database.recordZoneChanges(
      inZoneWith: zoneID, since: syncToken, desiredKeys: options.desiredKeys,
      resultsLimit: options.resultsLimit)
    var found: [ResultRecord] = []
    var items: [JSONValue] = []
    for (recordID, result) in changes.modificationResultsByID {
      switch result {
      case .success(let change): found.append(change.record)
      case .failure(let error):
        items.append(RecordResponse.error(error, named: recordID.recordName))
      }
    }
    items += try found.filter { isDesired($0.recordType) }.inOrderOfChange.map(response.record)
    items += try changes.deletions.filter { $0.recordType.isEmpty || isDesired($0.recordType) }
      .map { try response.deletion($0.recordID) }
    return Self.members(items, changes.changeToken, moreComing: changes.moreComing)
  }

  private func newestPage(
    _ call: EndpointCall, _ response: RecordResponse
  ) async throws -> [JSONValue.Member] {
    let page = try await call.database.newestChanges(
      inZoneWith: zoneID, since: syncToken, resultsLimit: options.resultsLimit)
    let items = try page.changes.compactMap { change -> JSONValue? in
      switch change {
      case .saved(let record):
        guard isDesired(record.recordType) else { return nil }
        return try response.record(record.keeping(fields: options.desiredKeys))
      case .deleted(let deletion):
        guard deletion.recordType.map(isDesired) ?? true else { return nil }
        return try response.deletion(deletion.recordID)
      }
    }
    return Self.members(items, page.changeToken, moreComing: page.moreComing)
  }

  private static func members(
    _ records: [JSONValue], _ token: ServerChangeToken, moreComing: Bool
  ) -> [JSONValue.Member] {
    [
      .init("records", .array(records)), .init("syncToken", token.json),
      .init("moreComing", .bool(moreComing)),
    ]
  }
}

extension Sequence where Element == ResultRecord {
  /// The records in the order of their last changes: tags are numbers in base 36.
  fileprivate var inOrderOfChange: [ResultRecord] {
    sorted { a, b in
      let (first, second) = (a.recordChangeTag ?? "", b.recordChangeTag ?? "")
      if first.utf8.count != second.utf8.count { return first.utf8.count < second.utf8.count }
      return first == second ? a.recordID < b.recordID : first < second
    }
  }
}

import CloudInterface
import MockCloud
import RecordCoding
import RecordModel

/// A request for the changes of a zone.
struct ZoneChangesRequest {
  let zoneID: ZoneID
  private let syncToken: ServerChangeToken?
  private let options: Options

  /// What the request around the zones says for all of them, and each zone for itself.
  struct Options {
    var desiredKeys: [String]?
    var desiredRecordTypes: [String]?
    var resultsLimit: Int?
    /// Whether the newest changes come first.
    var isReversed = false
    var numbersAsStrings = false

    init() {}

    /// - Parameter outer: what counts for members that are not there.
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
    syncToken = try EndpointCall.serverToken(try body.value("syncToken"))
    options = try Options(&body, or: outer)
  }

  /// A page of changes: the records that have changed, in the order of their changes, then the
  /// deletions; in reverse order, both together.
  struct Page {
    var records: [JSONValue]
    var syncToken: JSONValue
    var moreComing: Bool
  }

  private func isDesired(_ type: String) -> Bool {
    options.desiredRecordTypes?.contains(type) ?? true
  }

  func page(_ call: EndpointCall) async throws -> Page {
    let writer = ServedRecords(call, numbersAsStrings: options.numbersAsStrings)
    if options.isReversed { return try await newestPage(call, writer) }
    let changes = try await call.database.recordZoneChanges(
      inZoneWith: zoneID, since: syncToken, desiredKeys: options.desiredKeys,
      resultsLimit: options.resultsLimit)
    var found: [ResultRecord] = []
    var items: [JSONValue] = []
    for (recordID, result) in changes.modificationResultsByID {
      switch result {
      case .success(let change): found.append(change.record)
      case .failure(let error):
        items.append(ServedRecords.error(error, named: recordID.recordName))
      }
    }
    items += try found.filter { isDesired($0.recordType) }.inOrderOfChange.map(writer.record)
    items += try changes.deletions.filter { $0.recordType.isEmpty || isDesired($0.recordType) }
      .map { try writer.deletion($0.recordID) }
    return Page(
      records: items, syncToken: EndpointCall.text(of: changes.changeToken),
      moreComing: changes.moreComing)
  }

  private func newestPage(_ call: EndpointCall, _ writer: ServedRecords) async throws -> Page {
    let page = try await call.database.newestChanges(
      inZoneWith: zoneID, since: syncToken, resultsLimit: options.resultsLimit)
    let items = try page.changes.compactMap { change -> JSONValue? in
      switch change {
      case .saved(let record):
        guard isDesired(record.recordType) else { return nil }
        return try writer.record(record.keeping(fields: options.desiredKeys))
      case .deleted(let tombstone):
        guard tombstone.recordType.map(isDesired) ?? true else { return nil }
        return try writer.deletion(tombstone.recordID)
      }
    }
    return Page(
      records: items, syncToken: EndpointCall.text(of: page.changeToken),
      moreComing: page.moreComing)
  }
}

import CloudInterface
import RecordCoding
import RecordModel

/// A request for the changes of a zone.
struct ZoneChangesRequest {
  let zoneID: ZoneID
  private let syncToken: ServerChangeToken?
  private let desiredKeys: [String]?
  private let desiredRecordTypes: [String]?
  private let resultsLimit: Int?

  /// - Parameter limit: the maximum number of records that the request around this one names.
  init(_ body: inout RequestBody, limit: Int?) throws {
    zoneID = try body.requiredZone()
    syncToken = try EndpointCall.serverToken(try body.value("syncToken"))
    desiredKeys = try body.value("desiredKeys")
    desiredRecordTypes = try body.value("desiredRecordTypes")
    resultsLimit = try body.resultsLimit() ?? limit
    if try body.value("reverse", Bool.self) == true {
      body.note("not supported, ignored:", about: "reverse")
    }
  }

  /// A page of changes: the records that have changed, in the order of their changes, then the
  /// deletions.
  struct Page {
    var records: [JSONValue]
    var syncToken: JSONValue
    var moreComing: Bool
  }

  func page(_ call: EndpointCall, _ writer: ServedRecords) async throws -> Page {
    let changes = try await call.database.recordZoneChanges(
      inZoneWith: zoneID, since: syncToken, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
    func isDesired(_ type: String) -> Bool { desiredRecordTypes?.contains(type) ?? true }
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
}

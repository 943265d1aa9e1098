import CloudInterface
import Foundation
import RecordCoding
import RecordModel

/// `records/query`: finds records. Without a zone it searches the default zone, with `zoneWide` all.
struct RecordsQuery: Endpoint {
  static let path = "records/query"

  private let query: RecordQuery?
  private let zoneID: ZoneID?
  private let desiredKeys: [String]?
  private let resultsLimit: Int
  private let continuationMarker: QueryCursor?
  private let numbersAsStrings: Bool
  private let wantsSyncToken: Bool

  init(_ body: inout RequestBody) throws {
    let isZoneWide = try body.value("zoneWide", Bool.self) ?? false
    let zoneID = try body.zone() ?? .default
    body.zoneID = zoneID
    self.zoneID = isZoneWide ? nil : zoneID
    var others: [String] = []
    query = try body.value("query", RecordQuery.self)?.known(&others)
    for name in others { body.note("unknown member of a query", about: name) }
    desiredKeys = try body.value("desiredKeys")
    resultsLimit = try body.resultsLimit() ?? 0
    continuationMarker = try body.value("continuationMarker", String.self).map { marker in
      guard let data = Data(base64Encoded: marker) else {
        throw WebError(.badRequest, "the continuationMarker is not one that this server made")
      }
      return QueryCursor(data: data)
    }
    numbersAsStrings = try body.value("numbersAsStrings") ?? false
    wantsSyncToken = try body.value("getCurrentSyncToken") ?? false
    guard query != nil || continuationMarker != nil else {
      throw WebError(.badRequest, "missing required field 'query'")
    }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let database = call.database
    // As long as the records are read, the token is of before them: what changes meanwhile is fetched.
    let wantsSyncToken = wantsSyncToken || call.flags.contains("getCurrentSyncToken")
    let syncToken =
      wantsSyncToken ? try? await database.currentChangeToken(ofZone: zoneID) : nil
    let page =
      if let continuationMarker {
        try await database.records(
          continuingMatchFrom: continuationMarker, desiredKeys: desiredKeys,
          resultsLimit: resultsLimit)
      } else if let query {
        try await database.records(
          matching: query, inZoneWith: zoneID, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
      } else {
        throw WebError(.badRequest, "missing required field 'query'")
      }
    let writer = ServedRecords(call, numbersAsStrings: numbersAsStrings)
    var members = JSONObjectWriter()
    members.add(
      "records",
      .array(try page.matchResults.map { try writer.result($0.1, named: $0.0.recordName) }))
    members.add("continuationMarker", page.queryCursor?.data.base64EncodedString())
    members.add("syncToken", syncToken.map(EndpointCall.text))
    return members.value
  }
}

import Foundation
import RecordModel
import RecordSchema
import RecordStore

/// A query for a page of records, from the beginning or from a cursor.
struct QueryRequest: Sendable {
  var query: RecordQuery
  var zoneID: ZoneID?
  /// The last record of the page before.
  var after: QueryPosition?
  /// The maximum number of records that the client asks for; 0 for that of the server.
  var limit: Int

  /// Judges the request, and returns what to read for it.
  func judged(
    in database: MockDatabase, _ snapshot: AccountSnapshot
  ) throws -> RecordPageRequest {
    let (container, view) = (database.container, snapshot.view)
    let rules = container.rules.queries
    let limit = try ResultsLimitRule.limit(limit, container.rules)
    let info = snapshot.info
    let zone = try QueriedZoneRule.check(zoneID, snapshot)
    // A container that never had a schema is not judged by one.
    let schema =
      try info.schema == nil ? nil : container.schemas.schema(of: info, container.rules)?.schema
    let type = try QueriedTypeRule.check(query.recordType, schema)
    for filter in query.filters {
      try FilterRule.check(filter, rules, container: info.identifier)
      try ReferenceQueryRule.check(filter, rules)
    }
    if let type {
      try QueryIndexRule(type: type, rules: rules).check(query)
    } else {
      for name in query.filters.map(\.fieldName) + query.sort.map(\.fieldName) {
        _ = try QueriedFieldRule.field(named: name, of: query.recordType, nil)
      }
    }
    var options = QueryMatch.Options()
    options.negationsMatchMissing = rules.negationsMatchMissingFields
    // In the container, `__defaultOwner__` is the signed-in user, whoever asks.
    options.currentUserRecordName = info.currentUserRecordName
    if let type, rules.enforcesIndexes {
      options.searchableFields = Set(
        type.fields.filter { $0.options.contains(.searchable) }.map(\.name))
    }
    let scope = zone?.scope ?? view.scope
    var request = RecordPageRequest(
      QueryMatch(view.inContainer(query), options), in: scope,
      searching: { zoneID in
        zone.map { $0.zoneID == zoneID }
          ?? (view.seen(StoredZone(scope: scope, zoneID: zoneID)) != nil)
      },
      after: after, limit: limit,
      modifiedUntil: rules.indexLag > 0
        ? container.now().addingTimeInterval(-rules.indexLag) : nil)
    if let zone, view.isOfOthers(zone) {
      request.includes = { try snapshot.sees($0, in: zone) }
    } else if let grants = try database.grants(for: snapshot) {
      request.includes = { grants.allows(reading: $0) }
    }
    return request
  }
}

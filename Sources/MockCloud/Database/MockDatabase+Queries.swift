import CloudInterface
import Foundation
import RecordCoding
import RecordModel
import RecordStore

extension MockDatabase {
  /// Finds the first records that match a query; see `CloudDatabase`.
  ///
  /// Records with equal sort keys are in the order of their zones and names, as are all records of a
  /// query without a sort descriptor. A record without the field that is sorted by is before the
  /// others in ascending order.
  ///
  /// The first query that needs an index reads all records of the type and adds the index to the
  /// container. After that, the time for a page of results does not depend on the size of the container.
  ///
  /// - Throws: `CloudError`: `zoneNotFound`; `unknownItem` for a record type that the schema does
  ///   not have; `limitExceeded` for too many values in a filter; `invalidArguments` for a query
  ///   that the server does not support.
  public func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID?, desiredKeys: [String]?,
    resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    let request = QueryRequest(query: query, zoneID: zoneID, after: nil, limit: resultsLimit)
    return try await answer(desiredKeys) { _ in request }
  }

  /// Finds the next records of a query; see `CloudDatabase`.
  ///
  /// A record that was not changed since the first page is neither missed nor repeated, whatever was
  /// saved and deleted meanwhile. A cursor can be used again, and after the container was reopened.
  ///
  /// - Throws: `CloudError`: `invalidArguments` for a cursor that has expired, is damaged, or
  ///   belongs to another database; and the errors of the first page.
  public func records(
    continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]?, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    let container = container
    return try await answer(desiredKeys) { snapshot in
      let cursor = try CursorContent(queryCursor)
      try CursorRule.check(
        cursor, in: snapshot.view.key, of: snapshot.info, at: container.now(),
        container.rules.queries)
      return QueryRequest(
        query: cursor.query, zoneID: cursor.zoneID, after: cursor.after, limit: resultsLimit)
    }
  }

  private func answer(
    _ desiredKeys: [String]?,
    _ request: @escaping @Sendable (AccountSnapshot) throws -> QueryRequest
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    let desired = desiredKeys.map(Set.init)
    return try await answering { container, database in
      try container.store.query { snapshot, page in
        let snapshot = try AccountSnapshot(snapshot, of: database)
        let request = try request(snapshot)
        let pageRequest = try request.judged(in: self, snapshot)
        let found = try page(pageRequest)
        try request.judge(found, pageRequest, container, snapshot)
        let results = found.results.map { recordID, result in
          let zone = ZoneLocation(pageRequest.scope, recordID.zoneID)
          return (
            RecordID(
              recordName: recordID.recordName, zoneID: snapshot.view.visible(recordID.zoneID)),
            result.map { snapshot.view.shown($0, in: zone).keeping(desired) }
              .mapError { $0.cloudError as any Error }
          )
        }
        return (results, try found.last.map { try self.cursor(after: $0, request, snapshot) })
      }
    }
  }

  private func cursor(
    after last: QueryPosition, _ request: QueryRequest, _ snapshot: AccountSnapshot
  ) throws -> QueryCursor {
    let info = snapshot.info
    let content = CursorContent(
      container: info.identifier, environment: info.environment?.rawValue,
      database: snapshot.view.key, date: container.now(), query: request.query,
      zoneID: request.zoneID, after: last)
    do {
      return try content.cursor()
    } catch let error as RecordCodingError {
      throw CloudError(.invalidArguments, "the query cannot be continued: \(error)")
    }
  }
}

/// A query for a page of records, from the beginning or from a cursor.
struct QueryRequest: Sendable {
  var query: RecordQuery
  var zoneID: ZoneID?
  /// The last record of the page before.
  var after: QueryPosition?
  /// The maximum number of records that the client asks for; 0 for that of the server.
  var limit: Int

  /// Checks the filters of a first page by the values that are stored, if there is no schema.
  ///
  /// Where a record matches, its values have the types of the filters. Where none matches, one stored
  /// value of each field says whether a filter of this type could ever match.
  func judge(
    _ found: QueryPage, _ read: QueryPageRequest, _ container: MockContainer,
    _ snapshot: AccountSnapshot
  ) throws {
    guard after == nil, try container.schema(of: snapshot.info) == nil else { return }
    let first = found.results.lazy.compactMap { try? $0.result.get() }.first
    for (filter, match) in zip(query.filters, read.match.filters)
    where !filter.isAllText && !SystemField.isSystem(match.field) {
      let field =
        try first.map { $0.field(named: match.field) }
        ?? snapshot.base.storedField(of: match, searchedBy: read)
      if let field { try FilterTypeRule.check(filter, stored: field) }
    }
  }

  /// Checks the request, and returns what to read for it.
  func judged(
    in database: MockDatabase, _ snapshot: AccountSnapshot
  ) throws -> QueryPageRequest {
    let (container, view) = (database.container, snapshot.view)
    let rules = container.rules.queries
    let limit = try ResultsLimitRule.limit(limit, container.rules)
    let info = snapshot.info
    let zone = try QueriedZoneRule.check(zoneID, snapshot)
    let schema = try container.schema(of: info)
    let type = try QueriedTypeRule.check(query.recordType, schema)
    for filter in query.filters {
      try FilterRule.check(filter, rules, container: info.identifier)
      try ReferenceQueryRule.check(filter, rules)
    }
    if let type {
      try QueryIndexRule(type: type, rules: rules).check(query)
      for filter in query.filters { try FilterTypeRule.check(filter, type) }
    } else {
      for name in query.sort.map(\.fieldName) {
        _ = try QueriedFieldRule.field(named: name, of: query.recordType, nil)
      }
      for filter in query.filters {
        let name = filter.fieldName
        if let field = try QueriedFieldRule.field(named: name, of: query.recordType, nil) {
          try FilterTypeRule.check(filter, field)
        }
      }
    }
    var options = QueryMatch.Options()
    // In the container, `__defaultOwner__` is the signed-in user, whoever asks.
    options.currentUserRecordName = info.signedInUserRecordName
    if let type, rules.enforcesIndexes {
      options.searchableFields = Set(
        type.fields.filter { $0.options.contains(.searchable) }.map(\.name))
    }
    let scope = zone?.database ?? view.scope
    var request = QueryPageRequest(
      QueryMatch(view.inContainer(query), options), in: scope,
      searching: { zoneID in
        zone.map { $0.zoneID == zoneID }
          ?? (view.visible(ZoneLocation(scope, zoneID)) != nil)
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

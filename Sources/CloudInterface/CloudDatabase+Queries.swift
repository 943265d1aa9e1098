import RecordModel

extension CloudDatabase {
  /// Finds the first records that match a query, in one zone or in all.
  public func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID? = nil, desiredKeys: [String]? = nil
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await records(
      matching: query, inZoneWith: zoneID, desiredKeys: desiredKeys, resultsLimit: 0)
  }

  /// Finds the next records of a query.
  public func records(
    continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]? = nil
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await records(continuingMatchFrom: queryCursor, desiredKeys: desiredKeys, resultsLimit: 0)
  }

  /// Finds the first records that match a query, with all their fields.
  public func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID? = nil, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await records(
      matching: query, inZoneWith: zoneID, desiredKeys: nil, resultsLimit: resultsLimit)
  }

  /// Finds the next records of a query, with all their fields.
  public func records(
    continuingMatchFrom queryCursor: QueryCursor, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await records(
      continuingMatchFrom: queryCursor, desiredKeys: nil, resultsLimit: resultsLimit)
  }
}

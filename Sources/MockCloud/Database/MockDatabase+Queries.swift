import CloudInterface
import RecordModel

extension MockDatabase {
  public func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID?, desiredKeys: [String]?,
    resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    throw CloudError(.internalError, "TODO")
  }

  public func records(
    continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]?, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    throw CloudError(.internalError, "TODO")
  }
}

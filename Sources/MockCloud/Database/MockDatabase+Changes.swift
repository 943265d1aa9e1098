import CloudInterface
import RecordModel

extension MockDatabase {
  public func databaseChanges(
    since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  ) {
    throw CloudError(.internalError, "TODO")
  }

  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]?, resultsLimit: Int?
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  ) {
    throw CloudError(.internalError, "TODO")
  }
}

import RecordModel

extension CloudDatabase {
  /// Fetches the zones that have changed.
  public func databaseChanges(
    since serverChangeToken: ServerChangeToken?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  ) {
    try await databaseChanges(since: serverChangeToken, resultsLimit: nil)
  }

  /// Fetches the records of a zone that have changed.
  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]? = nil
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  ) {
    try await recordZoneChanges(
      inZoneWith: zoneID, since: serverChangeToken, desiredKeys: desiredKeys, resultsLimit: nil)
  }
}

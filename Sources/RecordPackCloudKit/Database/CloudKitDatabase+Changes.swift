#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  extension CloudKitDatabase {
    /// Fetches the zones that have changed.
    public func databaseChanges(
      since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
    ) async throws -> (
      modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
      changeToken: ServerChangeToken, moreComing: Bool
    ) {
      let token = try serverChangeToken?.ckToken()
      let changes = try await callingCloudKit {
        try await database.databaseChanges(since: token, resultsLimit: resultsLimit)
      }
      return (
        changes.modifications.map { DatabaseChange.Modification(zoneID: ZoneID($0.zoneID)) },
        changes.deletions.map { DeletedZone($0) },
        try ServerChangeToken(changes.changeToken), changes.moreComing
      )
    }

    /// Fetches the records of a zone that have changed.
    public func recordZoneChanges(
      inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
      desiredKeys: [String]?, resultsLimit: Int?
    ) async throws -> (
      modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
      deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
    ) {
      let ckZoneID = try CKRecordZone.ID(checking: zoneID)
      let token = try serverChangeToken?.ckToken()
      let changes = try await callingCloudKit {
        try await database.recordZoneChanges(
          inZoneWith: ckZoneID, since: token, desiredKeys: desiredKeys,
          resultsLimit: resultsLimit)
      }
      var modifications: [RecordID: Result<RecordZoneChange.Modification, any Error>] = [:]
      for (id, modification) in changes.modificationResultsByID {
        modifications[RecordID(id)] = result(modification.map(\.record))
          .map { RecordZoneChange.Modification(record: $0) }
      }
      let deletions = changes.deletions.map {
        RecordZoneChange.Deletion(recordID: RecordID($0.recordID), recordType: $0.recordType)
      }
      return (
        modifications, deletions, try ServerChangeToken(changes.changeToken), changes.moreComing
      )
    }
  }
#endif

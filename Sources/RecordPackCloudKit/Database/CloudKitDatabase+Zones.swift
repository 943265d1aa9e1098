#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  extension CloudKitDatabase {
    /// Fetches all zones of the database.
    public func allRecordZones() async throws -> [RecordZone] {
      try await callingCloudKit { try await database.allRecordZones() }.map { RecordZone($0) }
    }

    /// Fetches zones.
    public func recordZones(
      for ids: [ZoneID]
    ) async throws -> [ZoneID: Result<RecordZone, any Error>] {
      var results: [ZoneID: Result<RecordZone, any Error>] = [:]
      var batches = RequestBatches(try Set(ids).sorted().map(CKRecordZone.ID.init(checking:))) {
        $0
      }
      try await batches.send { ids in
        let found = try await database.recordZones(for: ids)
        for (id, zone) in found { results[ZoneID(id)] = result(zone) }
      } orFail: { _, error in
        throw error
      }
      return results
    }

    /// Saves and deletes zones.
    public func modifyRecordZones(
      saving recordZonesToSave: [RecordZone], deleting recordZoneIDsToDelete: [ZoneID]
    ) async throws -> (
      saveResults: [ZoneID: Result<RecordZone, any Error>],
      deleteResults: [ZoneID: Result<Void, any Error>]
    ) {
      let zones = try recordZonesToSave.map {
        CKRecordZone(zoneID: try CKRecordZone.ID(checking: $0.zoneID))
      }
      let zoneIDs = try recordZoneIDsToDelete.map { try CKRecordZone.ID(checking: $0) }
      let results = try await callingCloudKit {
        try await database.modifyRecordZones(saving: zones, deleting: zoneIDs)
      }
      return (
        Dictionary(
          results.saveResults.map { (ZoneID($0), result($1)) },
          uniquingKeysWith: { first, _ in first }),
        Dictionary(
          results.deleteResults.map { id, deleted in
            (ZoneID(id), deleted.mapError { CloudError.converting($0) })
          }, uniquingKeysWith: { first, _ in first })
      )
    }

    private func result(
      _ result: Result<CKRecordZone, any Error>
    ) -> Result<RecordZone, any Error> {
      result.map { RecordZone($0) }.mapError { CloudError.converting($0) }
    }
  }
#endif

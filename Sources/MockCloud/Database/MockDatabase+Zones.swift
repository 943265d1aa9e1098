import CloudInterface
import RecordModel
import RecordStore

extension MockDatabase {
  /// Fetches all zones of the database, by owner and name.
  public func allRecordZones() async throws -> [RecordZone] {
    try await reading { try $0.zones() }
  }

  /// Fetches zones; see `CloudDatabase`.
  public func recordZones(
    for ids: [ZoneID]
  ) async throws -> [ZoneID: Result<RecordZone, any Error>] {
    try await reading { snapshot in
      var results: [ZoneID: Result<RecordZone, any Error>] = [:]
      for id in ids {
        if let zone = try snapshot.zone(id) {
          results[id] = .success(zone)
        } else {
          results[id] = .failure(try snapshot.missingZone(id))
        }
      }
      return results
    }
  }

  /// Saves and deletes zones; see `CloudDatabase`.
  ///
  /// Deleting a zone of the shared database ends the user's part in its shares.
  @discardableResult
  public func modifyRecordZones(
    saving recordZonesToSave: [RecordZone], deleting recordZoneIDsToDelete: [ZoneID]
  ) async throws -> (
    saveResults: [ZoneID: Result<RecordZone, any Error>],
    deleteResults: [ZoneID: Result<Void, any Error>]
  ) {
    let (scope, rules, deviceID) = (databaseScope, container.rules, deviceID)
    return try await changing(items: recordZonesToSave.count + recordZoneIDsToDelete.count) {
      transaction, notifier in
      var saved: [ZoneID: Result<RecordZone, any Error>] = [:]
      for zone in recordZonesToSave {
        saved[zone.zoneID] = try itemResult {
          try ZoneRule.check(saving: zone, in: scope, rules)
          if let known = try transaction.zone(withID: zone.zoneID) { return known }
          try transaction.save(zone)
          notifier.noteZone(in: transaction.view.key)
          return zone
        }
      }
      var deleted: [ZoneID: Result<Void, any Error>] = [:]
      for zoneID in recordZoneIDsToDelete where deleted[zoneID] == nil {
        deleted[zoneID] = try itemResult {
          guard try transaction.hasZone(zoneID) else { throw try transaction.missingZone(zoneID) }
          if let shares = try transaction.sharesToLeave(zoneID) {
            let request = ModifyRequest(transaction, from: deviceID, rules: rules)
            try request.judge(
              saving: [], deleting: shares.map { RecordDeletion($0) }, atomically: false)
            _ = try request.apply(notifier)
          } else {
            try transaction.deleteZone(zoneID, notifier)
          }
        }
      }
      return (saved, deleted)
    }
  }
}

/// Returns the result of one item of a request: an error of CloudKit is the item's, another one is
/// thrown.
func itemResult<T>(_ body: () throws -> T) throws -> Result<T, any Error> {
  do {
    return .success(try body())
  } catch let error as CloudError {
    return .failure(error)
  }
}

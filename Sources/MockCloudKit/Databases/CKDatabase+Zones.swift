import CloudInterface
import Foundation
import RecordModel

extension CKDatabase {
  public func allRecordZones() async throws -> [CKRecordZone] {
    try await translatingErrors { try await database.allRecordZones() }.map(CKRecordZone.init)
  }

  public func recordZones(
    for ids: [CKRecordZone.ID]
  ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
    let results = try await translatingErrors {
      try await database.recordZones(for: ids.map(ZoneID.init))
    }
    return await reader.results(results)
  }

  public func modifyRecordZones(
    saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID]
  ) async throws -> (
    saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
    deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
  ) {
    let results = try await translatingErrors {
      try await database.modifyRecordZones(
        saving: recordZonesToSave.map(RecordZone.init),
        deleting: recordZoneIDsToDelete.map(ZoneID.init))
    }
    return (
      await reader.results(results.saveResults, saving: recordZonesToSave),
      await reader.results(results.deleteResults)
    )
  }

  public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
    try await recordZones(for: [zoneID]).onlyResult()
  }

  public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
    try await modifyRecordZones(saving: [zone], deleting: []).saveResults.onlyResult()
  }

  @discardableResult
  public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
    try await modifyRecordZones(saving: [], deleting: [zoneID]).deleteResults.onlyResult()
    return zoneID
  }
}

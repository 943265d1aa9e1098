import CloudInterface
import Foundation
import RecordModel

extension CKDatabase {
  public func databaseChanges(
    since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
  ) async throws -> (
    modifications: [CKDatabase.DatabaseChange.Modification],
    deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
    moreComing: Bool
  ) {
    let changes = try await translatingErrors {
      try await database.databaseChanges(since: changeToken?.model, resultsLimit: resultsLimit)
    }
    return (
      changes.modifications.map(DatabaseChange.Modification.init),
      changes.deletions.map(DatabaseChange.Deletion.init),
      CKServerChangeToken(changes.changeToken), changes.moreComing
    )
  }

  public func recordZoneChanges(
    inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
    desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil
  ) async throws -> (
    modificationResultsByID: [CKRecord.ID: Result<
      CKDatabase.RecordZoneChange.Modification, any Error
    >],
    deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
    moreComing: Bool
  ) {
    let changes = try await translatingErrors {
      try await database.recordZoneChanges(
        inZoneWith: ZoneID(zoneID), since: changeToken?.model, desiredKeys: desiredKeys,
        resultsLimit: resultsLimit)
    }
    let records = await reader.results(
      changes.modificationResultsByID.mapValues { $0.map(\.record) })
    return (
      records.mapValues { $0.map(RecordZoneChange.Modification.init) },
      changes.deletions.map(RecordZoneChange.Deletion.init),
      CKServerChangeToken(changes.changeToken), changes.moreComing
    )
  }
}

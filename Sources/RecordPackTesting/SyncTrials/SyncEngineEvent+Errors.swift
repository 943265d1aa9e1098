import CloudInterface
import RecordModel

extension SyncEngineEvent {
  /// The records that the event reports as saved or deleted.
  var sentRecordIDs: [RecordID] {
    guard case .sentRecordZoneChanges(let sent) = self else { return [] }
    return sent.savedRecords.map(\.recordID) + sent.deletedRecordIDs
  }

  /// The codes of the errors of records that the event reports.
  var recordErrors: [RecordID: CloudError.Code] {
    guard case .sentRecordZoneChanges(let sent) = self else { return [:] }
    return sent.failedRecordSaves.reduce(into: sent.failedRecordDeletes.mapValues(\.code)) {
      $0[$1.record.recordID] = $1.error.code
    }
  }

  /// The names of the devices whose saves the failed records conflict with.
  var conflicts: [RecordID: String] {
    guard case .sentRecordZoneChanges(let sent) = self else { return [:] }
    return sent.failedRecordSaves.reduce(into: [:]) {
      guard $1.error.code == .serverRecordChanged else { return }
      $0[$1.record.recordID] = $1.error.serverRecord?.systemFields.modified?.deviceID
    }
  }

  /// The codes of the errors that the event reports.
  var errorCodes: Set<CloudError.Code> {
    switch self {
    case .sentRecordZoneChanges: Set(recordErrors.values)
    case .sentDatabaseChanges(let sent):
      Set(sent.failedZoneSaves.map(\.error.code) + sent.failedZoneDeletes.values.map(\.code))
    case .didFetchRecordZoneChanges(let zone): Set([zone.error?.code].compactMap(\.self))
    default: []
    }
  }
}

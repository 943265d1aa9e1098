import CloudInterface
import RecordModel

extension SyncEngineEvent {
  /// The codes of the errors that the event reports.
  var errorCodes: Set<CloudError.Code> {
    switch self {
    case .sentRecordZoneChanges(let sent):
      Set(sent.failedRecordSaves.map(\.error.code) + sent.failedRecordDeletes.values.map(\.code))
    case .sentDatabaseChanges(let sent):
      Set(sent.failedZoneSaves.map(\.error.code) + sent.failedZoneDeletes.values.map(\.code))
    case .didFetchRecordZoneChanges(let zone): Set([zone.error?.code].compactMap(\.self))
    default: []
    }
  }
}

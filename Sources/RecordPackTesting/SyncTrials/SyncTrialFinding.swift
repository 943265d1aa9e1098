import CloudInterface
import RecordModel

/// The problem of a run, and what was seen until then.
struct SyncTrialFinding: Sendable {
  var problem: SyncTrialFailure.Problem
  /// The number of steps up to the problem.
  var stepCount: Int
  var evidence: SyncTrialEvidence
}

/// The events, errors and records of a run until its problem.
struct SyncTrialEvidence: Sendable {
  /// A device with its last events, one line each, and the codes of the errors that the app was told there.
  struct Device: Sendable {
    var name: String
    var events: [String] = []
    var errorCodes: Set<CloudError.Code> = []
    /// The last errors of records that were not sent since.
    var lastErrors: [RecordID: CloudError.Code] = [:]
    /// Whether a record's last conflict was with a save of the same device, for each record that had one.
    var ownConflicts: [RecordID: Bool] = [:]
    /// The failed requests that the app made by itself, each with its error.
    var requestErrors: [String] = []

    /// Notes the errors that an event tells the app.
    mutating func note(_ event: SyncEngineEvent) {
      switch event {
      case .sentRecordZoneChanges(let sent):
        for recordID in sent.savedRecords.map(\.recordID) + sent.deletedRecordIDs {
          lastErrors[recordID] = nil
        }
        var errors = sent.failedRecordDeletes
        for failure in sent.failedRecordSaves {
          let recordID = failure.record.recordID
          errors[recordID] = failure.error
          guard failure.error.code == .serverRecordChanged,
            let device = failure.error.serverRecord?.systemFields.modified?.deviceID
          else { continue }
          ownConflicts[recordID] = device == name
        }
        lastErrors.merge(errors.mapValues(\.code)) { $1 }
        errorCodes.formUnion(errors.values.map(\.code))
      case .sentDatabaseChanges(let sent):
        errorCodes.formUnion(sent.failedZoneSaves.map(\.error.code))
        errorCodes.formUnion(sent.failedZoneDeletes.values.map(\.code))
      case .didFetchRecordZoneChanges(let zone):
        if let error = zone.error { errorCodes.insert(error.code) }
      default: break
      }
    }
  }

  var devices: [Device] = []
  /// The codes of the errors that the app was told on any device.
  var errorCodes: Set<CloudError.Code> { devices.reduce(into: []) { $0.formUnion($1.errorCodes) } }
  /// The codes of the last errors of records that were not sent since, on any device.
  var lastErrorCodes: Set<CloudError.Code> {
    devices.reduce(into: []) { $0.formUnion($1.lastErrors.values) }
  }
  /// Whether the conflicts of an item's records, or else those of all records, were each with a save of the
  /// same device.
  func conflictsWithOwnSaves(_ item: String?) -> Bool {
    let all = devices.flatMap(\.ownConflicts)
    let own = all.filter { item.map($0.key.recordName.contains) == true }
    return !all.isEmpty && (own.isEmpty ? all : own).allSatisfy(\.value)
  }
  /// The server's records that have to do with the item, in words.
  var records: [String] = []
  /// Whether the steps fail with the gentle rules, too.
  var failsWithGentleRules = true
  /// Whether the app fails ``SyncTrial/mixedEdits``, too.
  var failsWithoutTrap = false
}

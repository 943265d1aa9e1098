import CloudInterface
import RecordModel

extension RecordZoneChangeBatch {
  /// The changes that the batch sends.
  var changes: [PendingRecordZoneChange] {
    recordsToSave.map { .saveRecord($0.recordID) } + recordIDsToDelete.map { .deleteRecord($0) }
  }
}

/// The results of a batch, in its order.
struct BatchResults {
  let event: SyncEngineEvent.SentRecordZoneChanges
  /// The errors of the records that have failed.
  let errors: [RecordID: CloudError]

  /// The results of a request that has failed as a whole: each record has its error.
  init(_ batch: RecordZoneChangeBatch, failure: CloudError) {
    self.init(batch, saved: [:], failed: { _ in failure })
  }

  /// - Throws: an error of an item that is not one of CloudKit.
  init(
    _ batch: RecordZoneChangeBatch, _ saves: [RecordID: Result<ResultRecord, any Error>],
    _ deletions: [RecordID: Result<Void, any Error>]
  ) throws {
    var saved: [RecordID: ResultRecord] = [:]
    var errors: [RecordID: CloudError] = [:]
    for (recordID, result) in saves {
      switch result {
      case .success(let record): saved[recordID] = record
      case .failure(let error): errors[recordID] = try CloudError.ofItem(error)
      }
    }
    for case (let recordID, .failure(let error)) in deletions {
      errors[recordID] = try CloudError.ofItem(error)
    }
    for record in batch.recordsToSave where saves[record.recordID] == nil {
      errors[record.recordID] = .noResult
    }
    for recordID in batch.recordIDsToDelete where deletions[recordID] == nil {
      errors[recordID] = .noResult
    }
    self.init(batch, saved: saved, failed: { errors[$0] })
  }

  private init(
    _ batch: RecordZoneChangeBatch, saved: [RecordID: ResultRecord],
    failed: (RecordID) -> CloudError?
  ) {
    var errors: [RecordID: CloudError] = [:]
    var failedSaves: [SyncEngineEvent.SentRecordZoneChanges.FailedRecordSave] = []
    var failedDeletes: [RecordID: CloudError] = [:]
    for record in batch.recordsToSave {
      guard let error = failed(record.recordID) else { continue }
      errors[record.recordID] = error
      failedSaves.append(.init(record: record, error: error))
    }
    for recordID in batch.recordIDsToDelete {
      guard let error = failed(recordID) else { continue }
      errors[recordID] = error
      failedDeletes[recordID] = error
    }
    event = .init(
      savedRecords: batch.recordsToSave.compactMap { saved[$0.recordID] },
      failedRecordSaves: failedSaves,
      deletedRecordIDs: batch.recordIDsToDelete.filter { errors[$0] == nil },
      failedRecordDeletes: failedDeletes)
    self.errors = errors
  }
}

/// Changes of zones in the form of a request.
struct ZoneRequest: Sendable {
  private(set) var zones: [RecordZone] = []
  private(set) var zoneIDs: [ZoneID] = []

  init(_ changes: [PendingDatabaseChange]) {
    for change in changes {
      switch change {
      case .saveZone(let zone): zones.append(zone)
      case .deleteZone(let zoneID): zoneIDs.append(zoneID)
      }
    }
  }
}

/// The results of changes of zones.
struct ZoneResults {
  let event: SyncEngineEvent.SentDatabaseChanges
  /// The errors of the zones that have failed.
  let errors: [ZoneID: CloudError]

  init(_ request: ZoneRequest, failure: CloudError) {
    self.init(request, saved: [:], failed: { _ in failure })
  }

  /// - Throws: an error of an item that is not one of CloudKit.
  init(
    _ request: ZoneRequest, _ saves: [ZoneID: Result<RecordZone, any Error>],
    _ deletions: [ZoneID: Result<Void, any Error>]
  ) throws {
    var saved: [ZoneID: RecordZone] = [:]
    var errors: [ZoneID: CloudError] = [:]
    for (zoneID, result) in saves {
      switch result {
      case .success(let zone): saved[zoneID] = zone
      case .failure(let error): errors[zoneID] = try CloudError.ofItem(error)
      }
    }
    for case (let zoneID, .failure(let error)) in deletions {
      errors[zoneID] = try CloudError.ofItem(error)
    }
    self.init(request, saved: saved, failed: { errors[$0] })
  }

  private init(
    _ request: ZoneRequest, saved: [ZoneID: RecordZone], failed: (ZoneID) -> CloudError?
  ) {
    var errors: [ZoneID: CloudError] = [:]
    var failedSaves: [SyncEngineEvent.SentDatabaseChanges.FailedZoneSave] = []
    var failedDeletes: [ZoneID: CloudError] = [:]
    for zone in request.zones {
      guard let error = failed(zone.zoneID) else { continue }
      errors[zone.zoneID] = error
      failedSaves.append(.init(zone: zone, error: error))
    }
    for zoneID in request.zoneIDs {
      guard let error = failed(zoneID) else { continue }
      errors[zoneID] = error
      failedDeletes[zoneID] = error
    }
    event = .init(
      savedZones: request.zones.compactMap { saved[$0.zoneID] }, failedZoneSaves: failedSaves,
      deletedZoneIDs: request.zoneIDs.filter { errors[$0] == nil },
      failedZoneDeletes: failedDeletes)
    self.errors = errors
  }
}

extension CloudError {
  /// The error of an item as one of CloudKit.
  ///
  /// - Throws: any other error.
  fileprivate static func ofItem(_ error: any Error) throws -> CloudError {
    guard let error = error as? CloudError else { throw error }
    return error
  }

  fileprivate static let noResult = CloudError(
    .internalError, "the server returned no result for the item")
}

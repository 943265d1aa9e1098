import CloudInterface
import RecordModel

/// The results of a request that saves and deletes items.
struct ModifyResults<ID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// The items that were saved.
  private(set) var saved: [ID: Item] = [:]
  /// The errors of the items that have failed.
  private(set) var errors: [ID: CloudError] = [:]
  /// The error of the request, if it has failed as a whole. Each item has it, too.
  private(set) var failure: CloudError?

  /// Creates the results of a request that has failed as a whole.
  init(saving saves: [ID], deleting deletions: [ID], failure: CloudError) {
    for id in saves + deletions { errors[id] = failure }
    self.failure = failure
  }

  /// Creates the results of a request from the server's response.
  ///
  /// - Throws: an error of an item that is not a `CloudError`.
  init(
    saving saves: [ID], deleting deletions: [ID], _ saveResults: [ID: Result<Item, any Error>],
    _ deleteResults: [ID: Result<Void, any Error>]
  ) throws {
    for id in saves {
      switch saveResults[id] ?? .failure(CloudError.noResult) {
      case .success(let item): saved[id] = item
      case .failure(let error): errors[id] = try CloudError.ofItem(error)
      }
    }
    for id in deletions {
      if case .failure(let error) = deleteResults[id] ?? .failure(CloudError.noResult) {
        errors[id] = try CloudError.ofItem(error)
      }
    }
  }

  /// The errors of some deletions.
  fileprivate func failed(_ deletions: [ID]) -> [ID: CloudError] {
    var failed: [ID: CloudError] = [:]
    for id in deletions { failed[id] = errors[id] }
    return failed
  }
}

extension SyncEngineEvent.SentRecordZoneChanges {
  /// Creates the event of a batch, in the order of the batch.
  init(_ batch: RecordZoneChangeBatch, _ results: ModifyResults<RecordID, ResultRecord>) {
    self.init(
      savedRecords: batch.recordsToSave.compactMap { results.saved[$0.recordID] },
      failedRecordSaves: batch.recordsToSave.compactMap { record in
        results.errors[record.recordID].map { FailedRecordSave(record: record, error: $0) }
      },
      deletedRecordIDs: batch.recordIDsToDelete.filter { results.errors[$0] == nil },
      failedRecordDeletes: results.failed(batch.recordIDsToDelete))
  }
}

extension SyncEngineEvent.SentDatabaseChanges {
  /// Creates the event of a request, in the order of the request.
  init(_ request: ZoneRequest, _ results: ModifyResults<ZoneID, RecordZone>) {
    self.init(
      savedZones: request.zones.compactMap { results.saved[$0.zoneID] },
      failedZoneSaves: request.zones.compactMap { zone in
        results.errors[zone.zoneID].map { FailedZoneSave(zone: zone, error: $0) }
      },
      deletedZoneIDs: request.zoneIDs.filter { results.errors[$0] == nil },
      failedZoneDeletes: results.failed(request.zoneIDs))
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

import CloudInterface
import Foundation
import RecordModel

extension CKDatabase {
  public func records(
    for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
  ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
    let results = try await translatingErrors {
      try await database.records(for: ids.map(RecordID.init), desiredKeys: desiredKeys)
    }
    return await reader.results(results)
  }

  public func modifyRecords(
    saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
    savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
    atomically: Bool = true
  ) async throws -> (
    saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
    deleteResults: [CKRecord.ID: Result<Void, any Error>]
  ) {
    let clients = [RecordID: SentRecord](recordsToSave)
    let request = RecordRequest(
      recordsToSave, recordIDsToDelete, savePolicy: savePolicy, atomically: atomically)
    let results = try await translatingErrors {
      try await database.modifyRecords(
        saving: request.drafts, deleting: request.deletions,
        savePolicy: CloudInterface.RecordSavePolicy(savePolicy), atomically: atomically)
    }
    return (
      await reader.results(results.saveResults, saving: clients)
        .merging(request.failedSaves.mapValues { .failure($0) }) { $1 },
      await reader.results(results.deleteResults)
        .merging(request.failedDeletions.mapValues { .failure($0) }) { $1 }
    )
  }

  public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
    try await records(for: [recordID]).onlyResult()
  }

  public func save(_ record: CKRecord) async throws -> CKRecord {
    try await modifyRecords(saving: [record], deleting: []).saveResults.onlyResult()
  }

  @discardableResult
  public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
    try await modifyRecords(saving: [], deleting: [recordID]).deleteResults.onlyResult()
    return recordID
  }
}

/// The records of a request, without those that have a value which CloudKit does not store.
///
/// Such a record fails by itself: "CloudKit enforces these constraints when you save the records"
/// (Apple's documentation of `CKRecord`). An atomic request fails the other records of its zone.
private struct RecordRequest {
  private(set) var drafts: [DraftRecord] = []
  private(set) var deletions: [RecordID] = []
  private(set) var failedSaves: [CKRecord.ID: any Error] = [:]
  private(set) var failedDeletions: [CKRecord.ID: any Error] = [:]

  init(
    _ records: [CKRecord], _ recordIDs: [CKRecord.ID],
    savePolicy: CKModifyRecordsOperation.RecordSavePolicy, atomically: Bool
  ) {
    var sent: [(id: CKRecord.ID, draft: DraftRecord)] = []
    for record in records {
      do {
        sent.append(
          (record.recordID, try DraftRecord(record, sendingAllKeys: savePolicy == .allKeys)))
      } catch {
        failedSaves[record.recordID] = error
      }
    }
    let failed = Set(atomically ? failedSaves.keys.map(\.zoneID) : [])
      .subtracting([CKRecordZone.ID.default])
    for (id, draft) in sent {
      if failed.contains(id.zoneID) {
        failedSaves[id] = CKError(.batchRequestFailed)
      } else {
        drafts.append(draft)
      }
    }
    for id in recordIDs {
      if failed.contains(id.zoneID) {
        failedDeletions[id] = CKError(.batchRequestFailed)
      } else {
        deletions.append(RecordID(id))
      }
    }
  }
}

extension CloudInterface.RecordSavePolicy {
  fileprivate init(_ policy: CKModifyRecordsOperation.RecordSavePolicy) {
    switch policy {
    case .ifServerRecordUnchanged: self = .ifServerRecordUnchanged
    case .changedKeys: self = .changedKeys
    case .allKeys: self = .allKeys
    }
  }
}

extension Dictionary {
  /// The result for the only item of a request.
  func onlyResult<Success>() throws -> Success where Value == Result<Success, any Error> {
    guard count == 1, let result = values.first else { throw CKError(.internalError) }
    return try result.get()
  }
}

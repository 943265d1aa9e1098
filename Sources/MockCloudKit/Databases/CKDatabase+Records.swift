import CloudInterface
import Foundation
import RecordModel

extension CKDatabase {
  /// https://developer.apple.com/documentation/cloudkit/ckdatabase/records(for:desiredkeys:)
  public func records(
    for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
  ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
    let results = try await translatingErrors {
      try await database.records(for: ids.map(RecordID.init), desiredKeys: desiredKeys)
    }
    return await reader.results(results)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckdatabase/modifyrecords(saving:deleting:savepolicy:atomically:)
  public func modifyRecords(
    saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
    savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
    atomically: Bool = true
  ) async throws -> (
    saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
    deleteResults: [CKRecord.ID: Result<Void, any Error>]
  ) {
    let drafts = try recordsToSave.map {
      try DraftRecord($0, sendingAllKeys: savePolicy == .allKeys)
    }
    let clients = Dictionary(
      recordsToSave.map { (RecordID($0.recordID), $0) }, uniquingKeysWith: { first, _ in first })
    let results = try await translatingErrors {
      try await database.modifyRecords(
        saving: drafts, deleting: recordIDsToDelete.map(RecordID.init),
        savePolicy: CloudInterface.RecordSavePolicy(savePolicy), atomically: atomically)
    }
    return (
      await reader.results(results.saveResults, saving: clients),
      await reader.results(results.deleteResults)
    )
  }

  /// https://developer.apple.com/documentation/cloudkit/ckdatabase/record(for:)
  public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
    try await records(for: [recordID]).onlyResult()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckdatabase/save(_:)-1j6fq
  public func save(_ record: CKRecord) async throws -> CKRecord {
    try await modifyRecords(saving: [record], deleting: []).saveResults.onlyResult()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckdatabase/deleterecord(withid:)
  @discardableResult
  public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
    try await modifyRecords(saving: [], deleting: [recordID]).deleteResults.onlyResult()
    return recordID
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

import Foundation

open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
  public enum RecordSavePolicy: Int, Sendable {
    /// Saves the changed fields if the server still has the version that the app fetched.
    case ifServerRecordUnchanged = 0
    /// Saves the changed fields, whatever the server's change tag.
    case changedKeys = 1
    /// Saves all fields that the record has, whatever the server's change tag.
    case allKeys = 2
  }

  open var recordsToSave: [CKRecord]?
  open var recordIDsToDelete: [CKRecord.ID]?
  open var savePolicy = RecordSavePolicy.ifServerRecordUnchanged
  open var isAtomic = true
  // The mock does not store the token.
  open var clientChangeTokenData: Data?

  open var perRecordProgressBlock: ((CKRecord, Double) -> Void)?
  @available(*, deprecated, message: "Use perRecordSaveBlock instead")
  open var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)? {
    get { oldSaveBlock }
    set { oldSaveBlock = newValue }
  }
  public var perRecordSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
  public var perRecordDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)?
  @available(*, deprecated, message: "Use modifyRecordsResultBlock instead")
  open var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var modifyRecordsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldSaveBlock: ((CKRecord, (any Error)?) -> Void)?
  private var oldEndBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?

  public convenience init(
    recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil
  ) {
    self.init()
    self.recordsToSave = recordsToSave
    self.recordIDsToDelete = recordIDsToDelete
  }

  override func perform() async throws {
    let (records, deletions) = (recordsToSave ?? [], recordIDsToDelete ?? [])
    let answer = try await target.modifyRecords(
      saving: records, deleting: deletions, savePolicy: savePolicy, atomically: isAtomic)
    let saved = OperationResults(records.map(\.recordID), answer.saveResults)
    let deleted = OperationResults(deletions, answer.deleteResults)
    try await reply { [self] in
      report(saved, records)
      if let perRecordDeleteBlock {
        for (id, result) in deleted.results { perRecordDeleteBlock(id, result) }
      }
      oldEndBlock?(
        saved.successes.map(\.value), deleted.successes.map(\.id),
        PartialFailure(saved, deleted, message: PartialFailure.modifiedRecords).error)
      modifyRecordsResultBlock?(.success(()))
    }
  }

  private func report(_ saved: OperationResults<CKRecord.ID, CKRecord>, _ records: [CKRecord]) {
    let clients = Dictionary(
      records.map { ($0.recordID, $0) }, uniquingKeysWith: { first, _ in first })
    for (id, result) in saved.results {
      let record = result.successValue ?? clients[id]
      if let record, result.successValue != nil { perRecordProgressBlock?(record, 1) }
      if let perRecordSaveBlock {
        perRecordSaveBlock(id, result)
      } else if let record {
        oldSaveBlock?(record, result.failureValue)
      }
    }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(nil, nil, error)
    modifyRecordsResultBlock?(.failure(error))
  }
}

import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy
  public enum RecordSavePolicy: Int, Sendable {
    /// Saves the changed fields if the server still has the version that the app fetched.
    /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy/ifserverrecordunchanged
    case ifServerRecordUnchanged = 0
    /// Saves the changed fields, whatever the server's change tag.
    /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy/changedkeys
    case changedKeys = 1
    /// Saves all fields that the record has, whatever the server's change tag.
    /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordsavepolicy/allkeys
    case allKeys = 2
  }

  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordstosave
  open var recordsToSave: [CKRecord]?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/recordidstodelete
  open var recordIDsToDelete: [CKRecord.ID]?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/savepolicy
  open var savePolicy = RecordSavePolicy.ifServerRecordUnchanged
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/isatomic
  open var isAtomic = true
  // The mock does not store the token.
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/clientchangetokendata
  open var clientChangeTokenData: Data?

  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/perrecordprogressblock
  open var perRecordProgressBlock: ((CKRecord, Double) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/perrecordcompletionblock
  @available(*, deprecated, message: "Use perRecordSaveBlock instead")
  open var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)? {
    get { oldSaveBlock }
    set { oldSaveBlock = newValue }
  }
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/perrecordsaveblock
  public var perRecordSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/perrecorddeleteblock
  public var perRecordDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/modifyrecordscompletionblock
  @available(*, deprecated, message: "Use modifyRecordsResultBlock instead")
  open var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/modifyrecordsresultblock
  public var modifyRecordsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldSaveBlock: ((CKRecord, (any Error)?) -> Void)?
  private var oldEndBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?

  /// https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation/init(recordstosave:recordidstodelete:)
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
    try checkCancellation()
    let saved = OperationResults(records.map(\.recordID), answer.saveResults)
    let deleted = OperationResults(deletions, answer.deleteResults)
    await call { [self] in
      report(saved, records)
      if let perRecordDeleteBlock {
        for (id, result) in deleted.results { perRecordDeleteBlock(id, result) }
      }
      oldEndBlock?(
        saved.successes.map(\.value), deleted.successes.map(\.id),
        PartialFailure(saved, deleted).error)
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

  override func end(_ error: any Error) async {
    await call { [self] in
      oldEndBlock?(nil, nil, error)
      modifyRecordsResultBlock?(.failure(error))
    }
  }
}

import Foundation

open class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
  open var recordIDs: [CKRecord.ID]?
  public var desiredKeys: [CKRecord.FieldKey]?
  open var perRecordProgressBlock: ((CKRecord.ID, Double) -> Void)?
  @available(*, deprecated, message: "Use perRecordResultBlock instead")
  open var perRecordCompletionBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)? {
    get { oldItemBlock }
    set { oldItemBlock = newValue }
  }
  public var perRecordResultBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
  @available(*, deprecated, message: "Use fetchRecordsResultBlock instead")
  open var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var fetchRecordsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldItemBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
  private var oldEndBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?
  private var fetchesUser = false

  public convenience init(recordIDs: [CKRecord.ID]) {
    self.init()
    self.recordIDs = recordIDs
  }

  open class func fetchCurrentUserRecordOperation() -> Self {
    let operation = self.init()
    operation.fetchesUser = true
    return operation
  }

  override func perform() async throws {
    let ids = fetchesUser ? [try await target.container.userRecordID()] : recordIDs ?? []
    let answer = try await target.records(for: ids, desiredKeys: desiredKeys)
    let fetched = OperationResults(ids, answer)
    try await reply { [self] in
      for (id, result) in fetched.results {
        if result.successValue != nil { perRecordProgressBlock?(id, 1) }
        if let perRecordResultBlock {
          perRecordResultBlock(id, result)
        } else {
          oldItemBlock?(result.successValue, id, result.failureValue)
        }
      }
      oldEndBlock?(fetched.successesByID, PartialFailure(fetched).error)
      fetchRecordsResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(nil, error)
    fetchRecordsResultBlock?(.failure(error))
  }
}

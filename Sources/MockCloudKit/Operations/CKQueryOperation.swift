import Foundation

open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
  public class var maximumResults: Int { 0 }

  open var query: CKQuery?
  open var cursor: CKQueryOperation.Cursor?
  open var zoneID: CKRecordZone.ID?
  open var resultsLimit = CKQueryOperation.maximumResults
  public var desiredKeys: [CKRecord.FieldKey]?
  @available(*, deprecated, message: "Use recordMatchedBlock instead")
  open var recordFetchedBlock: ((CKRecord) -> Void)? {
    get { oldItemBlock }
    set { oldItemBlock = newValue }
  }
  public var recordMatchedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
  @available(*, deprecated, message: "Use queryResultBlock instead")
  open var queryCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var queryResultBlock: ((Result<CKQueryOperation.Cursor?, any Error>) -> Void)?

  private var oldItemBlock: ((CKRecord) -> Void)?
  private var oldEndBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?

  public convenience init(query: CKQuery) {
    self.init()
    self.query = query
  }

  public convenience init(cursor: CKQueryOperation.Cursor) {
    self.init()
    self.cursor = cursor
  }

  override func perform() async throws {
    let answer = try await nextResults()
    try await reply { [self] in
      var failure = PartialFailure()
      for (id, result) in answer.matchResults {
        if let error = result.failureValue { failure.add(error, of: id) }
        if let recordMatchedBlock {
          recordMatchedBlock(id, result)
        } else if let record = result.successValue {
          oldItemBlock?(record)
        }
      }
      oldEndBlock?(answer.queryCursor, failure.error)
      queryResultBlock?(.success(answer.queryCursor))
    }
  }

  private func nextResults() async throws -> (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
    queryCursor: CKQueryOperation.Cursor?
  ) {
    if let cursor {
      return try await target.records(
        continuingMatchFrom: cursor, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
    }
    guard let query else { throw CKError.invalid("the operation has neither a query nor a cursor") }
    return try await target.records(
      matching: query, inZoneWith: zoneID, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
  }

  override func end(_ error: any Error) {
    oldEndBlock?(nil, error)
    queryResultBlock?(.failure(error))
  }
}

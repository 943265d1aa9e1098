import Foundation

open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
  open var recordZonesToSave: [CKRecordZone]?
  open var recordZoneIDsToDelete: [CKRecordZone.ID]?
  public var perRecordZoneSaveBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
  public var perRecordZoneDeleteBlock: ((CKRecordZone.ID, Result<Void, any Error>) -> Void)?
  @available(*, deprecated, message: "Use modifyRecordZonesResultBlock instead")
  open var modifyRecordZonesCompletionBlock:
    (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
  {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var modifyRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldEndBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?

  public convenience init(
    recordZonesToSave: [CKRecordZone]? = nil, recordZoneIDsToDelete: [CKRecordZone.ID]? = nil
  ) {
    self.init()
    self.recordZonesToSave = recordZonesToSave
    self.recordZoneIDsToDelete = recordZoneIDsToDelete
  }

  override func perform() async throws {
    let (zones, deletions) = (recordZonesToSave ?? [], recordZoneIDsToDelete ?? [])
    let answer = try await target.modifyRecordZones(saving: zones, deleting: deletions)
    let saved = OperationResults(zones.map(\.zoneID), answer.saveResults)
    let deleted = OperationResults(deletions, answer.deleteResults)
    try await reply { [self] in
      for (id, result) in saved.results { perRecordZoneSaveBlock?(id, result) }
      for (id, result) in deleted.results { perRecordZoneDeleteBlock?(id, result) }
      oldEndBlock?(
        saved.successes.map(\.value), deleted.successes.map(\.id),
        PartialFailure(saved, deleted).error)
      modifyRecordZonesResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(nil, nil, error)
    modifyRecordZonesResultBlock?(.failure(error))
  }
}

open class CKFetchRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
  open var recordZoneIDs: [CKRecordZone.ID]?
  public var perRecordZoneResultBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
  @available(*, deprecated, message: "Use fetchRecordZonesResultBlock instead")
  open var fetchRecordZonesCompletionBlock:
    (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
  {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var fetchRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldEndBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
  private var fetchesAll = false

  public convenience init(recordZoneIDs zoneIDs: [CKRecordZone.ID]) {
    self.init()
    recordZoneIDs = zoneIDs
  }

  open class func fetchAllRecordZonesOperation() -> Self {
    let operation = self.init()
    operation.fetchesAll = true
    return operation
  }

  override func perform() async throws {
    let fetched = try await fetch()
    try await reply { [self] in
      for (id, result) in fetched.results { perRecordZoneResultBlock?(id, result) }
      oldEndBlock?(fetched.successesByID, PartialFailure(fetched).error)
      fetchRecordZonesResultBlock?(.success(()))
    }
  }

  private func fetch() async throws -> OperationResults<CKRecordZone.ID, CKRecordZone> {
    guard fetchesAll else {
      let ids = recordZoneIDs ?? []
      return OperationResults(ids, try await target.recordZones(for: ids))
    }
    return OperationResults(all: try await target.allRecordZones()) { $0.zoneID }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(nil, error)
    fetchRecordZonesResultBlock?(.failure(error))
  }
}

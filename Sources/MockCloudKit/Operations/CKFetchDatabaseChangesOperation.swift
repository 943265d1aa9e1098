import Foundation

open class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
  open var previousServerChangeToken: CKServerChangeToken?
  open var resultsLimit = 0
  open var fetchAllChanges = true
  open var recordZoneWithIDChangedBlock: ((CKRecordZone.ID) -> Void)?
  open var recordZoneWithIDWasDeletedBlock: ((CKRecordZone.ID) -> Void)?
  open var recordZoneWithIDWasPurgedBlock: ((CKRecordZone.ID) -> Void)?
  open var recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock: ((CKRecordZone.ID) -> Void)?
  open var changeTokenUpdatedBlock: ((CKServerChangeToken) -> Void)?
  @available(*, deprecated, message: "Use fetchDatabaseChangesResultBlock instead")
  open var fetchDatabaseChangesCompletionBlock:
    ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?
  {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var fetchDatabaseChangesResultBlock:
    ((Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void)?

  private var oldEndBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?

  public convenience init(previousServerChangeToken: CKServerChangeToken?) {
    self.init()
    self.previousServerChangeToken = previousServerChangeToken
  }

  override func perform() async throws {
    var token = previousServerChangeToken
    while true {
      let page = try await target.databaseChanges(
        since: token, resultsLimit: resultsLimit == 0 ? nil : resultsLimit)
      let continues = fetchAllChanges && page.moreComing
      try await reply { [self] in
        for modification in page.modifications {
          recordZoneWithIDChangedBlock?(modification.zoneID)
        }
        for deletion in page.deletions { report(deletion) }
        if continues {
          changeTokenUpdatedBlock?(page.changeToken)
        } else {
          oldEndBlock?(page.changeToken, page.moreComing, nil)
          fetchDatabaseChangesResultBlock?(.success((page.changeToken, page.moreComing)))
        }
      }
      guard continues else { return }
      token = page.changeToken
    }
  }

  /// The block for a reason is called in place of the one for all deletions, if it is set. Source:
  /// Apple's documentation of the two blocks.
  private func report(_ deletion: CKDatabase.DatabaseChange.Deletion) {
    let block =
      switch deletion.reason {
      case .deleted: recordZoneWithIDWasDeletedBlock
      case .purged: recordZoneWithIDWasPurgedBlock ?? recordZoneWithIDWasDeletedBlock
      case .encryptedDataReset:
        recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock
          ?? recordZoneWithIDWasDeletedBlock
      }
    block?(deletion.zoneID)
  }

  override func end(_ error: any Error) {
    oldEndBlock?(nil, false, error)
    fetchDatabaseChangesResultBlock?(.failure(error))
  }
}

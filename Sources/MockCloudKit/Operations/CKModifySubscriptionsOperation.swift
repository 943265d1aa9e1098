import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation
open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation/subscriptionstosave
  open var subscriptionsToSave: [CKSubscription]?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation/subscriptionidstodelete
  public var subscriptionIDsToDelete: [CKSubscription.ID]?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation/persubscriptionsaveblock
  public var perSubscriptionSaveBlock:
    ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation/persubscriptiondeleteblock
  public var perSubscriptionDeleteBlock: ((CKSubscription.ID, Result<Void, any Error>) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation/modifysubscriptionscompletionblock
  @available(*, deprecated, message: "Use modifySubscriptionsResultBlock instead")
  public var modifySubscriptionsCompletionBlock:
    (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?
  {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  /// https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation/modifysubscriptionsresultblock
  public var modifySubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldEndBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?

  /// https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation/init(subscriptionstosave:subscriptionidstodelete:)
  public convenience init(
    subscriptionsToSave: [CKSubscription]? = nil,
    subscriptionIDsToDelete: [CKSubscription.ID]? = nil
  ) {
    self.init()
    self.subscriptionsToSave = subscriptionsToSave
    self.subscriptionIDsToDelete = subscriptionIDsToDelete
  }

  override func perform() async throws {
    let (subscriptions, deletions) = (subscriptionsToSave ?? [], subscriptionIDsToDelete ?? [])
    let answer = try await target.modifySubscriptions(saving: subscriptions, deleting: deletions)
    try checkCancellation()
    let saved = OperationResults(subscriptions.map(\.subscriptionID), answer.saveResults)
    let deleted = OperationResults(deletions, answer.deleteResults)
    await call { [self] in
      for (id, result) in saved.results { perSubscriptionSaveBlock?(id, result) }
      for (id, result) in deleted.results { perSubscriptionDeleteBlock?(id, result) }
      oldEndBlock?(
        saved.successes.map(\.value), deleted.successes.map(\.id),
        PartialFailure(saved, deleted).error)
      modifySubscriptionsResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) async {
    await call { [self] in
      oldEndBlock?(nil, nil, error)
      modifySubscriptionsResultBlock?(.failure(error))
    }
  }
}

/// https://developer.apple.com/documentation/cloudkit/ckfetchsubscriptionsoperation
open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckfetchsubscriptionsoperation/subscriptionids
  public var subscriptionIDs: [CKSubscription.ID]?
  /// https://developer.apple.com/documentation/cloudkit/ckfetchsubscriptionsoperation/persubscriptionresultblock
  public var perSubscriptionResultBlock:
    ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckfetchsubscriptionsoperation/fetchsubscriptioncompletionblock
  @available(*, deprecated, message: "Use fetchSubscriptionsResultBlock instead")
  public var fetchSubscriptionCompletionBlock:
    (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
  {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  /// https://developer.apple.com/documentation/cloudkit/ckfetchsubscriptionsoperation/fetchsubscriptionsresultblock
  public var fetchSubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldEndBlock: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
  private var fetchesAll = false

  /// https://developer.apple.com/documentation/cloudkit/ckfetchsubscriptionsoperation/init(subscriptionids:)
  public convenience init(subscriptionIDs: [CKSubscription.ID]) {
    self.init()
    self.subscriptionIDs = subscriptionIDs
  }

  /// https://developer.apple.com/documentation/cloudkit/ckfetchsubscriptionsoperation/fetchallsubscriptionsoperation()
  open class func fetchAllSubscriptionsOperation() -> Self {
    let operation = self.init()
    operation.fetchesAll = true
    return operation
  }

  override func perform() async throws {
    let fetched = try await fetch()
    try checkCancellation()
    await call { [self] in
      for (id, result) in fetched.results { perSubscriptionResultBlock?(id, result) }
      oldEndBlock?(fetched.successesByID, PartialFailure(fetched).error)
      fetchSubscriptionsResultBlock?(.success(()))
    }
  }

  private func fetch() async throws -> OperationResults<CKSubscription.ID, CKSubscription> {
    guard fetchesAll else {
      let ids = subscriptionIDs ?? []
      return OperationResults(ids, try await target.subscriptions(for: ids))
    }
    return OperationResults(all: try await target.allSubscriptions()) { $0.subscriptionID }
  }

  override func end(_ error: any Error) async {
    await call { [self] in
      oldEndBlock?(nil, error)
      fetchSubscriptionsResultBlock?(.failure(error))
    }
  }
}

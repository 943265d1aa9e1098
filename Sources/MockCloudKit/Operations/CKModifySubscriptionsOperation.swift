import Foundation

open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
  open var subscriptionsToSave: [CKSubscription]?
  public var subscriptionIDsToDelete: [CKSubscription.ID]?
  public var perSubscriptionSaveBlock:
    ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
  public var perSubscriptionDeleteBlock: ((CKSubscription.ID, Result<Void, any Error>) -> Void)?
  @available(*, deprecated, message: "Use modifySubscriptionsResultBlock instead")
  public var modifySubscriptionsCompletionBlock:
    (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?
  {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var modifySubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldEndBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?

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
    let saved = OperationResults(subscriptions.map(\.subscriptionID), answer.saveResults)
    let deleted = OperationResults(deletions, answer.deleteResults)
    try await reply { [self] in
      for (id, result) in saved.results { perSubscriptionSaveBlock?(id, result) }
      for (id, result) in deleted.results { perSubscriptionDeleteBlock?(id, result) }
      oldEndBlock?(
        saved.successes.map(\.value), deleted.successes.map(\.id),
        PartialFailure(saved, deleted).error)
      modifySubscriptionsResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(nil, nil, error)
    modifySubscriptionsResultBlock?(.failure(error))
  }
}

open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
  public var subscriptionIDs: [CKSubscription.ID]?
  public var perSubscriptionResultBlock:
    ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
  @available(*, deprecated, message: "Use fetchSubscriptionsResultBlock instead")
  public var fetchSubscriptionCompletionBlock:
    (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
  {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var fetchSubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldEndBlock: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
  private var fetchesAll = false

  public convenience init(subscriptionIDs: [CKSubscription.ID]) {
    self.init()
    self.subscriptionIDs = subscriptionIDs
  }

  open class func fetchAllSubscriptionsOperation() -> Self {
    let operation = self.init()
    operation.fetchesAll = true
    return operation
  }

  override func perform() async throws {
    let fetched = try await fetch()
    try await reply { [self] in
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

  override func end(_ error: any Error) {
    oldEndBlock?(nil, error)
    fetchSubscriptionsResultBlock?(.failure(error))
  }
}

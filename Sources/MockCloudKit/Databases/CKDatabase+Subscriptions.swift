import CloudInterface
import Foundation
import RecordModel

extension CKDatabase {
  public func allSubscriptions() async throws -> [CKSubscription] {
    try await translatingErrors { try await database.allSubscriptions() }
      .map { try CKSubscription.subscription($0) }
  }

  public func subscriptions(
    for ids: [CKSubscription.ID]
  ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
    let results = try await translatingErrors { try await database.subscriptions(for: ids) }
    return await reader.results(results) { try CKSubscription.subscription($0) }
  }

  public func modifySubscriptions(
    saving subscriptionsToSave: [CKSubscription],
    deleting subscriptionIDsToDelete: [CKSubscription.ID]
  ) async throws -> (
    saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
    deleteResults: [CKSubscription.ID: Result<Void, any Error>]
  ) {
    var models: [CloudSubscription] = []
    // A subscription that cannot be sent fails by itself, as one that the server rejects.
    var failed: [CKSubscription.ID: any Error] = [:]
    for subscription in subscriptionsToSave {
      do {
        models.append(try CloudSubscription(subscription))
      } catch {
        failed[subscription.subscriptionID] = CKError.translating(error)
      }
    }
    let sent = models
    let results = try await translatingErrors {
      try await database.modifySubscriptions(saving: sent, deleting: subscriptionIDsToDelete)
    }
    return (
      await reader.results(results.saveResults) { try CKSubscription.subscription($0) }
        .merging(failed.mapValues { .failure($0) }) { $1 },
      await reader.results(results.deleteResults)
    )
  }

  public func subscription(
    for subscriptionID: CKSubscription.ID
  ) async throws -> CKSubscription {
    try await subscriptions(for: [subscriptionID]).onlyResult()
  }

  public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
    try await modifySubscriptions(saving: [subscription], deleting: []).saveResults.onlyResult()
  }

  @discardableResult
  public func deleteSubscription(
    withID subscriptionID: CKSubscription.ID
  ) async throws -> CKSubscription.ID {
    try await modifySubscriptions(saving: [], deleting: [subscriptionID])
      .deleteResults.onlyResult()
    return subscriptionID
  }
}

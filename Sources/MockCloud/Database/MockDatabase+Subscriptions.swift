import CloudInterface
import RecordModel
import RecordStore

extension MockDatabase {
  /// Fetches all subscriptions to the database, by identifier.
  public func allSubscriptions() async throws -> [CloudSubscription] {
    try await reading { try $0.subscriptions() }
  }

  /// Fetches subscriptions; see `CloudDatabase`.
  public func subscriptions(
    for ids: [String]
  ) async throws -> [String: Result<CloudSubscription, any Error>] {
    try await reading { snapshot in
      var results: [String: Result<CloudSubscription, any Error>] = [:]
      for id in ids {
        if let subscription = try snapshot.subscription(id) {
          results[id] = .success(subscription)
        } else {
          let scope = snapshot.view.scope
          results[id] = .failure(
            CloudError(
              .unknownItem, "subscription '\(id)' is not in the \(scope.rawValue) database"))
        }
      }
      return results
    }
  }

  /// Saves and deletes subscriptions; see `CloudDatabase`. Deleting one that does not exist is no
  /// error.
  @discardableResult
  public func modifySubscriptions(
    saving subscriptionsToSave: [CloudSubscription], deleting subscriptionIDsToDelete: [String]
  ) async throws -> (
    saveResults: [String: Result<CloudSubscription, any Error>],
    deleteResults: [String: Result<Void, any Error>]
  ) {
    let rules = container.rules
    return try await changing(items: subscriptionsToSave.count + subscriptionIDsToDelete.count) {
      transaction, _ in
      var saved: [String: Result<CloudSubscription, any Error>] = [:]
      for subscription in subscriptionsToSave {
        saved[subscription.subscriptionID] = try itemResult {
          try SubscriptionRule.check(subscription, rules, transaction)
          try transaction.save(subscription)
          return subscription
        }
      }
      var deleted: [String: Result<Void, any Error>] = [:]
      for id in subscriptionIDsToDelete {
        deleted[id] = try itemResult { try transaction.deleteSubscription(id) }
      }
      return (saved, deleted)
    }
  }
}

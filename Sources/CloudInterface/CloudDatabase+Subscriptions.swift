import RecordModel

extension CloudDatabase {
  /// Fetches a subscription.
  ///
  /// - Throws: `CloudError`: `unknownItem`.
  public func subscription(for subscriptionID: String) async throws -> CloudSubscription {
    try await subscriptions(for: [subscriptionID]).result(for: subscriptionID)
  }

  /// Saves a subscription.
  @discardableResult
  public func save(_ subscription: CloudSubscription) async throws -> CloudSubscription {
    try await modifySubscriptions(saving: [subscription], deleting: [])
      .saveResults.result(for: subscription.subscriptionID)
  }

  /// Deletes a subscription.
  @discardableResult
  public func deleteSubscription(withID subscriptionID: String) async throws -> String {
    try await modifySubscriptions(saving: [], deleting: [subscriptionID])
      .deleteResults.result(for: subscriptionID)
    return subscriptionID
  }
}

import RecordModel

extension CloudDatabase {
  /// Fetches all subscriptions of the user to the database, all of which can be read.
  public func allSubscriptionResults() async throws
    -> [(subscriptionID: String, result: Result<CloudSubscription, any Error>)]
  {
    try await allSubscriptions().map { ($0.subscriptionID, .success($0)) }
  }

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

import RecordModel

/// Checks a subscription: a valid identifier, a kind that the database supports, an existing zone, at
/// most three fields for notifications, and no duplicate.
///
/// Sources: Apple's documentation of `CKQuerySubscription`, `CKRecordZoneSubscription` and
/// `CKDatabaseSubscription`; the Tact blog (FB22867218, FB22867235) for query subscriptions in the
/// shared database and for the message in production; EVCloudKitDao #6 for the message about
/// duplicates; Apple's documentation of `desiredKeys` and malhal.com, "CKRecordZoneSubscription Notes",
/// for fields.
enum SubscriptionRule {
  static func check(
    _ subscription: CloudSubscription, _ rules: ServerRules, _ transaction: AccountTransaction
  ) throws {
    try rules.recordLimits.check(subscriptionID: subscription.subscriptionID)
    try checkKind(of: subscription, in: transaction.scope)
    try checkFields(of: subscription)
    if let zoneID = subscription.zoneID, try transaction.location(of: zoneID) == nil {
      throw try transaction.missingZone(zoneID)
    }
    let others = try transaction.subscriptions()
    // Before its first deployment, a production container knows no subscriptions.
    let info = try transaction.base.info()
    if others.isEmpty, info.environment == .production, info.schema == nil {
      throw CloudError(
        .invalidArguments, "attempting to create a subscription in a production container")
    }
    let same = others.first {
      !$0.subscriptionID.sameScalars(as: subscription.subscriptionID)
        && isSame($0.kind, subscription.kind, rules.subscriptionIdentity)
    }
    if let same {
      throw CloudError(
        .serverRejectedRequest, "subscription is duplicate of '\(same.subscriptionID)'")
    }
  }

  private static func checkFields(of subscription: CloudSubscription) throws(CloudError) {
    let names = subscription.notificationInfo?.desiredKeys ?? []
    if case .query = subscription.kind {
      guard names.count > maxFields else { return }
      throw CloudError(
        .invalidArguments,
        "a notification has at most \(maxFields) fields of its record, not \(names.count)")
    }
    guard !names.isEmpty else { return }
    throw CloudError(.invalidArguments, "cannot add additionalFields to this subscription type")
  }

  /// The maximum number of `desiredKeys`.
  private static let maxFields = 3

  private static func checkKind(
    of subscription: CloudSubscription, in scope: DatabaseScope
  ) throws(CloudError) {
    switch (subscription.kind, scope) {
    case (.query, .shared):
      throw CloudError(
        .invalidArguments, "query subscriptions are not supported in the shared database")
    case (.zone, .public), (.database, .public):
      throw CloudError(
        .invalidArguments,
        "the public database has query subscriptions only, not those of zones or databases")
    case (.query(_, _, let firesOn, _), _) where firesOn.isEmpty:
      throw CloudError(
        .invalidArguments, "a query subscription names at least one kind of change")
    default: break
    }
  }

  private static func isSame(
    _ a: CloudSubscription.Kind, _ b: CloudSubscription.Kind,
    _ identity: ServerRules.SubscriptionIdentity
  ) -> Bool {
    guard identity == .recordTypeAndChanges, case .query(let queryA, _, let firesA, _) = a,
      case .query(let queryB, _, let firesB, _) = b
    else { return a == b }
    return queryA.recordType.sameScalars(as: queryB.recordType) && firesA == firesB
  }
}

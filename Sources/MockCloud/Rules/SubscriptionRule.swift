import RecordModel
import RecordStore

/// A subscription has a valid identifier, and the zone that it watches exists.
///
/// Source: Apple's documentation of `CKRecordZoneSubscription`.
enum SubscriptionRule {
  static func check(
    _ subscription: CloudSubscription, in scope: DatabaseScope, _ rules: ServerRules,
    _ transaction: ContainerTransaction
  ) throws {
    try rules.recordLimits.check(subscriptionID: subscription.subscriptionID)
    if let zoneID = subscription.zoneID, try !transaction.hasZone(zoneID, in: scope) {
      throw CloudError.zoneNotFound(zoneID, in: scope)
    }
  }
}

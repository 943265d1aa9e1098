import Foundation
import RecordModel

extension CloudSubscription {
  /// - Throws: `CKError`: `invalidArguments` without a notification, or for a predicate that
  ///   CloudKit's queries do not support.
  init(_ subscription: CKSubscription) throws {
    guard let info = subscription.notificationInfo else {
      throw CKError.invalid("a subscription without notificationInfo cannot be saved")
    }
    self.init(
      subscriptionID: subscription.subscriptionID, kind: try Kind(subscription),
      notificationInfo: info.model)
  }
}

extension CloudSubscription.Kind {
  init(_ subscription: CKSubscription) throws {
    switch subscription {
    case let subscription as CKQuerySubscription:
      let options = subscription.querySubscriptionOptions
      let query = CKQuery(recordType: subscription.type, predicate: subscription.predicate)
      let kinds: [(CKQuerySubscription.Options, CloudSubscription.ChangeType)] = [
        (.firesOnRecordCreation, .create), (.firesOnRecordUpdate, .update),
        (.firesOnRecordDeletion, .delete),
      ]
      self = .query(
        try RecordQuery(query), zoneID: subscription.zoneID.map { ZoneID($0) },
        firesOn: Set(kinds.filter { options.contains($0.0) }.map(\.1)),
        firesOnce: options.contains(.firesOnce))
    case let subscription as CKRecordZoneSubscription:
      self = .zone(ZoneID(subscription.zoneID), recordType: subscription.recordType)
    case let subscription as CKDatabaseSubscription:
      self = .database(recordType: subscription.recordType)
    default: throw CKError.invalid("\(type(of: subscription)) is no subscription of CloudKit")
    }
  }
}

extension CKSubscription {
  /// Translates a subscription that the server returned.
  static func subscription(_ model: CloudSubscription) throws -> CKSubscription {
    let subscription: CKSubscription
    switch model.kind {
    case .query(let query, let zoneID, let firesOn, let firesOnce):
      var options: CKQuerySubscription.Options = []
      if firesOn.contains(.create) { options.insert(.firesOnRecordCreation) }
      if firesOn.contains(.update) { options.insert(.firesOnRecordUpdate) }
      if firesOn.contains(.delete) { options.insert(.firesOnRecordDeletion) }
      if firesOnce { options.insert(.firesOnce) }
      let result = CKQuerySubscription(
        recordType: query.recordType, predicate: try .predicate(query.filters),
        subscriptionID: model.subscriptionID, options: options)
      result.zoneID = zoneID.map { CKRecordZone.ID($0) }
      subscription = result
    case .zone(let zoneID, let recordType):
      let result = CKRecordZoneSubscription(
        zoneID: CKRecordZone.ID(zoneID), subscriptionID: model.subscriptionID)
      result.recordType = recordType
      subscription = result
    case .database(let recordType):
      let result = CKDatabaseSubscription(subscriptionID: model.subscriptionID)
      result.recordType = recordType
      subscription = result
    }
    subscription.notificationInfo = model.notificationInfo.map { NotificationInfo($0) }
    return subscription
  }
}

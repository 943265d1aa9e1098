#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension CloudSubscription {
    /// Creates a subscription from one of CloudKit.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a predicate that CloudKit does not support,
    ///   or a kind of subscription that this version does not know.
    public init(_ subscription: CKSubscription) throws {
      self.init(
        subscriptionID: subscription.subscriptionID, kind: try Kind(subscription),
        notificationInfo: subscription.notificationInfo.map { NotificationInfo($0) })
    }
  }

  extension CloudSubscription.Kind {
    fileprivate init(_ subscription: CKSubscription) throws {
      switch subscription {
      case let subscription as CKQuerySubscription:
        let query = try RecordQuery(
          recordType: subscription.recordType ?? "", predicate: subscription.predicate)
        let options = subscription.querySubscriptionOptions
        self = .query(
          query, zoneID: subscription.zoneID.map { ZoneID($0) }, firesOn: Set(options),
          firesOnce: options.contains(.firesOnce))
      case let subscription as CKRecordZoneSubscription:
        self = .zone(ZoneID(subscription.zoneID), recordType: subscription.recordType)
      case let subscription as CKDatabaseSubscription:
        self = .database(recordType: subscription.recordType)
      default:
        throw CloudError(
          .invalidArguments, "a subscription of the unknown class \(type(of: subscription))")
      }
    }
  }

  extension Set<CloudSubscription.ChangeType> {
    fileprivate init(_ options: CKQuerySubscription.Options) {
      self = []
      if options.contains(.firesOnRecordCreation) { insert(.create) }
      if options.contains(.firesOnRecordUpdate) { insert(.update) }
      if options.contains(.firesOnRecordDeletion) { insert(.delete) }
    }
  }
#endif

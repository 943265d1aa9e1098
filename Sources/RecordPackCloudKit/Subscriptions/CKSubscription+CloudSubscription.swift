#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension CloudSubscription {
    /// Returns the CloudKit subscription that saves this one.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express, an invalid name, and a query subscription to no kind of change.
    public func ckSubscription() throws -> CKSubscription {
      try RecordLimits.cloudKit.check(subscriptionID: subscriptionID)
      let subscription = try kind.ckSubscription(withID: subscriptionID)
      subscription.notificationInfo = notificationInfo.map { CKSubscription.NotificationInfo($0) }
      return subscription
    }
  }

  extension CloudSubscription.Kind {
    fileprivate func ckSubscription(withID subscriptionID: String) throws -> CKSubscription {
      switch self {
      case .query(let query, let zoneID, let firesOn, let firesOnce):
        // CloudKit raises an exception.
        guard !firesOn.isEmpty else {
          throw CloudError(
            .invalidArguments, "a query subscription names at least one kind of change")
        }
        try RecordLimits.cloudKit.check(recordType: query.recordType)
        let subscription = CKQuerySubscription(
          recordType: query.recordType, predicate: try PredicateFormat(query.filters).predicate,
          subscriptionID: subscriptionID, options: .init(firesOn, firesOnce: firesOnce))
        subscription.zoneID = try zoneID.map { try CKRecordZone.ID(checking: $0) }
        return subscription
      case .zone(let zoneID, let recordType):
        if let recordType { try RecordLimits.cloudKit.check(recordType: recordType) }
        let subscription = CKRecordZoneSubscription(
          zoneID: try CKRecordZone.ID(checking: zoneID), subscriptionID: subscriptionID)
        subscription.recordType = recordType
        return subscription
      case .database(let recordType):
        if let recordType { try RecordLimits.cloudKit.check(recordType: recordType) }
        let subscription = CKDatabaseSubscription(subscriptionID: subscriptionID)
        subscription.recordType = recordType
        return subscription
      }
    }
  }

  extension CKQuerySubscription.Options {
    fileprivate init(_ changeTypes: Set<CloudSubscription.ChangeType>, firesOnce: Bool) {
      self = []
      if changeTypes.contains(.create) { insert(.firesOnRecordCreation) }
      if changeTypes.contains(.update) { insert(.firesOnRecordUpdate) }
      if changeTypes.contains(.delete) { insert(.firesOnRecordDeletion) }
      if firesOnce { insert(.firesOnce) }
    }
  }
#endif

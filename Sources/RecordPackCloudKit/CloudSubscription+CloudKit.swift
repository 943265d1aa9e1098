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

  extension Set<CloudSubscription.ChangeType> {
    fileprivate init(_ options: CKQuerySubscription.Options) {
      self = []
      if options.contains(.firesOnRecordCreation) { insert(.create) }
      if options.contains(.firesOnRecordUpdate) { insert(.update) }
      if options.contains(.firesOnRecordDeletion) { insert(.delete) }
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

  extension NotificationInfo {
    /// Creates the content of notifications from that of CloudKit. On tvOS, notifications have no
    /// alert, sound or category.
    public init(_ info: CKSubscription.NotificationInfo) {
      self.init(
        desiredKeys: info.desiredKeys ?? [], shouldBadge: info.shouldBadge,
        shouldSendContentAvailable: info.shouldSendContentAvailable)
      collapseIDKey = info.collapseIDKey
      shouldSendMutableContent = info.shouldSendMutableContent
      #if !os(tvOS)
        alertBody = info.alertBody
        alertLocalizationKey = info.alertLocalizationKey
        alertLocalizationArgs = info.alertLocalizationArgs ?? []
        alertActionLocalizationKey = info.alertActionLocalizationKey
        alertLaunchImage = info.alertLaunchImage
        title = info.title
        titleLocalizationKey = info.titleLocalizationKey
        titleLocalizationArgs = info.titleLocalizationArgs ?? []
        subtitle = info.subtitle
        subtitleLocalizationKey = info.subtitleLocalizationKey
        subtitleLocalizationArgs = info.subtitleLocalizationArgs ?? []
        soundName = info.soundName
        category = info.category
      #endif
    }
  }

  extension CKSubscription.NotificationInfo {
    /// Creates the content of notifications from that of RecordPack. On tvOS, the alert, the sound
    /// and the category are left out.
    public convenience init(_ info: RecordModel.NotificationInfo) {
      self.init()
      desiredKeys = info.desiredKeys.nonEmpty
      shouldBadge = info.shouldBadge
      shouldSendContentAvailable = info.shouldSendContentAvailable
      collapseIDKey = info.collapseIDKey
      shouldSendMutableContent = info.shouldSendMutableContent
      #if !os(tvOS)
        alertBody = info.alertBody
        alertLocalizationKey = info.alertLocalizationKey
        alertLocalizationArgs = info.alertLocalizationArgs.nonEmpty
        alertActionLocalizationKey = info.alertActionLocalizationKey
        alertLaunchImage = info.alertLaunchImage
        title = info.title
        titleLocalizationKey = info.titleLocalizationKey
        titleLocalizationArgs = info.titleLocalizationArgs.nonEmpty
        subtitle = info.subtitle
        subtitleLocalizationKey = info.subtitleLocalizationKey
        subtitleLocalizationArgs = info.subtitleLocalizationArgs.nonEmpty
        soundName = info.soundName
        category = info.category
      #endif
    }
  }

  extension [String] {
    fileprivate var nonEmpty: [String]? { isEmpty ? nil : self }
  }
#endif

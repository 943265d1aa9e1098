#if canImport(CloudKit)
  import CloudKit
  import RecordModel

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

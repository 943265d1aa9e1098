/// A request to the server to notify the app of changes (`CKSubscription`).
///
/// ```swift
/// let subscription = CloudSubscription(
///   subscriptionID: "chats", kind: .zone(ZoneID(zoneName: "Chats"), recordType: nil),
///   notificationInfo: NotificationInfo(shouldSendContentAvailable: true))
/// try await database.save(subscription)
/// ```
public struct CloudSubscription: Sendable, Hashable, Identifiable {
  /// A kind of change to a record (`CKQuerySubscription.Options`).
  public enum ChangeType: String, Sendable, Hashable, CaseIterable {
    /// A record was created.
    case create
    /// A record was changed.
    case update
    /// A record was deleted.
    case delete
  }

  /// The records that a subscription watches.
  public enum Kind: Sendable, Hashable {
    /// Records of one type that match a query (`CKQuerySubscription`).
    ///
    /// - zoneID: the zone to watch; nil for the whole database.
    /// - firesOnce: whether the subscription ends with its first notification.
    case query(RecordQuery, zoneID: ZoneID?, firesOn: Set<ChangeType>, firesOnce: Bool)
    /// All records of a zone, or those of one type (`CKRecordZoneSubscription`).
    case zone(ZoneID, recordType: String?)
    /// All records of the database, or those of one type (`CKDatabaseSubscription`).
    case database(recordType: String?)
  }

  /// The identifier of the subscription, unique in its database.
  @ExactText public var subscriptionID: String
  /// The records that the subscription watches.
  public var kind: Kind
  /// The content of its notifications.
  public var notificationInfo: NotificationInfo?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates a subscription.
  public init(
    subscriptionID: String, kind: Kind, notificationInfo: NotificationInfo? = nil,
    otherMembers: OtherMembers = []
  ) {
    self.subscriptionID = subscriptionID
    self.kind = kind
    self.notificationInfo = notificationInfo
    self.otherMembers = otherMembers
  }

  /// The identifier of the subscription.
  public var id: String { subscriptionID }

  /// The zone that the subscription watches; nil for a whole database.
  package var zoneID: ZoneID? {
    switch kind {
    case .query(_, let zoneID, _, _): zoneID
    case .zone(let zoneID, _): zoneID
    case .database: nil
    }
  }
}

extension CloudSubscription.Kind {
  /// Whether both watch the same records; names are compared by their Unicode scalars.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.parts == rhs.parts }

  /// Hashes the kind and its parts.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

  private var parts: [AnyHashable?] {
    switch self {
    case .query(let query, let zoneID, let firesOn, let firesOnce):
      ["query", query, zoneID, firesOn, firesOnce]
    case .zone(let zoneID, let recordType): ["zone", zoneID, recordType.map { ExactString($0) }]
    case .database(let recordType): ["database", recordType.map { ExactString($0) }]
    }
  }
}

/// The content of a subscription's push notifications (`CKSubscription.NotificationInfo`).
public struct NotificationInfo: Sendable, Hashable {
  /// The text of the alert.
  @ExactText public var alertBody: String?
  /// The key of the alert text in the app's `Localizable.strings`.
  @ExactText public var alertLocalizationKey: String?
  /// The fields whose values replace the placeholders of the alert text.
  @ExactText public var alertLocalizationArgs: [String] = []
  /// The localization key of the alert button's title.
  @ExactText public var alertActionLocalizationKey: String?
  /// The launch image shown when the user opens the app from the alert.
  @ExactText public var alertLaunchImage: String?
  /// The title of the alert.
  @ExactText public var title: String?
  /// The localization key of the title.
  @ExactText public var titleLocalizationKey: String?
  /// The fields whose values replace the placeholders of the title.
  @ExactText public var titleLocalizationArgs: [String] = []
  /// The subtitle of the alert.
  @ExactText public var subtitle: String?
  /// The localization key of the subtitle.
  @ExactText public var subtitleLocalizationKey: String?
  /// The fields whose values replace the placeholders of the subtitle.
  @ExactText public var subtitleLocalizationArgs: [String] = []
  /// The name of the sound file.
  @ExactText public var soundName: String?
  /// The category, which determines the actions the notification offers.
  @ExactText public var category: String?
  /// The identifier by which notifications replace each other.
  @ExactText public var collapseIDKey: String?
  /// The fields whose values the notification contains.
  @ExactText public var desiredKeys: [String]
  /// Whether the notification increments the app's badge.
  public var shouldBadge: Bool
  /// Whether the notification launches the app in the background.
  public var shouldSendContentAvailable: Bool
  /// Whether an app extension may modify the notification before it is shown.
  public var shouldSendMutableContent = false
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers = []

  /// Creates a notification; by default it shows nothing.
  public init(
    alertBody: String? = nil, soundName: String? = nil, desiredKeys: [String] = [],
    shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false
  ) {
    self.alertBody = alertBody
    self.soundName = soundName
    self.desiredKeys = desiredKeys
    self.shouldBadge = shouldBadge
    self.shouldSendContentAvailable = shouldSendContentAvailable
  }
}

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

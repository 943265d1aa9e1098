/// How a subscription's push notifications look (`CKSubscription.NotificationInfo`).
public struct NotificationInfo: Sendable, Hashable {
  /// The text of the alert.
  @ExactText public var alertBody: String?
  /// The key of the alert's text in the app's `Localizable.strings`.
  @ExactText public var alertLocalizationKey: String?
  /// The fields whose values fill the placeholders of that text.
  @ExactText public var alertLocalizationArgs: [String]
  /// The key of the text of the alert's button.
  @ExactText public var alertActionLocalizationKey: String?
  /// The image shown when the app is launched by the alert.
  @ExactText public var alertLaunchImage: String?
  /// The title of the alert.
  @ExactText public var title: String?
  /// The key of the title.
  @ExactText public var titleLocalizationKey: String?
  /// The fields that fill the title's placeholders.
  @ExactText public var titleLocalizationArgs: [String]
  /// The subtitle of the alert.
  @ExactText public var subtitle: String?
  /// The key of the subtitle.
  @ExactText public var subtitleLocalizationKey: String?
  /// The fields that fill the subtitle's placeholders.
  @ExactText public var subtitleLocalizationArgs: [String]
  /// The name of the sound.
  @ExactText public var soundName: String?
  /// The group of actions the notification offers.
  @ExactText public var category: String?
  /// What notifications replace each other by.
  @ExactText public var collapseIDKey: String?
  /// The fields whose values the notification carries.
  @ExactText public var desiredKeys: [String]
  /// Whether the app's badge counts up.
  public var shouldBadge: Bool
  /// Whether the notification wakes the app in the background.
  public var shouldSendContentAvailable: Bool
  /// Whether an app extension may change the notification before it is shown.
  public var shouldSendMutableContent: Bool
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes a notification that shows nothing; set what it should show.
  public init(
    alertBody: String? = nil, soundName: String? = nil, desiredKeys: [String] = [],
    shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false
  ) {
    self.alertBody = alertBody
    self.soundName = soundName
    self.desiredKeys = desiredKeys
    self.shouldBadge = shouldBadge
    self.shouldSendContentAvailable = shouldSendContentAvailable
    alertLocalizationArgs = []
    titleLocalizationArgs = []
    subtitleLocalizationArgs = []
    shouldSendMutableContent = false
    otherMembers = []
  }
}

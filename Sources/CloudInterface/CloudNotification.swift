import RecordModel

/// The content of a subscription's push notification (`CKNotification` and its subclasses).
public struct CloudNotification: Sendable, Hashable {
  /// The kind of a notification (`CKNotification.NotificationType`).
  public enum Kind: Sendable, Hashable {
    /// A record that matches a query was created, updated or deleted (`CKQueryNotification`).
    ///
    /// - recordFields: the values of the fields that the subscription asks for.
    case query(
      RecordID, reason: CloudSubscription.ChangeType, recordFields: [String: RecordValue])
    /// Records of a zone have changed (`CKRecordZoneNotification`).
    case recordZone(ZoneID)
    /// Records or zones of a database have changed (`CKDatabaseNotification`).
    case database
  }

  /// A text of an alert, or the key of one, with the values of its placeholders.
  public struct Text: Sendable, Hashable {
    /// The text.
    public var text: String?
    /// The key of the text in the app's `Localizable.strings`.
    public var localizationKey: String?
    /// The values for the placeholders of the localized text, as text; empty for a field that the
    /// record does not have.
    public var localizationArgs: [String]

    /// Creates a text.
    public init(
      _ text: String? = nil, localizationKey: String? = nil, localizationArgs: [String] = []
    ) {
      self.text = text
      self.localizationKey = localizationKey
      self.localizationArgs = localizationArgs
    }
  }

  /// The kind of the notification, with its subject.
  public var kind: Kind
  /// The identifier of the container.
  public var containerIdentifier: String?
  /// The database of the subscription.
  public var databaseScope: DatabaseScope
  /// The identifier of the subscription.
  public var subscriptionID: String
  /// The text of the alert.
  public var alert: Text?
  /// The title of the alert.
  public var title: Text?
  /// The subtitle of the alert.
  public var subtitle: Text?
  /// The number of the app's badge; nil if the notification does not change it.
  public var badge: Int?
  /// The name of the sound file.
  public var soundName: String?
  /// The category, which determines the actions the notification offers.
  public var category: String?
  /// The identifier by which notifications replace each other.
  public var collapseID: String?
  /// Whether the notification launches the app in the background.
  public var launchesApp = false

  /// Creates a notification that shows nothing.
  public init(
    _ kind: Kind, subscriptionID: String, databaseScope: DatabaseScope,
    containerIdentifier: String? = nil
  ) {
    self.kind = kind
    self.subscriptionID = subscriptionID
    self.databaseScope = databaseScope
    self.containerIdentifier = containerIdentifier
  }
}

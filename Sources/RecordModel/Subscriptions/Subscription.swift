/// A subscription: the server tells the app of changes (`CKSubscription`).
public struct Subscription: Sendable, Hashable, Identifiable {
  /// Which changes of records are told (`CKQuerySubscription.Options`).
  public enum Firing: String, Sendable, Hashable, CaseIterable {
    case create, update, delete
  }

  /// What a subscription watches.
  public enum Kind: Sendable, Hashable {
    /// Records of one type that match a query (`CKQuerySubscription`).
    ///
    /// - zoneID: the zone that is watched; nil is the whole database.
    /// - firesOnce: whether the subscription ends with its first notification.
    case query(Query, zoneID: ZoneID?, firesOn: Set<Firing>, firesOnce: Bool)
    /// All records of a zone (`CKRecordZoneSubscription`), or those of one type.
    case zone(ZoneID, recordType: String?)
    /// All records of the database (`CKDatabaseSubscription`), or those of one type.
    case database(recordType: String?)
  }

  /// The subscription's identity, unique in its database.
  public var subscriptionID: String
  /// What it watches.
  public var kind: Kind
  /// How its notifications look.
  public var notificationInfo: NotificationInfo?
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes a subscription.
  public init(
    subscriptionID: String, kind: Kind, notificationInfo: NotificationInfo? = nil,
    otherMembers: OtherMembers = []
  ) {
    self.subscriptionID = subscriptionID
    self.kind = kind
    self.notificationInfo = notificationInfo
    self.otherMembers = otherMembers
  }

  /// The subscription's identity; what `Identifiable` goes by.
  public var id: String { subscriptionID }
}

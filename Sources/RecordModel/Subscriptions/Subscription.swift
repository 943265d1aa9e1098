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
  @ExactText public var subscriptionID: String
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

extension Subscription.Kind {
  /// Whether both watch the same; names are compared scalar by scalar.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (
      .query(let a, let zoneA, let firesA, let onceA),
      .query(let b, let zoneB, let firesB, let onceB)
    ):
      a == b && zoneA == zoneB && firesA == firesB && onceA == onceB
    case (.zone(let zoneA, let a), .zone(let zoneB, let b)): zoneA == zoneB && a.sameScalars(as: b)
    case (.database(let a), .database(let b)): a.sameScalars(as: b)
    default: false
    }
  }

  /// Hashes what is watched.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .query(let query, let zoneID, _, _):
      hasher.combine(query)
      hasher.combine(zoneID)
    case .zone(let zoneID, let recordType):
      hasher.combine(zoneID)
      recordType.hashScalars(into: &hasher)
    case .database(let recordType): recordType.hashScalars(into: &hasher)
    }
  }
}

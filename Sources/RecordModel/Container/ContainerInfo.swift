/// The metadata of a container.
///
/// ```swift
/// let info = ContainerInfo(
///   identifier: "iCloud.com.example.chats", environment: .production, schema: schema)
/// let production = try MockContainer.inMemory(info: info)
/// ```
public struct ContainerInfo: Sendable, Hashable {
  /// An environment of a CloudKit container.
  public enum Environment: String, Sendable, Hashable, Codable, CaseIterable {
    /// Saving a record can add types and fields to the schema.
    case development
    /// The schema changes only by deployment.
    case production
  }

  /// The container's identifier, such as `iCloud.com.example.app`.
  @ExactText public var identifier: String?
  /// The environment the content comes from.
  public var environment: Environment?
  /// The schema in CloudKit's schema language (`.ckdb`).
  @ExactText public var schema: String?
  /// The name of the schema version, if the app numbers its schemas.
  @ExactText public var schemaVersion: String?
  /// The record name of the signed-in user, which is the default author of saves.
  @ExactText public var currentUserRecordName: String?
  /// The users of the container, by record name. One that is not the signed-in user has the zones
  /// of the private database with the user's record name as their owner.
  package var accounts: [ContainerAccount] = []
  /// The members of a bundle header that this version has no property for; they are written back.
  public var otherMembers: OtherMembers = []

  /// Creates metadata; nil stands for unknown.
  public init(
    identifier: String? = nil, environment: Environment? = nil, schema: String? = nil,
    schemaVersion: String? = nil, currentUserRecordName: String? = nil
  ) {
    self.identifier = identifier
    self.environment = environment
    self.schema = schema
    self.schemaVersion = schemaVersion
    self.currentUserRecordName = currentUserRecordName
  }
}

/// A user of a container, without the contents of the databases.
package struct ContainerAccount: Sendable, Hashable {
  /// A subscription to one of the user's databases.
  package struct Subscription: Sendable, Hashable {
    /// The database.
    package var databaseScope: DatabaseScope
    /// The subscription.
    package var subscription: CloudSubscription

    /// Creates a subscription to a database.
    package init(_ subscription: CloudSubscription, to databaseScope: DatabaseScope) {
      self.databaseScope = databaseScope
      self.subscription = subscription
    }

    /// Whether a subscription comes before another one, by database and identifier.
    package func precedes(_ other: Self) -> Bool {
      databaseScope != other.databaseScope
        ? databaseScope < other.databaseScope
        : compareUTF8(subscription.subscriptionID, other.subscription.subscriptionID) < 0
    }
  }

  /// The record name of the user.
  @ExactText package var userRecordName: String
  /// The user's name.
  package var nameComponents: UserIdentity.NameComponents?
  /// The e-mail address and telephone number by which others find the user.
  package var lookupInfo: UserIdentity.LookupInfo?
  /// The subscriptions, by database and identifier. Empty for the signed-in user, whose
  /// subscriptions are in the databases.
  package var subscriptions: [Subscription]
  /// The JSON members that this model has no property for.
  package var otherMembers: OtherMembers = []

  /// Creates a user.
  package init(
    userRecordName: String, nameComponents: UserIdentity.NameComponents? = nil,
    lookupInfo: UserIdentity.LookupInfo? = nil, subscriptions: [Subscription] = []
  ) {
    _userRecordName = ExactText(wrappedValue: userRecordName)
    self.nameComponents = nameComponents
    self.lookupInfo = lookupInfo
    self.subscriptions = subscriptions
  }

  /// The user's identity, as a participant of a share has it.
  package var identity: UserIdentity {
    UserIdentity(
      userRecordName: userRecordName, nameComponents: nameComponents, lookupInfo: lookupInfo)
  }
}

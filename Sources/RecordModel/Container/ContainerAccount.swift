/// A user of a container: what is known about the user besides the contents of the databases.
public struct ContainerAccount: Sendable, Hashable {
  /// A subscription to one of the user's databases.
  public struct Subscription: Sendable, Hashable {
    /// The database.
    public var databaseScope: DatabaseScope
    /// The subscription.
    public var subscription: CloudSubscription

    /// Creates a subscription to a database.
    public init(_ subscription: CloudSubscription, to databaseScope: DatabaseScope) {
      self.databaseScope = databaseScope
      self.subscription = subscription
    }
  }

  /// The record name of the user.
  @ExactText public var userRecordName: String
  /// The user's name.
  public var nameComponents: UserIdentity.NameComponents?
  /// The e-mail address and telephone number by which others find the user.
  public var lookupInfo: UserIdentity.LookupInfo?
  /// The subscriptions, by database and identifier. Empty for the signed-in user, whose
  /// subscriptions are in the databases.
  public var subscriptions: [Subscription]
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers = []

  /// Creates a user.
  public init(
    userRecordName: String, nameComponents: UserIdentity.NameComponents? = nil,
    lookupInfo: UserIdentity.LookupInfo? = nil, subscriptions: [Subscription] = []
  ) {
    _userRecordName = ExactText(wrappedValue: userRecordName)
    self.nameComponents = nameComponents
    self.lookupInfo = lookupInfo
    self.subscriptions = subscriptions
  }

  /// The user's identity, as a participant of a share has it.
  public var identity: UserIdentity {
    UserIdentity(
      userRecordName: userRecordName, nameComponents: nameComponents, lookupInfo: lookupInfo)
  }
}

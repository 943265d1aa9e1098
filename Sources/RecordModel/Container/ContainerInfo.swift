/// The metadata of a container.
public struct ContainerInfo: Sendable, Hashable {
  /// An environment of a CloudKit container.
  public enum Environment: String, Sendable, Hashable, CaseIterable {
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
  public var accounts: [ContainerAccount] = []
  /// The changes of the databases. A container keeps it itself: it is only set on what is exported,
  /// and only used by an import into a new container.
  public var history: ContainerHistory?
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

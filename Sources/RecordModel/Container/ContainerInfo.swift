/// What a container says about itself.
public struct ContainerInfo: Sendable, Hashable {
  /// CloudKit's two environments of a container.
  public enum Environment: String, Sendable, Hashable, CaseIterable {
    /// Where the schema grows with what is saved.
    case development
    /// Where the schema changes by deployment only.
    case production
  }

  /// The container's identifier, `iCloud.com.example.app`.
  @ExactText public var identifier: String?
  /// The environment the content stems from.
  public var environment: Environment?
  /// The schema in CloudKit's schema language (`.ckdb`).
  @ExactText public var schema: String?
  /// The name of the schema's version, where the app numbers its schemas.
  @ExactText public var schemaVersion: String?
  /// The record name of the signed-in user: who saves where no one else is named.
  @ExactText public var currentUserRecordName: String?
  /// What a bundle's header says that this version has no property for, kept so that it can be
  /// written back.
  public var otherMembers: OtherMembers = []

  /// Makes a description; everything in it may be unknown.
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

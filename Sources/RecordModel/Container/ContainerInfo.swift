import GRDB

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
  public var identifier: String?
  /// The environment the content stems from.
  public var environment: Environment?
  /// The schema in CloudKit's schema language (`.ckdb`).
  public var schema: String?
  /// The name of the schema's version, where the app numbers its schemas.
  public var schemaVersion: String?
  /// The record name of the signed-in user: who saves where no one else is named.
  public var currentUserRecordName: String?

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

extension ContainerInfo {
  private static let names = (
    identifier: "container", environment: "environment", schema: "schema",
    schemaVersion: "schemaVersion", user: "currentUserRecordName"
  )

  static func read(from db: Database) throws -> ContainerInfo {
    func value(_ name: String) throws -> String? {
      try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
    }
    return ContainerInfo(
      identifier: try value(names.identifier),
      environment: try value(names.environment).flatMap(Environment.init(rawValue:)),
      schema: try value(names.schema), schemaVersion: try value(names.schemaVersion),
      currentUserRecordName: try value(names.user))
  }

  func write(to db: Database) throws {
    func set(_ name: String, _ value: String?) throws {
      if let value {
        try db.execute(
          sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [name, value])
      } else {
        try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
      }
    }
    try set(Self.names.identifier, identifier)
    try set(Self.names.environment, environment?.rawValue)
    try set(Self.names.schema, schema)
    try set(Self.names.schemaVersion, schemaVersion)
    try set(Self.names.user, currentUserRecordName)
  }
}

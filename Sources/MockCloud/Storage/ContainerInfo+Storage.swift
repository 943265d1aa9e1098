import GRDB
import RecordModel

/// What a container says about itself, in the table `setting`.
extension ContainerInfo {
  private static let names = (
    identifier: "container", environment: "environment", schema: "schema",
    schemaVersion: "schemaVersion", user: "currentUserRecordName"
  )

  static func read(from db: Database) throws -> ContainerInfo {
    func value(_ name: String) throws -> String? {
      try db.text("SELECT value FROM setting WHERE name = ?", [name])
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
        try db.run("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [name, value])
      } else {
        try db.run("DELETE FROM setting WHERE name = ?", [name])
      }
    }
    try set(Self.names.identifier, identifier)
    try set(Self.names.environment, environment?.rawValue)
    try set(Self.names.schema, schema)
    try set(Self.names.schemaVersion, schemaVersion)
    try set(Self.names.user, currentUserRecordName)
  }
}

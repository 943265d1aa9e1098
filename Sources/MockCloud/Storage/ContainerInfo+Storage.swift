import GRDB
import RecordCoding
import RecordModel

/// The metadata of a container in the table `setting`.
extension ContainerInfo {
  private static let names = (
    identifier: "container", environment: "environment", schema: "schema",
    schemaVersion: "schemaVersion", user: "currentUserRecordName", others: "otherMembers",
    count: "settings"
  )

  static func read(from db: Database) throws -> ContainerInfo {
    func value(_ name: String) throws -> String? {
      try db.first("SELECT name, value, hash FROM setting WHERE name = ?", [name]) { row in
        guard row.isIntact(0..<2) else {
          throw MockContainerError.unreadable(
            name: "the setting '\(name)'", detail: MockContainerError.otherChecksum)
        }
        return row.string(1)
      }
    }
    guard let expected = try value(names.count), try count(in: db) == Int64(expected) else {
      throw MockContainerError.damaged(detail: "a setting is missing")
    }
    var info = ContainerInfo(
      identifier: try value(names.identifier),
      environment: try value(names.environment).flatMap(Environment.init(rawValue:)),
      schema: try value(names.schema), schemaVersion: try value(names.schemaVersion),
      currentUserRecordName: try value(names.user))
    if let others = try value(names.others) {
      do {
        info.otherMembers = try OtherMembers(json: JSONParser.parse(others))
      } catch {
        throw MockContainerError.unreadable(name: "the container's info", detail: "\(error)")
      }
    }
    return info
  }

  func write(to db: Database) throws {
    func set(_ name: String, _ value: String?) throws {
      if let value {
        try db.runHashed(
          "INSERT OR REPLACE INTO setting (name, value, hash) VALUES (?, ?, ?)", [name, value])
      } else {
        try db.run("DELETE FROM setting WHERE name = ?", [name])
      }
    }
    try set(Self.names.identifier, identifier)
    try set(Self.names.environment, environment?.rawValue)
    try set(Self.names.schema, schema)
    try set(Self.names.schemaVersion, schemaVersion)
    try set(Self.names.user, currentUserRecordName)
    try set(Self.names.others, otherMembers.isEmpty ? nil : otherMembers.jsonText())
    try set(Self.names.count, "\(Self.count(in: db))")
  }

  /// The number of settings of a container's info. A newer layout may have others.
  private static func count(in db: Database) throws -> Int64 {
    try db.integer(
      "SELECT count(*) FROM setting WHERE name IN (?, ?, ?, ?, ?, ?)",
      [
        names.identifier, names.environment, names.schema, names.schemaVersion, names.user,
        names.others,
      ]) ?? 0
  }
}

import RecordCoding
import RecordModel
import Synchronization

/// The metadata of a container in the table `setting`.
extension ContainerInfo {
  /// The settings with the names of their rows.
  private static let settings: [(name: String, text: WritableKeyPath<Self, String?> & Sendable)] = [
    ("container", \.identifier), ("environment", \.environmentName), ("schema", \.schema),
    ("schemaVersion", \.schemaVersion), ("currentUserRecordName", \.currentUserRecordName),
  ]
  private static let others = "otherMembers"
  private static let accountList = "accounts"
  /// The name of the number of settings.
  private static let count = "settings"

  private var environmentName: String? {
    get { environment?.rawValue }
    set { environment = newValue.flatMap(Environment.init(rawValue:)) }
  }

  static func read(from db: SQLiteConnection) throws -> ContainerInfo {
    func value(_ name: String) throws -> String? {
      try db.first("SELECT name, value, hash FROM setting WHERE name = ?", [name]) { row in
        guard row.isIntact(0..<2) else {
          throw ContainerStoreError.unreadable(
            name: "the setting '\(name)'", detail: ContainerStoreError.otherChecksum)
        }
        return row.string(1)
      }
    }
    guard let expected = try value(count), try count(in: db) == Int64(expected) else {
      throw ContainerStoreError.damaged(detail: "a setting is missing")
    }
    return try read(value)
  }

  /// Returns the metadata without the settings that are damaged.
  static func readIntact(from db: SQLiteConnection) throws -> ContainerInfo {
    try read { name in
      try db.first("SELECT name, value, hash FROM setting WHERE name = ?", [name]) { row in
        row.isIntact(0..<2) ? row.string(1) : nil
      } ?? nil
    }
  }

  private static func read(_ value: (String) throws -> String?) throws -> ContainerInfo {
    var info = ContainerInfo()
    for setting in settings { info[keyPath: setting.text] = try value(setting.name) }
    do {
      if let others = try value(others) {
        info.otherMembers = try OtherMembers(json: JSONParser.parse(others))
      }
      if let accounts = try value(accountList) {
        info.accounts = try .init(accounts: JSONParser.parse(accounts))
      }
    } catch let error as RecordCodingError {
      throw ContainerStoreError.unreadable(
        name: "the metadata of the container", detail: "\(error)")
    }
    return info
  }

  func write(to db: SQLiteConnection) throws {
    func set(_ name: String, _ value: String?) throws {
      if let value {
        try db.runHashed(
          "INSERT OR REPLACE INTO setting (name, value, hash) VALUES (?, ?, ?)", [name, value])
      } else {
        try db.run("DELETE FROM setting WHERE name = ?", [name])
      }
    }
    for setting in Self.settings { try set(setting.name, self[keyPath: setting.text]) }
    try set(Self.others, otherMembers.isEmpty ? nil : otherMembers.jsonText())
    try set(Self.accountList, accounts.json()?.compactText)
    try set(Self.count, "\(Self.count(in: db))")
  }

  /// The number of settings of a container's info. A newer layout may have others.
  private static func count(in db: SQLiteConnection) throws -> Int64 {
    try db.integer(
      "SELECT count(*) FROM setting WHERE name IN (?, ?, ?, ?, ?, ?, ?)",
      settings.map(\.name) + [others, accountList]) ?? 0
  }
}

/// The metadata that a store has read last, by the checksums of its settings: most requests need it,
/// and it seldom changes.
final class InfoCache: Sendable {
  private let known: Mutex<(hashes: [Int64], info: ContainerInfo)?>

  /// - Parameter other: the cache of a store with the same contents.
  init(_ other: InfoCache? = nil) { known = Mutex(other?.known.withLock { $0 }) }

  /// Returns the metadata as the connection sees it.
  func info(from db: SQLiteConnection) throws -> ContainerInfo {
    let hashes = try db.all("SELECT hash FROM setting ORDER BY name") { $0.int64(0) }
    if let known = known.withLock({ $0 }), known.hashes == hashes { return known.info }
    let info = try ContainerInfo.read(from: db)
    known.withLock { $0 = (hashes, info) }
    return info
  }
}

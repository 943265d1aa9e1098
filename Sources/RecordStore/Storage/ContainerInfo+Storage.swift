import RecordCoding
import RecordModel
import Synchronization

/// The metadata of a container in the table `setting`.
extension ContainerInfo {
  /// The settings with the names of their rows.
  fileprivate static let settings:
    [(name: String, text: WritableKeyPath<Self, String?> & Sendable)] = [
      ("container", \.identifier), ("environment", \.environmentName), ("schema", \.schema),
      ("schemaVersion", \.schemaVersion), ("currentUserRecordName", \.currentUserRecordName),
    ]
  fileprivate static let others = "otherMembers"
  fileprivate static let accountList = "accounts"
  /// The name of the number of settings.
  fileprivate static let count = "settings"

  private var environmentName: String? {
    get { environment?.rawValue }
    set { environment = newValue.flatMap(Environment.init(rawValue:)) }
  }

  /// Writes the metadata.
  ///
  /// - Parameter kept: the names of settings that cannot be read, and stay unless they get a value.
  /// - Throws: CloudKit's `invalidArguments` for metadata that could not be read again.
  func write(to db: SQLiteConnection, keeping kept: Set<String> = []) throws {
    try StoreCoding.reading("the metadata of the container") {
      try db.atomically {
        try writeSettings(to: db, kept)
        let stored = try StoredInfo(from: db)
        if kept.isEmpty, let error = stored.damage.first { throw error }
        guard stored.info == self else {
          throw ContainerStoreError.unreadable(
            name: "the metadata of the container", detail: "it would be read differently")
        }
      }
    }
  }

  private func writeSettings(to db: SQLiteConnection, _ kept: Set<String>) throws {
    func set(_ name: String, _ value: String?) throws {
      if let value {
        try db.insert([name, value], into: .setting, or: .replace)
      } else if !kept.contains(name) {
        try db.run("DELETE FROM setting WHERE name = ?", [name])
      }
    }
    for setting in Self.settings { try set(setting.name, self[keyPath: setting.text]) }
    try set(Self.others, otherMembers.isEmpty ? nil : otherMembers.jsonText())
    if !kept.contains(Self.accountList) {
      try set(Self.accountList, accounts.json()?.compactText)
    }
    if !kept.contains(Self.count) { try set(Self.count, "\(Self.count(in: db))") }
  }

  /// The number of settings of a container's info. A newer layout may have others.
  fileprivate static func count(in db: SQLiteConnection) throws -> Int64 {
    try db.integer(
      "SELECT count(*) FROM setting WHERE name IN (?, ?, ?, ?, ?, ?, ?)",
      settings.map(\.name) + [others, accountList]) ?? 0
  }
}

extension ContainerTransaction {
  /// Replaces the metadata of the container.
  ///
  /// - Throws: CloudKit's `invalidArguments` for metadata that could not be read again.
  public func setInfo(_ info: ContainerInfo) throws {
    try setInfo(info, replacingDamage: false)
  }

  /// Replaces the metadata of the container.
  ///
  /// - Parameter replacingDamage: whether settings and users that cannot be read are removed. Otherwise
  ///   they stay as they are: a change of the list of users is an error then, and a setting is replaced
  ///   if it gets a value.
  package func setInfo(_ info: ContainerInfo, replacingDamage: Bool) throws {
    let db = try db
    if replacingDamage { return try info.write(to: db) }
    let stored = try StoredInfo(from: db)
    if let error = stored.damageOfAccounts, info.accounts != stored.info.accounts { throw error }
    try info.write(to: db, keeping: Set(stored.damaged.map(\.setting)))
  }
}

/// The metadata of a container as the table `setting` has it.
struct StoredInfo {
  /// The metadata, without settings and users that cannot be read.
  private(set) var info = ContainerInfo()
  /// The errors of what cannot be read, with the name of the setting.
  private(set) var damaged: [(setting: String, error: ContainerStoreError)] = []

  /// The errors of the settings and users that cannot be read.
  var damage: [ContainerStoreError] { damaged.map(\.error) }

  /// The error of the list of users.
  fileprivate var damageOfAccounts: ContainerStoreError? {
    damaged.first { $0.setting == ContainerInfo.accountList }?.error
  }

  /// The error of a setting by which the server checks saves.
  var damageOfRules: ContainerStoreError? {
    damaged.first { ["schema", "environment", ContainerInfo.count].contains($0.setting) }?.error
  }

  init(from db: SQLiteConnection) throws {
    func row(_ name: String) throws -> (isIntact: Bool, value: String)? {
      let found = try db.readable {
        try db.first("\(CheckedTable.setting.select) WHERE name = ?", [name]) { row in
          (row.isIntact(.setting), row.string(1))
        }
      }
      return found ?? (false, "")
    }
    func value(_ name: String) throws -> String? {
      guard let row = try row(name) else { return nil }
      guard row.isIntact else {
        add(name, "the setting '\(name)'")
        return nil
      }
      return row.value
    }
    let count = try value(ContainerInfo.count)
    if damaged.isEmpty,
      try count.flatMap({ Int64($0) }) != db.readable({ try ContainerInfo.count(in: db) })
    {
      add(ContainerInfo.count, "a setting", "it is missing")
    }
    for setting in ContainerInfo.settings {
      info[keyPath: setting.text] = try value(setting.name)
    }
    do {
      if let others = try value(ContainerInfo.others) {
        info.otherMembers = try OtherMembers(json: JSONParser.parse(others))
      }
    } catch let error as RecordCodingError {
      add(ContainerInfo.others, "the metadata of the container", "\(error)")
    }
    if let accounts = try row(ContainerInfo.accountList) {
      // No value of the list is known to be right.
      if accounts.isIntact {
        readAccounts(accounts.value)
      } else {
        add(ContainerInfo.accountList, "the list of users")
      }
    }
  }

  private mutating func add(
    _ setting: String, _ name: String, _ detail: String = ContainerStoreError.otherChecksum
  ) {
    damaged.append((setting, .unreadable(name: name, detail: detail, isOfItem: true)))
  }

  private mutating func addUser(_ name: String, _ error: any Error) {
    add(ContainerInfo.accountList, name, "\(error)")
  }

  /// Reads the users and their subscriptions one by one.
  private mutating func readAccounts(_ text: String) {
    do {
      let elements = try JSONParser.parse(text).expectElements(\.self)
      for element in elements {
        if let account = readAccount(element) { info.accounts.append(account) }
      }
      // The order, which all who look for a user count on.
      _ = try [ContainerAccount](accounts: .array(try info.accounts.map { try $0.jsonValue() }))
    } catch {
      info.accounts = []
      addUser("the list of users", error)
    }
  }

  private mutating func readAccount(_ json: JSONValue) -> ContainerAccount? {
    let name = json["userRecordName"]?.string ?? ""
    let subscriptions = (json["subscriptions"]?.elements ?? []).filter { element in
      do {
        _ = try ContainerAccount.Subscription(json: element)
        return true
      } catch {
        let id = element["subscriptionID"]?.string ?? ""
        addUser("subscription '\(id)' of the user '\(name)'", error)
        return false
      }
    }
    do {
      return try ContainerAccount(
        json: json.mappingMembers {
          $0.name == "subscriptions" ? .array(subscriptions) : $0.value
        })
    } catch {
      addUser("the user '\(name)'", error)
      return nil
    }
  }
}

/// The metadata that a store has read last, by the checksums of its settings: most requests need it,
/// and it seldom changes.
final class InfoCache: Sendable {
  private let known: Mutex<(hashes: [Int64], info: StoredInfo)?>

  /// - Parameter other: the cache of a store with the same contents.
  init(_ other: InfoCache? = nil) { known = Mutex(other?.known.withLock { $0 }) }

  /// Returns the metadata as the connection sees it.
  func stored(in db: SQLiteConnection) throws -> StoredInfo {
    let found = try db.readable {
      try db.all("SELECT hash FROM setting ORDER BY name") { $0.int64(0) }
    }
    guard let hashes = found else { return try StoredInfo(from: db) }
    if let known = known.withLock({ $0 }), known.hashes == hashes { return known.info }
    let info = try StoredInfo(from: db)
    known.withLock { $0 = (hashes, info) }
    return info
  }
}

import RecordModel
import RecordStore

/// The keys of the rows that records become, in a temporary table: memory does not grow with them.
///
/// A name that was made from a row of this store gets the row's key back. Others get new keys, behind
/// those that the store has given, in the order of the source.
struct ObjectKeys {
  private let db: SQLiteConnection
  private let store: CoreDataStore
  /// The greatest keys that the store has given and that were assigned, by the number of the root.
  private var given: [Int64: Int64] = [:]
  private var last: [Int64: Int64] = [:]
  private let prefixes: [Int64: UInt64]
  private var zones: [ZoneLocation: Int64] = [:]

  init(_ store: CoreDataStore) throws {
    (self.store, db) = (store, store.connection)
    var prefixes: [Int64: UInt64] = [:]
    for (table, root) in store.layout.tables {
      given[root] = try db.integer(
        """
        SELECT max(ifnull((SELECT max(Z_PK) FROM \(table.quoted)), 0),
          ifnull((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0))
        """, [root])
      if let name = store.layout.byNumber[root].map({ store.layout.entities[$0].model.name }) {
        prefixes[root] = store.names.prefix(of: name)
      }
    }
    self.prefixes = prefixes
    last = given
    try db.execute(
      """
      CREATE TEMP TABLE recordpackObject (zone INTEGER, name TEXT, entity INTEGER, key INTEGER,
        PRIMARY KEY (zone, name)) WITHOUT ROWID
      """)
  }

  /// Gives a record its key.
  mutating func add(
    _ recordID: RecordID, _ scope: DatabaseScope, _ entity: StoreLayout.Entity
  ) throws {
    let zone = ZoneLocation(scope, recordID.zoneID)
    let number = zones[zone] ?? Int64(zones.count)
    zones[zone] = number
    var key = prefixes[entity.root].flatMap { RecordNames.key(in: recordID.packedName, $0) }
    // A key that the store has not given may be the next one of another record.
    if key ?? .max > given[entity.root] ?? 0 { key = nil }
    if key == nil {
      let next = (last[entity.root] ?? 0) + 1
      last[entity.root] = next
      key = next
    }
    try db.run(
      "INSERT INTO recordpackObject VALUES (?, ?, ?, ?)",
      [number, recordID.recordName, entity.number, key ?? 0])
  }

  /// Returns the row of a record in the zone of another; nil if the source has no such object.
  func object(
    _ name: String, _ scope: DatabaseScope, _ zoneID: ZoneID
  ) throws -> (entity: StoreLayout.Entity, key: Int64)? {
    guard let zone = zones[ZoneLocation(scope, zoneID)] else { return nil }
    let row = try db.first(
      "SELECT entity, key FROM recordpackObject WHERE zone = ? AND name = ?", [zone, name]
    ) { ($0.int64(0), $0.int64(1)) }
    guard let row, let place = store.layout.byNumber[row.0] else { return nil }
    return (store.layout.entities[place], row.1)
  }

  /// Returns the name of the record of a row, for errors.
  func name(_ root: Int64, _ key: Int64) throws -> String {
    let numbers = store.layout.entities.filter { $0.root == root }.map { String($0.number) }
    return try db.text(
      """
      SELECT name FROM recordpackObject WHERE key = ? AND entity IN
        (\(numbers.joined(separator: ", "))) LIMIT 1
      """, [key]) ?? "\(key)"
  }

  /// Writes the greatest keys. A counter is never lowered.
  func writeCounters() throws {
    for (root, key) in last {
      try db.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = max(ifnull(Z_MAX, 0), ?) WHERE Z_ENT = ?", [key, root])
    }
  }
}

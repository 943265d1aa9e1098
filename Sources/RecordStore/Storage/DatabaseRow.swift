import RecordModel

/// A row of the table `database`: its changes, and how many rows of the other tables belong to the
/// database. A row of these that is no longer found is missed.
struct DatabaseRow {
  var changes = ChangeCounters()
  var counts = RowCounts()

  static let columns =
    ["scope"] + ChangeCounters.columns.map(\.name) + CountedTable.allCases.map { "\($0)" }

  static func read(_ scope: DatabaseScope, from db: SQLiteConnection) throws -> DatabaseRow {
    let name = "the counts of the \(scope) database"
    guard let row = try read(scope.rank, of: name, from: db) else {
      throw ContainerStoreError.damaged(detail: "\(name) are missing")
    }
    return row
  }

  /// Returns a row by its number; nil if it does not exist.
  ///
  /// - Parameter name: what the row has, for errors.
  static func read(
    _ number: Int, of name: String, from db: SQLiteConnection
  ) throws -> DatabaseRow? {
    let found = try db.readable {
      try db.first("\(CheckedTable.database.select) WHERE scope = ?", [number]) { row in
        guard row.isIntact(.database) else {
          throw ContainerStoreError.unreadable(
            name: name, detail: ContainerStoreError.otherChecksum)
        }
        let counts = RowCounts(row, from: Int32(1 + ChangeCounters.columns.count))
        return DatabaseRow(changes: ChangeCounters(row, from: 1), counts: counts)
      }
    }
    guard let found else {
      throw ContainerStoreError.unreadable(name: name, detail: "a page of the file is damaged")
    }
    return found
  }

  /// Returns the row of a database. If it cannot be read, its counts and its last change are those of the
  /// other tables, and the change tokens of before are expired: their history is not known.
  static func readable(_ scope: DatabaseScope, from db: SQLiteConnection) throws -> DatabaseRow {
    do {
      return try read(scope, from: db)
    } catch is ContainerStoreError {
      var row = DatabaseRow()
      row.counts = try RowCounts.counted(in: scope, db)
      // No server assigns greater numbers: they are damaged.
      let changes = [
        "zone", "record", "tombstone", "zoneTombstone", "subscription", "accessChange", "lostZone",
      ].map { table in
        let column = table == "zone" ? "lastChange" : "change"
        return "SELECT max(\(column)) AS x FROM \(table) WHERE \(column) < \(Int64.max / 2)"
      }
      let last = "SELECT max(x) FROM (\(changes.joined(separator: " UNION ALL ")))"
      row.changes.last = max(1, try db.integer(last) ?? 1)
      row.changes.firstShared = row.changes.last
      let damaged = try db.first(
        "\(CheckedTable.database.select) WHERE scope = ?", [scope.rank]
      ) { found in try RowChecksum.column(of: (0...columns.count).map { found.int64(Int32($0)) }) }
      row.changes.historyID = damaged ?? Int64(scope.rank + 1)
      return row
    }
  }

  /// Whether all databases have no changes besides the creation of their default zones.
  static func areAllNew(in db: SQLiteConnection) throws -> Bool {
    try DatabaseScope.allCases.allSatisfy { scope in
      let row = try readable(scope, from: db)
      return row.changes.last <= 1
        && CountedTable.allCases.allSatisfy { $0 == .zones || row.counts[$0] == 0 }
    }
  }

  /// Returns the number of the last change of a database. Private and shared databases have one
  /// counter: an account's shared database shows records of other accounts' private databases.
  static func lastChange(in scope: DatabaseScope, from db: SQLiteConnection) throws -> Int64 {
    try DatabaseScope.allCases.filter { $0.counter == scope.counter }
      .map { try readable($0, from: db).changes.last }.max() ?? 0
  }

  func write(_ scope: DatabaseScope, to db: SQLiteConnection) throws {
    try write(scope.rank, to: db)
  }

  func write(_ number: Int, to db: SQLiteConnection) throws {
    try db.insert(
      [number] + ChangeCounters.columns.map { changes[keyPath: $0.number] }
        + CountedTable.allCases.map { counts[$0] }, into: .database, or: .replace)
  }
}

/// The numbers of a database's changes that matter to its change feed.
package struct ChangeCounters: Sendable, Hashable {
  /// The last change.
  package var last: Int64 = 0
  /// The last change when the container was filled.
  package var loaded: Int64 = 0
  /// A number for the contents that the container was filled with.
  package var contentID: Int64 = 0
  /// The number that new change tokens have: that of the contents until the first change, then one
  /// that other containers do not have.
  package var historyID: Int64 = 0
  /// Of an account's shared database, those from before this change are expired: what an account
  /// saw then is not known.
  package var firstShared: Int64 = 0

  typealias Number = WritableKeyPath<ChangeCounters, Int64> & Sendable

  static let columns: [(name: String, number: Number)] = [
    ("lastChange", \.last), ("loadedChange", \.loaded), ("contentID", \.contentID),
    ("historyID", \.historyID), ("firstSharedChange", \.firstShared),
  ]

  init() {}

  /// Whether the container knows what has changed since a token was made: since a change in its own
  /// history, or in that of any container with the same contents.
  package func know(historyID: Int64, change: Int64) -> Bool {
    historyID == self.historyID ? change <= last : historyID == contentID && change <= loaded
  }

  /// Reads the numbers from consecutive columns.
  init(_ row: SQLiteStatement, from first: Int32) {
    for (column, index) in zip(Self.columns, first...) {
      self[keyPath: column.number] = row.int64(index)
    }
  }
}

extension DatabaseScope {
  /// The counter of changes: 0 for the public database, 1 for the others.
  var counter: Int { self == .public ? 0 : 1 }
}

/// A table whose rows each database counts, with its place among them; the column of the count has its
/// name.
enum CountedTable: Int, CaseIterable {
  case zones, zoneTombstones, subscriptions, tombstones, records

  /// The name of the rows in messages.
  var rows: String {
    switch self {
    case .zoneTombstones: "deleted zones"
    case .tombstones: "deleted records"
    default: "\(self)"
    }
  }
}

/// The number of rows that a database has in each table.
struct RowCounts {
  private var counts = [Int64](repeating: 0, count: CountedTable.allCases.count)

  init() {}

  /// Reads the counts from columns in the order of the tables.
  init(_ row: SQLiteStatement, from first: Int32) {
    for (table, column) in zip(CountedTable.allCases, first...) { self[table] = row.int64(column) }
  }

  var isZero: Bool { counts.allSatisfy { $0 == 0 } }

  subscript(table: CountedTable) -> Int64 {
    get { counts[table.rawValue] }
    set { counts[table.rawValue] = newValue }
  }

  /// Counts the rows of a database.
  static func counted(in scope: DatabaseScope, _ db: SQLiteConnection) throws -> RowCounts {
    let zones = "(SELECT id FROM zone WHERE scope = ?1)"
    return try db.first(
      """
      SELECT (SELECT count(*) FROM zone WHERE scope = ?1),
        (SELECT count(*) FROM zoneTombstone WHERE scope = ?1),
        (SELECT count(*) FROM subscription WHERE scope = ?1),
        (SELECT count(*) FROM tombstone WHERE zone IN \(zones)),
        (SELECT CAST(total(records) AS INTEGER) FROM section WHERE zone IN \(zones))
      """, [scope.rank]
    ) { RowCounts($0, from: 0) } ?? RowCounts()
  }

  mutating func add(_ other: RowCounts) {
    for table in CountedTable.allCases { self[table] &+= other[table] }
  }
}

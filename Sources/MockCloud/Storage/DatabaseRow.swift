import GRDB
import RecordModel

/// A row of the table `database`: the number of the last change, and how many rows of the other
/// tables belong to the database. A row of these that is no longer found is missed.
struct DatabaseRow {
  var lastChange: Int64 = 0
  var counts = RowCounts()

  private static let columns =
    "scope, lastChange, zones, zoneTombstones, subscriptions, tombstones, records"

  static func read(_ scope: DatabaseScope, from db: Database) throws -> DatabaseRow {
    let row = try db.first(
      "SELECT \(columns), hash FROM database WHERE scope = ?", [scope.rank]
    ) { row in
      guard row.isIntact(0..<7) else {
        throw MockContainerError.unreadable(
          name: "the counts of the \(scope) database", detail: MockContainerError.otherChecksum)
      }
      let counts = RowCounts(
        zones: row.int64(2), zoneTombstones: row.int64(3), subscriptions: row.int64(4),
        tombstones: row.int64(5), records: row.int64(6))
      return DatabaseRow(lastChange: row.int64(1), counts: counts)
    }
    guard let row else {
      throw MockContainerError.damaged(detail: "the counts of the \(scope) database are missing")
    }
    return row
  }

  func write(_ scope: DatabaseScope, to db: Database) throws {
    try db.runHashed(
      "INSERT OR REPLACE INTO database (\(Self.columns), hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        scope.rank, lastChange, counts.zones, counts.zoneTombstones, counts.subscriptions,
        counts.tombstones, counts.records,
      ])
  }
}

/// The number of rows that a database has in each table.
struct RowCounts {
  var zones: Int64 = 0
  var zoneTombstones: Int64 = 0
  var subscriptions: Int64 = 0
  var tombstones: Int64 = 0
  var records: Int64 = 0

  mutating func add(_ other: RowCounts) {
    zones &+= other.zones
    zoneTombstones &+= other.zoneTombstones
    subscriptions &+= other.subscriptions
    tombstones &+= other.tombstones
    records &+= other.records
  }

  /// The numbers with what they count.
  static let tables: [(name: String, count: KeyPath<RowCounts, Int64> & Sendable)] = [
    ("zones", \.zones), ("deleted zones", \.zoneTombstones), ("subscriptions", \.subscriptions),
    ("deleted records", \.tombstones), ("records", \.records),
  ]
}

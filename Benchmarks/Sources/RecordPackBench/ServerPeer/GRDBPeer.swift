import Foundation
import GRDB
import RecordPack

/// What an app would write with GRDB to keep the same rows: a table of records with their JSON, found
/// by name, change, a number and their references. It judges nothing, and encodes nothing.
final class GRDBPeer {
  private let access: any DatabaseWriter
  private var change: Int64

  /// Creates the tables, in a file or in memory, and fills them.
  init(path: String?, _ fill: ((Row) throws -> Void) throws -> Void) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA synchronous = NORMAL")
    }
    access =
      if let path { try DatabasePool(path: path, configuration: configuration) } else {
        try DatabaseQueue(configuration: configuration)
      }
    var change: Int64 = 0
    try access.write { db in
      try db.execute(
        sql: """
          CREATE TABLE record (
            id INTEGER PRIMARY KEY, zone INTEGER NOT NULL, name TEXT NOT NULL,
            change INTEGER NOT NULL, number INTEGER, json BLOB NOT NULL);
          CREATE TABLE reference (
            target TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (target, record)
          ) WITHOUT ROWID;
          CREATE TABLE state (lastChange INTEGER NOT NULL);
          INSERT INTO state VALUES (0);
          """)
      let insert = try db.makeStatement(
        sql: "INSERT INTO record (zone, name, change, number, json) VALUES (?, ?, ?, ?, ?)")
      let refer = try db.makeStatement(sql: "INSERT OR IGNORE INTO reference VALUES (?, ?)")
      try fill { row in
        change += 1
        try insert.execute(arguments: [row.zone, row.name, change, row.number, row.json])
        let id = db.lastInsertedRowID
        for target in row.references { try refer.execute(arguments: [target, id]) }
      }
      try db.execute(
        sql: """
          CREATE UNIQUE INDEX recordName ON record (zone, name);
          CREATE INDEX recordChange ON record (zone, change);
          CREATE INDEX recordNumber ON record (zone, number);
          UPDATE state SET lastChange = \(change);
          """)
    }
    self.change = change
  }

  /// A row, as the peer keeps it.
  struct Row {
    var zone: Int64
    var name: String
    var number: Int64?
    var references: [String]
    var json: Data
  }

  /// Saves rows over those with the same names, in one transaction, each with a new change.
  func save(_ rows: [Row]) async throws {
    let first = change
    change += Int64(rows.count)
    let last = change
    try await access.write { db in
      let find = try db.cachedStatement(
        sql: "SELECT id, change, json FROM record WHERE zone = ? AND name = ?")
      let update = try db.cachedStatement(
        sql: "UPDATE record SET change = ?, number = ?, json = ? WHERE id = ?")
      let remove = try db.cachedStatement(
        sql: "DELETE FROM reference WHERE target = ? AND record = ?")
      let refer = try db.cachedStatement(sql: "INSERT OR IGNORE INTO reference VALUES (?, ?)")
      for (index, row) in rows.enumerated() {
        let arguments: StatementArguments = [row.zone, row.name]
        guard let stored = try GRDB.Row.fetchOne(find, arguments: arguments) else { continue }
        let id: Int64 = stored["id"]
        try update.execute(
          arguments: [first + Int64(index) + 1, row.number, row.json, id])
        for target in row.references {
          try remove.execute(arguments: [target, id])
          try refer.execute(arguments: [target, id])
        }
      }
      try db.execute(sql: "UPDATE state SET lastChange = ?", arguments: [last])
    }
  }

  /// What the peer returns of a row: which record it is, its version, and its content.
  struct Found: FetchableRecord {
    let name: String
    let change: Int64
    let json: Data

    init(row: GRDB.Row) { (name, change, json) = (row[0], row[1], row[2]) }
  }

  func fetch(_ name: String, in zone: Int64) async throws -> Found? {
    try await access.read { db in
      try Found.fetchOne(
        db.cachedStatement(
          sql: "SELECT name, change, json FROM record WHERE zone = ? AND name = ?"),
        arguments: [zone, name])
    }
  }

  /// The rows with numbers from one on, by number; one more than the limit if there are more.
  func query(from number: Int64, in zone: Int64, limit: Int) async throws -> [Found] {
    try await access.read { db in
      try Found.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT name, change, json FROM record WHERE zone = ? AND number >= ?
            ORDER BY number LIMIT ?
            """), arguments: [zone, number, limit + 1])
    }
  }

  /// The rows that refer to one of several names, by name. The `+` keeps SQLite from reading all rows of
  /// the zone.
  func query(referringTo names: [String], in zone: Int64) async throws -> [Found] {
    try await access.read { db in
      let marks = databaseQuestionMarks(count: names.count)
      return try Found.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT name, change, json FROM record WHERE +zone = ? AND id IN
              (SELECT record FROM reference WHERE target IN (\(marks))) ORDER BY +name
            """), arguments: [zone] + StatementArguments(names))
    }
  }

  /// The rows that have changed after a number, by change; one more than the limit if there are more.
  func changes(after number: Int64, in zone: Int64, limit: Int) async throws -> [Found] {
    try await access.read { db in
      try Found.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT name, change, json FROM record WHERE zone = ? AND change > ?
            ORDER BY change LIMIT ?
            """), arguments: [zone, number, limit + 1])
    }
  }

  /// The number of the last change.
  var lastChange: Int64 { change }
}

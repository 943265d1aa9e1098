/// An SQLite file of another program.
package enum ForeignDatabase {
  /// The maximum length of the statements in bytes: 16 MiB.
  package static let maxLength = 16 << 20

  /// Whether the file at a path begins as an SQLite database that is not a container.
  package static func isForeign(_ path: String) -> Bool {
    guard ContainerStore.isDatabase(path: path), let path = try? StoreFile.absolute(path),
      let head = try? SQLiteFile(path, isReadOnly: true).bytes(72), head.count == 72
    else { return false }
    return !head[68...].elementsEqual("RPck".utf8)
  }

  /// Opens a file without its log. The connection writes nothing, not even a lock.
  package static func immutable(_ path: String) throws -> SQLiteConnection {
    try SQLiteConnection(StoreLocation.immutable(StoreFile.absolute(path)), isReadOnly: true)
  }

  /// Returns the size of a file that SQLite keeps beside a database, such as `-wal`; 0 without it.
  package static func size(of suffix: String, beside path: String) -> Int64 {
    StoreFile.auxiliaryFileSize(suffix, of: path) ?? 0
  }

  /// Returns the statements that made the tables and indexes of a file, each with a semicolon behind
  /// it. Virtual tables, such as those of FTS5, store their data in tables that are left out. The file is
  /// not changed.
  ///
  /// - Throws: An error of SQLite; `nil` is returned for statements that are too long.
  package static func statements(at path: String) throws -> String? {
    let connection = try SQLiteConnection(StoreFile.absolute(path), isReadOnly: true)
    defer { try? connection.close() }
    let length = try connection.integer("SELECT sum(length(sql)) FROM sqlite_master") ?? 0
    guard length <= maxLength else { return nil }
    return try connection.text(
      """
      SELECT group_concat(sql, ';' || char(10)) FROM
        (SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT IN
          (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid)
      """) ?? ""
  }
}

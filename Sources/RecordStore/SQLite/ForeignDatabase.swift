/// An SQLite file of another program.
package enum ForeignDatabase {
  /// The maximum length of the statements in bytes: 16 MiB.
  package static let maxLength = 16 << 20

  /// Returns the statements that made the tables and indexes of a file, each with a semicolon behind
  /// it. The file is not changed.
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
        (SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid)
      """) ?? ""
  }
}

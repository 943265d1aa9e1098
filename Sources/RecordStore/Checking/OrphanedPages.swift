import RecordModel

/// The pages of a damaged container, each read by itself: the page that leads to it may be damaged.
///
/// In a temporary copy, each page in turn becomes the only page of a table, so that SQLite reads it. The
/// rows of other tables do not match the checksums of the table.
final class OrphanedPages {
  private let original: SQLiteConnection
  /// The copy with the number of its pages to read; nil before the first use.
  private var copy: (db: SQLiteConnection, count: Int64)?

  init(of db: SQLiteConnection) { original = db }

  /// Calls `body` with the rows of a table that match their checksums, some of them more than once.
  ///
  /// - Parameters:
  ///   - key: the columns of the primary key.
  ///   - check: called for each page; may throw to end the reading.
  func forEachRow(
    of table: CheckedTable, by key: [String], check: () throws -> Void,
    _ body: (SQLiteStatement) throws -> Void
  ) throws {
    let (db, count) = try copy ?? makeCopy()
    copy = (db, count)
    // The first page has the definitions.
    for page in 1..<max(1, count) {
      try check()
      try db.execute("PRAGMA writable_schema = ON")
      try db.run(
        "UPDATE sqlite_master SET rootpage = ? WHERE type = 'table' AND name = ?",
        [page + 1, table.name])
      // Reads the definitions again.
      try db.execute("PRAGMA writable_schema = RESET")
      try ReadableRows(table.name, table.columns, in: db).forEach(by: key) { row in
        if row.isIntact(table) { try body(row) }
      }
    }
  }

  /// No page is to be read if the list of free pages is damaged: these have rows that were deleted.
  private func makeCopy() throws -> (db: SQLiteConnection, count: Int64) {
    let db = try ContainerStore.copy(of: original, to: "")
    let isEmptied = try db.canRead {
      try db.atomically {
        // Each row takes a free page, whose content it replaces.
        let free = try db.integer("PRAGMA freelist_count") ?? 0
        try db.execute("CREATE TABLE filler (content)")
        for _ in 0..<free {
          try db.run("INSERT INTO filler VALUES (zeroblob(\(StoreSchema.pageSize)))")
        }
      }
    }
    guard isEmptied, try db.integer("PRAGMA freelist_count") == 0 else { return (db, 0) }
    return (db, try db.integer("PRAGMA page_count") ?? 0)
  }
}

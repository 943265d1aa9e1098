import CSystemSQLite

/// A database in memory in which an app's statements create tables.
///
/// The statements are untrusted: an authorizer admits what changes tables only, no file is reached, and
/// the size of values and the time of a statement are limited.
final class SQLDatabase {
  private let handle: OpaquePointer
  /// How many tables the statements that rename have read again.
  private var renamed = 0
  private static let maxRenamed = 100_000

  init?() {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(":memory:", &opened, flags, nil) == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      return nil
    }
    handle = opened
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1_000_000)
    // A statement that takes so many steps is ended.
    sqlite3_progress_handler(handle, 10_000_000, { _ in 1 }, nil)
    sqlite3_collation_needed(
      handle, nil,
      { _, handle, encoding, name in
        sqlite3_create_collation(
          handle, name, encoding, nil, { _, _, _, _, _ in 0 })
      })
  }

  deinit { sqlite3_close_v2(handle) }

  // MARK: - Running

  /// Runs a statement that changes tables.
  ///
  /// - Returns: SQLite's message if it rejects the statement.
  func run(_ statement: String) -> String? {
    let words = statement.uppercased()
    if words.contains("ALTER") {
      renamed += tableCount
      if renamed > Self.maxRenamed { return "too many statements change tables" }
    }
    authorize(true)
    defer { authorize(false) }
    for _ in 0..<64 {
      guard let message = execute(statement) else { return nil }
      if let name = message.suffix(after: "no such function: ") {
        // A function of the app, such as the default `uuid()`.
        sqlite3_create_function_v2(
          handle, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
          { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
      } else if let rest = message.suffix(after: "table "), rest.hasSuffix(" already exists") {
        // Another migration, or a test's copy of it: the last one counts.
        if let message = execute("DROP TABLE " + rest.dropLast(" already exists".count)) {
          return message
        }
      } else if Self.isHarmless(message, words) {
        return nil
      } else {
        return message
      }
    }
    return "it uses too many functions of the app"
  }

  /// Whether a statement leaves what it would if it succeeded.
  private static func isHarmless(_ message: String, _ statement: String) -> Bool {
    message.hasPrefix("object name reserved for internal use")
      || message.hasPrefix("index ") && message.hasSuffix(" already exists")
      || message.hasPrefix("duplicate column name") && !statement.contains("CREATE")
      || message.hasPrefix("no such") && statement.contains("DROP") && !statement.contains("ALTER")
  }

  private func execute(_ sql: String) -> String? {
    sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
      ? nil : String(cString: sqlite3_errmsg(handle))
  }

  private func authorize(_ isLimited: Bool) {
    guard isLimited else {
      sqlite3_set_authorizer(handle, nil, nil)
      return
    }
    sqlite3_set_authorizer(
      handle,
      { _, action, _, name, _, _ in
        switch action {
        case SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_DROP_TABLE, SQLITE_DROP_INDEX,
          SQLITE_ALTER_TABLE, SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE,
          SQLITE_SELECT, SQLITE_REINDEX:
          SQLITE_OK
        case SQLITE_FUNCTION:
          name.map { String(cString: $0) } == "load_extension" ? SQLITE_DENY : SQLITE_OK
        default: SQLITE_DENY
        }
      }, nil)
  }

  // MARK: - Reading

  private func rows(_ sql: String, _ argument: String? = nil) -> [[String?]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    defer { sqlite3_finalize(statement) }
    if let argument {
      // SQLite copies the text.
      sqlite3_bind_text(
        statement, 1, argument, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
    var rows: [[String?]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) }
        })
    }
    return rows
  }

  private var tableCount: Int {
    rows("SELECT count(*) FROM sqlite_master").first?[0].flatMap { Int($0) } ?? 0
  }

  /// The tables in the order of their creation.
  var tables: [SQLTables.Table] {
    rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").compactMap {
      $0[0].map(table)
    }
  }

  private func table(_ name: String) -> SQLTables.Table {
    let columns = rows(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)", name)
    let key = columns.filter { $0[4] != "0" }
      .sorted { (Int($0[4] ?? "") ?? 0) < (Int($1[4] ?? "") ?? 0) }
    return SQLTables.Table(
      name: name,
      columns: columns.map { column in
        SQLTables.Column(
          name: column[0] ?? "", type: (column[1] ?? "").uppercased(),
          isNotNull: column[2] == "1", hasDefault: column[3] != nil,
          isGenerated: column[5] == "2" || column[5] == "3")
      }, primaryKey: key.map { $0[0] ?? "" }, uniques: uniques(of: name),
      foreignKeys: foreignKeys(of: name))
  }

  private func uniques(of table: String) -> [[String]] {
    rows(
      "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin <> 'pk' ORDER BY seq DESC",
      table
    ).compactMap(\.[0]).map { index in
      rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", index).map {
        $0[0] ?? "an expression"
      }
    }
  }

  private func foreignKeys(of table: String) -> [SQLTables.ForeignKey] {
    var keys: [(id: String?, key: SQLTables.ForeignKey)] = []
    let found = rows(
      "SELECT id, \"table\", \"from\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq",
      table)
    for row in found {
      if let last = keys.last, last.id == row[0] {
        keys[keys.count - 1].key.columns.append(row[2] ?? "")
      } else {
        keys.append(
          (row[0], .init(columns: [row[2] ?? ""], table: row[1] ?? "", onDelete: row[3] ?? "")))
      }
    }
    return keys.map(\.key)
  }
}

extension String {
  fileprivate func suffix(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

import CBenchSQLite

/// A connection to an SQLite file, no more than its C functions.
final class SQLiteDatabase {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private var handle: OpaquePointer?

  init(path: String) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw error() }
  }

  deinit { close() }

  func close() {
    sqlite3_close(handle)
    handle = nil
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw error() }
    return statement
  }

  /// The text of the first column of each row.
  func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }

  func error() -> Failure { Failure(description: String(cString: sqlite3_errmsg(handle))) }
}

/// How a container file is made: its tables, and the indexes that are built behind the rows.
struct ContainerSchema {
  let pageSize: String
  let tables: [String]
  let indexes: [String]

  init(path: String) throws {
    let database = try SQLiteDatabase(path: path)
    pageSize = try database.texts("PRAGMA page_size").first ?? "16384"
    tables = try database.texts(
      "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL")
    indexes = try database.texts(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    guard !tables.isEmpty else {
      throw SQLiteDatabase.Failure(description: "'\(path)' has no tables")
    }
  }
}

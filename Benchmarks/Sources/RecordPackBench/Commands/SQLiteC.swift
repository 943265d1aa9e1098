import ArgumentParser
import CBenchSQLite
import Foundation

/// Fills the tables of a container file through nothing but SQLite's C functions: the best anyone
/// can do with these tables, measured without reading a bundle first.
struct SQLiteC: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sqlite-c",
    abstract: "Measure the raw C API of SQLite on the tables of a container file.")

  @Option(help: "A container file that was imported from the same records.")
  var like: String

  @Argument(help: "The records as lines of canonical JSON, not compressed.")
  var lines: String

  @Argument(help: "The SQLite file, which must not be there.")
  var output: String

  func run() throws {
    let schema = try ContainerSchema(path: like)
    let rows = try RecordRows(path: lines)
    let watch = Stopwatch()
    let database = try SQLiteDatabase(path: output)
    // What the store does for a file that nobody sees until it is finished.
    try database.execute(
      """
      PRAGMA page_size = \(schema.pageSize); PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA threads = 1;
      PRAGMA cache_size = -2048; BEGIN
      """)
    for table in schema.tables { try database.execute(table) }
    try insert(rows, into: database)
    for index in schema.indexes { try database.execute(index) }
    try database.execute("COMMIT")
    database.close()
    try synchronize(output)
    try watch.measurement(
      "sqlite-c", records: rows.count, bytes: rows.bytes, fileBytes: fileSize(output)
    ).report()
  }

  private func insert(_ rows: RecordRows, into database: SQLiteDatabase) throws {
    let statement = try database.prepare(
      "INSERT INTO record (zone, type, name, change, modified, json) VALUES (?, ?, ?, ?, ?, ?)")
    defer { sqlite3_finalize(statement) }
    var change: Int64 = 0
    try rows.forEach { row in
      change += 1
      sqlite3_bind_int64(statement, 1, row.zone)
      sqlite3_bind_int64(statement, 2, row.type)
      sqlite3_bind_text(
        statement, 3, row.name.baseAddress, Int32(row.name.count), nil)
      sqlite3_bind_int64(statement, 4, change)
      sqlite3_bind_double(statement, 5, row.modified)
      sqlite3_bind_blob(statement, 6, row.json.baseAddress, Int32(row.json.count), nil)
      guard sqlite3_step(statement) == SQLITE_DONE else { throw database.error() }
      sqlite3_reset(statement)
    }
  }

  private func synchronize(_ path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.synchronize()
    try file.close()
  }
}

import CSystemSQLite
import Foundation
import RecordPlatform
import Synchronization

/// A connection to an SQLite database, with the statements that were prepared for it.
///
/// Only one thread at a time may use it, and the statements that come from it. So SQLite takes no lock
/// of its own for each call (`SQLITE_OPEN_NOMUTEX`), as Apple's does by default; the locks take an eighth
/// of the time of a scan.
package final class SQLiteConnection {
  let handle: OpaquePointer
  private var isClosed = false
  /// The statements by their SQL. There are as many as the code has texts.
  private var statements: [String: SQLiteStatement] = [:]
  private var allows: () -> Bool = { true }
  private let isStopped = Atomic(false)
  /// When the connection began to wait for another's lock.
  private var lockWait = ContinuousClock.now

  /// Opens an existing database, or one in memory. Nothing is read, and no lock is taken.
  ///
  /// - Parameters:
  ///   - location: an absolute path, a URI that begins with `file:`, `:memory:`, or the empty string
  ///     for a temporary file without a name.
  ///   - creates: whether to create a file that does not exist.
  ///   - runsTriggers: whether triggers run. They are another program's.
  package init(
    _ location: String, isReadOnly: Bool = false, creates: Bool = false, runsTriggers: Bool = false
  ) throws {
    let mode =
      isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0)
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(location, &opened, mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteError(
        opened.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM, of: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    recordpack_sqlite3_refuse_double_quoted_strings(handle)
    recordpack_sqlite3_distrust_schema(handle)
    if !runsTriggers { recordpack_sqlite3_disable_triggers_and_views(handle) }
    // Apple's SQLite keeps the log beside a closed file by default.
    setKeepsLog(false)
    sqlite3_busy_handler(
      handle,
      { connection, count in
        guard let connection else { return 0 }
        return Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue()
          .waitsForLock(count) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// If a statement is still referenced, the database is closed with it.
  deinit {
    guard !isClosed else { return }
    sqlite3_busy_handler(handle, nil, nil)
    sqlite3_close_v2(handle)
  }

  /// Waits a moment for another's lock.
  ///
  /// - Parameter count: how often it was waited for before.
  /// - Returns: false if that takes too long: what is to end soon waits only a moment.
  private func waitsForLock(_ count: Int32) -> Bool {
    if count == 0 { lockWait = .now }
    let limit = isStopped.load(ordering: .relaxed) ? 0.2 : StoreConnection.busySeconds
    guard lockWait.duration(to: .now) < .seconds(limit) else { return false }
    usleep(UInt32(min(count + 1, 50)) * 1_000)
    return true
  }

  /// Closes the connection, which must not be used any more.
  ///
  /// - Throws: an error if a statement is still referenced; the connection is open then.
  package func close() throws {
    statements = [:]
    let code = sqlite3_close(handle)
    guard code == SQLITE_OK else { throw error(code) }
    isClosed = true
  }

  /// Returns the statement of an SQL text, which is prepared once.
  func statement(_ sql: String) throws -> SQLiteStatement {
    if let known = statements[sql] { return known }
    let statement = try SQLiteStatement(sql, isKept: true, in: self)
    statements[sql] = statement
    return statement
  }

  /// Runs any number of statements without parameters, and ignores their rows.
  package func execute(_ script: String) throws {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// The number of rows that the last statement has inserted, changed or deleted.
  package var changesCount: Int { Int(sqlite3_changes(handle)) }

  /// The identity of the row that was inserted last.
  var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Returns a value that each change of the database changes.
  func state() throws -> [Int64] {
    [Int64(sqlite3_total_changes(handle)), try integer("PRAGMA schema_version") ?? 0]
  }

  /// Returns the error that this connection has just reported.
  func error(_ code: Int32) -> SQLiteError { SQLiteError(code, of: handle) }

  // MARK: Transactions

  var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body` in a transaction, or in a savepoint within a transaction.
  ///
  /// A transaction takes the lock for writing at its beginning: one that has read first would fail
  /// at once if another has written meanwhile.
  package func atomically<T>(_ body: () throws -> T) throws -> T {
    if isInsideTransaction {
      return try bracketed("SAVEPOINT nested", body, end: { try run("RELEASE nested") }) {
        try run("ROLLBACK TO nested")
        try run("RELEASE nested")
      }
    }
    return try bracketed("BEGIN IMMEDIATE", body, end: { try run("COMMIT") }) {
      try run("ROLLBACK")
    }
  }

  /// Runs `body` in a transaction that reads the current state, or within a transaction.
  package func reading<T>(_ body: () throws -> T) throws -> T {
    if isInsideTransaction { return try body() }
    return try bracketed(
      "BEGIN DEFERRED",
      {
        // The first read determines the state.
        _ = try integer("SELECT rootpage FROM sqlite_master LIMIT 1")
        return try body()
      },
      end: {
        // There is nothing to commit. It fails once a damaged page was read.
        do { try run("COMMIT") } catch { if isInsideTransaction { try run("ROLLBACK") } }
      }, undo: { try run("ROLLBACK") })
  }

  private func bracketed<T>(
    _ begin: String, _ body: () throws -> T, end: () throws -> Void, undo: () throws -> Void
  ) throws -> T {
    try run(begin)
    do {
      let result = try body()
      guard isInsideTransaction else {
        throw SQLiteError(code: SQLITE_ABORT, message: "the transaction was rolled back")
      }
      try end()
      return result
    } catch {
      // Some errors have ended the transaction.
      if isInsideTransaction { try? undo() }
      throw error
    }
  }

  // MARK: Files

  /// Whether the connection has opened a file that is still at its path. SQLite takes the log at that
  /// path for the log of whatever file it has opened, so this is asked before anything is read.
  func hasOpened(_ file: FileIdentity, at path: String) -> Bool {
    var hasMoved: Int32 = 1
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved == 0 && FileIdentity(path: path) == file
  }

  /// Moves the log into the file.
  ///
  /// - Parameter mode: `SQLITE_CHECKPOINT_PASSIVE` or another of SQLite's modes.
  package func checkpoint(_ mode: Int32) throws {
    let code = sqlite3_wal_checkpoint_v2(handle, "main", mode, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Defines a function that returns NULL, whatever its arguments are, for triggers that call it.
  package func defineNull(_ name: String) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      handle, name, -1, flags, nil, { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil
    )
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Ends a statement with an error (`SQLITE_INTERRUPT`) when `allows` returns false, which is asked
  /// after each million steps of SQLite's machine, or another number.
  package func limitSteps(after steps: Int32 = 1_000_000, _ allows: @escaping () -> Bool) {
    self.allows = allows
    let connection = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      handle, steps,
      { connection in
        guard let connection else { return 1 }
        let allows = Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().allows
        return allows() ? 0 : 1
      }, connection)
  }

  /// Runs `body`, which ends with an error once another thread has called ``stop()``.
  func stoppable<T>(_ body: () throws -> T) throws -> T {
    try checkStopped()
    limitSteps(after: 10_000) { [unowned self] in !isStopped.load(ordering: .relaxed) }
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try body()
  }

  /// Throws an error once another thread has called ``stop()``.
  func checkStopped() throws {
    guard isStopped.load(ordering: .relaxed) else { return }
    throw SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted")
  }

  /// Ends work that is stoppable, and waits for the locks of others, now and later.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Copies all pages to another database, whose content is replaced.
  ///
  /// - Parameters:
  ///   - pagesPerStep: how many pages to copy between calls of `progress`.
  ///   - progress: may throw to end the copy.
  package func copy(
    to copy: SQLiteConnection, pagesPerStep: Int32, progress: () throws -> Void
  ) throws {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw copy.error(sqlite3_extended_errcode(copy.handle))
    }
    var code = SQLITE_OK
    do {
      while code == SQLITE_OK {
        code = sqlite3_backup_step(backup, pagesPerStep)
        try progress()
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else {
      throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
    }
  }

  /// Moves the log into the file.
  ///
  /// - Returns: whether all of it was moved.
  func isCheckpointComplete() throws -> Bool {
    var (all, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &all, &moved)
    return code == SQLITE_OK && all == moved
  }

  /// Has the log stay as it is when the connection is closed.
  func leaveLog() {
    setKeepsLog(true)
    recordpack_sqlite3_leave_log(handle)
  }

  /// Sets whether the log stays beside the file when this is the last connection and is closed.
  func setKeepsLog(_ keepsLog: Bool) {
    var number: Int32 = keepsLog ? 1 : 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &number)
  }
}

extension SQLiteConnection {
  /// Runs a statement without rows, and caches it.
  package func run(_ sql: String, _ values: [any ColumnValue] = []) throws {
    try bound(sql, values).run()
  }

  /// Runs a statement that sets a row: its last value is the checksum of the others.
  func runHashed(_ sql: String, _ values: [any ColumnValue]) throws {
    try run(sql, values + [RowChecksum.column(of: values)])
  }

  /// Returns what `read` returns for the first row of a query; nil if there is no row.
  ///
  /// SQLite converts the columns, so values of other types do not crash the process.
  package func first<T>(
    _ sql: String, _ values: [any ColumnValue] = [], _ read: (SQLiteStatement) throws -> T
  ) throws -> T? {
    let row = try bound(sql, values)
    defer { row.reset() }
    return try row.step() ? read(row) : nil
  }

  /// Returns the number in the first row of a query; nil if there is no row, or NULL.
  package func integer(_ sql: String, _ values: [any ColumnValue] = []) throws -> Int64? {
    try first(sql, values) { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
  }

  /// Returns the text in the first row of a query; nil if there is no row, or NULL.
  package func text(_ sql: String, _ values: [any ColumnValue] = []) throws -> String? {
    try first(sql, values) { $0.isNull(0) ? nil : $0.string(0) } ?? nil
  }

  /// Calls `body` with each row of a query.
  package func forEachRow(
    _ sql: String, _ values: [any ColumnValue] = [], _ body: (SQLiteStatement) throws -> Void
  ) throws {
    let rows = try bind(values, to: .make(sql, in: self))
    defer { rows.reset() }
    while try rows.step() { try body(rows) }
  }

  /// Returns what `read` returns for each row of a query.
  package func all<T>(
    _ sql: String, _ values: [any ColumnValue] = [], _ read: (SQLiteStatement) throws -> T
  ) throws -> [T] {
    var found: [T] = []
    try forEachRow(sql, values) { found.append(try read($0)) }
    return found
  }

  private func bound(_ sql: String, _ values: [any ColumnValue]) throws -> SQLiteStatement {
    try bind(values, to: .cached(sql, in: self))
  }

  private func bind(
    _ values: [any ColumnValue], to statement: SQLiteStatement
  ) throws -> SQLiteStatement {
    for (index, value) in values.enumerated() {
      try value.bind(to: statement, at: Int32(index + 1))
    }
    return statement
  }
}

/// An error that SQLite reports.
package struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code.
  package let code: Int32
  /// The error of the operating system, for a file that cannot be opened, read or written.
  var systemError: Int32?
  package let message: String

  /// The result code without what the extended one adds.
  package var primaryCode: Int32 { code & 0xFF }

  /// Whether a file could not grow.
  var isDiskFull: Bool {
    // The index of the log grows when a container is opened; SQLite does not keep the error of the
    // system then.
    let sizeOfLogIndex = SQLITE_IOERR | 19 << 8
    let systemError = systemError ?? 0
    return primaryCode == SQLITE_FULL || code == sizeOfLogIndex
      || primaryCode == SQLITE_IOERR && [ENOSPC, EDQUOT].contains(systemError)
  }

  /// Whether a page of the file is damaged.
  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(primaryCode) }

  package var description: String { "SQLite reports error \(code): \(message)" }
}

extension SQLiteError {
  /// Creates the error that a connection has just reported; nil if there was no memory for it.
  init(_ code: Int32, of handle: OpaquePointer?) {
    self.init(
      code: code, systemError: handle.map { sqlite3_system_errno($0) },
      message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
  }
}

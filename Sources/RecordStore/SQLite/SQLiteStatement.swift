import CSystemSQLite
import Foundation
import RecordModel

/// A prepared statement, which is bound, stepped and read without copying rows.
package struct SQLiteStatement {
  private let owner: Owner
  @usableFromInline let pointer: OpaquePointer

  /// Releases the statement, at the latest with its connection.
  private final class Owner {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { sqlite3_finalize(pointer) }
  }

  /// Returns the connection's statement for single rows, shared by all callers with the same SQL:
  /// read it to its end or ``reset()`` it before anything else runs.
  package static func cached(_ sql: String, in db: SQLiteConnection) throws -> SQLiteStatement {
    let statement = try db.statement(sql)
    sqlite3_reset(statement.pointer)
    return statement
  }

  /// Returns a statement that no other caller is reading, for reading many rows while others run:
  /// the connection's, or a new one if somebody is reading that. ``reset()`` it at the end.
  package static func make(_ sql: String, in db: SQLiteConnection) throws -> SQLiteStatement {
    let cached = try db.statement(sql)
    let isFree = sqlite3_stmt_busy(cached.pointer) == 0
    if isFree { sqlite3_reset(cached.pointer) }
    return isFree ? cached : try SQLiteStatement(sql, isKept: false, in: db)
  }

  /// Prepares the first statement of a text.
  ///
  /// - Parameter isKept: whether the statement will be used often.
  init(_ sql: String, isKept: Bool, in db: SQLiteConnection) throws {
    var pointer: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(db.handle, sql, -1, flags, &pointer, nil)
    guard code == SQLITE_OK else { throw db.error(code) }
    guard let pointer else { throw SQLiteError(code: SQLITE_MISUSE, message: "no statement") }
    owner = Owner(pointer)
    self.pointer = pointer
  }

  package func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(pointer, index, value) }

  package func bind(_ index: Int32, _ value: Double?) {
    if let value {
      sqlite3_bind_double(pointer, index, value)
    } else {
      sqlite3_bind_null(pointer, index)
    }
  }

  package func bindNull(_ index: Int32) { sqlite3_bind_null(pointer, index) }

  /// Binds a copy of a string.
  package func bind(_ index: Int32, _ text: String) throws {
    var text = text
    try text.withUTF8 { try bindText(index, UnsafeRawBufferPointer($0), isCopied: true) }
  }

  /// Binds text. Unless it is copied, the bytes must be valid until the statement has run.
  package func bindText(
    _ index: Int32, _ bytes: UnsafeRawBufferPointer, isCopied: Bool = false
  ) throws {
    let base = (bytes.baseAddress ?? Self.nothing).assumingMemoryBound(to: CChar.self)
    let code = sqlite3_bind_text64(
      pointer, index, base, UInt64(bytes.count), isCopied ? Self.copied : nil, UInt8(SQLITE_UTF8))
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Binds a blob. Unless it is copied, the bytes must be valid until the statement has run.
  package func bindBlob(
    _ index: Int32, _ bytes: UnsafeRawBufferPointer, isCopied: Bool = false
  ) throws {
    let code = sqlite3_bind_blob64(
      pointer, index, bytes.baseAddress ?? Self.nothing, UInt64(bytes.count),
      isCopied ? Self.copied : nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Advances to the next row.
  ///
  /// - Returns: whether there is one.
  package func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  /// Runs a statement without rows, and resets it.
  package func run() throws {
    let code = sqlite3_step(pointer)
    let failure = code == SQLITE_DONE || code == SQLITE_ROW ? nil : error(code)
    sqlite3_reset(pointer)
    if let failure { throw failure }
  }

  package func reset() { sqlite3_reset(pointer) }

  package var columnCount: Int32 { sqlite3_column_count(pointer) }

  package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(pointer, column) == SQLITE_NULL
  }

  package func double(_ column: Int32) -> Double? {
    isNull(column) ? nil : sqlite3_column_double(pointer, column)
  }

  /// Returns the bytes of a text or blob; valid until the next step.
  package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    Self.bytes(of: sqlite3_column_value(pointer, column))
  }

  /// - Parameter value: A value of the current row, which no other thread may use.
  private static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let base = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(
      start: base, count: base == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  /// Adds a value to the checksum of its row, according to its type in the file.
  func add(_ column: Int32, to hash: inout RowChecksum) {
    // Looking up the value once takes half the instructions of the functions for columns.
    let value = sqlite3_column_value(pointer, column)
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: hash.addNull()
    case SQLITE_INTEGER: hash.add(sqlite3_value_int64(value))
    case SQLITE_FLOAT: hash.add(sqlite3_value_double(value))
    default: hash.add(Self.bytes(of: value))
    }
  }

  /// The value of a column as the file has it; bytes are valid until the next step.
  package func cell(_ column: Int32) -> SQLiteCell {
    switch sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER: .integer(int64(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(pointer, column))
    case SQLITE_TEXT: .text(bytes(column))
    case SQLITE_BLOB: .blob(bytes(column))
    default: .null
    }
  }

  package func string(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// Returns the identity of a record whose name is in a column.
  func recordID(_ column: Int32, in zoneID: ZoneID) -> RecordID {
    let name = bytes(column)
    let packed = CompactName(uuid: name) ?? CompactName(String(decoding: name, as: UTF8.self))
    return RecordID(packedName: packed, zoneID: zoneID)
  }

  /// Returns the identity of a zone whose name is in a column, and its owner in the next one.
  func zoneID(_ column: Int32) -> ZoneID {
    ZoneID(zoneName: string(column), ownerName: string(column + 1))
  }

  /// Returns the database whose number is in a column; nil for a damaged number.
  func scope(_ column: Int32) -> DatabaseScope? {
    DatabaseScope(rank: Int(clamping: int64(column)))
  }

  /// Returns the error that this connection has just reported.
  func error(_ code: Int32) -> SQLiteError { SQLiteError(code, of: sqlite3_db_handle(pointer)) }

  /// Makes SQLite copy the bytes.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  /// The address of an empty text or blob, which is not read; a null pointer would bind NULL.
  private nonisolated(unsafe) static let nothing = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
}

/// A value as SQLite stores it.
package enum SQLiteCell {
  case null
  case integer(Int64)
  case real(Double)
  /// Text, which may be damaged UTF-8.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}

/// A value of a column. Text may contain NUL.
package protocol ColumnValue {
  func bind(to statement: SQLiteStatement, at index: Int32) throws
  /// Adds the value to the checksum of its row.
  func add(to hash: inout RowChecksum)
}

extension Int: ColumnValue {
  package func bind(to statement: SQLiteStatement, at index: Int32) {
    statement.bind(index, Int64(self))
  }
  package func add(to hash: inout RowChecksum) { hash.add(Int64(self)) }
}

extension Int64: ColumnValue {
  package func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(index, self) }
  package func add(to hash: inout RowChecksum) { hash.add(self) }
}

extension String: ColumnValue {
  package func bind(to statement: SQLiteStatement, at index: Int32) throws {
    try statement.bind(index, self)
  }

  package func add(to hash: inout RowChecksum) {
    var text = self
    text.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
  }
}

extension Data: ColumnValue {
  package func bind(to statement: SQLiteStatement, at index: Int32) throws {
    try withUnsafeBytes { try statement.bindBlob(index, $0, isCopied: true) }
  }

  package func add(to hash: inout RowChecksum) { withUnsafeBytes { hash.add($0) } }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  package func bind(to statement: SQLiteStatement, at index: Int32) throws {
    guard let self else { return statement.bindNull(index) }
    try self.bind(to: statement, at: index)
  }

  package func add(to hash: inout RowChecksum) {
    guard let self else { return hash.addNull() }
    self.add(to: &hash)
  }
}

import CSystemSQLite
import Foundation

/// A connection to a database file, for use before and after its container is open.
///
/// A process that closes any descriptor of a file loses all its locks on it (POSIX), including
/// those of SQLite's connections. SQLite keeps descriptors open as long as one of its connections
/// holds a lock. So a container, including its header, is only read through SQLite.
struct SQLiteFile {
  let connection: SQLiteConnection

  /// Opens an existing file, for writing if the system allows it. Reads nothing, and takes no lock.
  ///
  /// - Parameter isReadOnly: whether to open the file for reading only.
  /// - Throws: ``ContainerStoreError/Code/system``.
  init(_ path: String, isReadOnly: Bool = false) throws {
    do {
      connection = try SQLiteConnection(path, isReadOnly: isReadOnly)
    } catch let error as SQLiteError {
      errno = error.systemError ?? ENOMEM
      throw StoreFile.systemError(path, "opening it")
    }
  }

  /// - Parameter connection: a connection that is open.
  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Returns bytes of the file on the disk, without its log.
  ///
  /// - Returns: fewer than `count` bytes if the file is shorter.
  func bytes(_ count: Int, at offset: Int64 = 0) throws -> [UInt8] {
    let rest = max(0, try size() - offset)
    var bytes = [UInt8](repeating: 0, count: Int(min(Int64(count), rest)))
    try withFile { file, methods in
      let code = bytes.withUnsafeMutableBytes {
        methods.xRead(file, $0.baseAddress, Int32($0.count), offset)
      }
      // If the file was truncated meanwhile, the missing bytes are zero.
      guard code == SQLITE_OK || code & 0xFF == SQLITE_IOERR else { throw error(code) }
    }
    return bytes
  }

  /// Calls `body` while no other connection can have the file open, under whatever name.
  ///
  /// - Returns: nil if another one has it open.
  func whileAlone<T>(_ body: () throws -> T) throws -> T? {
    var (file, methods): (UnsafeMutablePointer<sqlite3_file>?, sqlite3_io_methods?)
    try withFile { (file, methods) = ($0, $1) }
    guard let file, let methods, methods.xLock(file, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK else {
      return nil
    }
    defer { _ = methods.xUnlock(file, SQLITE_LOCK_SHARED) }
    return try body()
  }

  func size() throws -> Int64 {
    var size: sqlite3_int64 = 0
    try withFile { file, methods in
      let code = methods.xFileSize(file, &size)
      guard code == SQLITE_OK else { throw error(code) }
    }
    return size
  }

  private func withFile(
    _ body: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) throws -> Void
  ) throws {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else {
      throw error(code == SQLITE_OK ? SQLITE_CANTOPEN : code)
    }
    try body(file, methods.pointee)
  }

  /// Returns the columns of the first row of a query as numbers; nil if there is no row.
  ///
  /// - Throws: `SQLiteError`.
  func numbers(_ sql: String) throws -> [Int64]? {
    try connection.first(sql) { row in (0..<row.columnCount).map { row.int64($0) } }
  }

  private func error(_ code: Int32) -> ContainerStoreError {
    StoreConnection.translated(connection.error(code))
  }
}

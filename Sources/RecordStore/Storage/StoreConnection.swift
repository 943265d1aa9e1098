import CSystemSQLite
import Foundation
import RecordPlatform

/// The settings of connections to a container.
enum StoreConnection {
  /// The size of SQLite's cache per connection in KiB. It bounds the memory of the largest import
  /// and export; a larger one makes neither faster, measured up to 16 MiB.
  static let cacheSize = 2_048
  /// The time to wait for another's lock, in seconds.
  static let busySeconds = 10.0
  /// The number of threads that read a file at the same time.
  private static let maxReaders = 4

  /// Opens a container file, which is in write-ahead mode.
  ///
  /// - Parameter file: the file at the path. Another file may get the path at any time.
  /// - Throws: ``ContainerStoreError/Code/moved``.
  static func pool(
    _ location: StoreLocation, of file: FileIdentity, at path: String, isReadOnly: Bool
  ) throws -> ConnectionPool {
    guard !location.isExclusive else {
      let reader = try SQLiteConnection(location.text)
      // Before anything is read.
      try reader.execute("PRAGMA locking_mode = EXCLUSIVE")
      try StoreLocation.check(reader, location.text)
      try prepared(reader).execute("PRAGMA query_only = ON")
      return ConnectionPool(writer: reader)
    }
    let location = location.text
    let opened = try SQLiteConnection(location, isReadOnly: isReadOnly)
    guard opened.hasOpened(file, at: path) else {
      throw ContainerStoreError.moved(path: path, log: nil)
    }
    let writer = try prepared(opened)
    // A file that is none of a database is found here, and not by the first read.
    _ = try writer.integer("SELECT rootpage FROM sqlite_master LIMIT 1")
    if !isReadOnly {
      // Changes nothing in a container that this code has built.
      try writer.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    }
    return ConnectionPool(writer: writer, maxReaders: maxReaders) {
      // A connection that is open for reading only could not create the index of the log.
      let opened = try SQLiteConnection(location, isReadOnly: isReadOnly)
      guard opened.hasOpened(file, at: path) else { return nil }
      let reader = try prepared(opened)
      try reader.execute("PRAGMA query_only = ON")
      return reader
    }
  }

  /// Opens a new database for one connection.
  ///
  /// - Parameter location: `:memory:`, or the empty string for a file without a name.
  static func temporary(_ location: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(location)
    // The settings are about files, and reading them takes half the time of opening one in memory.
    return location == ":memory:" ? connection : try prepared(connection)
  }

  /// Opens a file that is not visible until it is finished: nothing of it needs to survive a crash.
  /// The journal in memory stays small, because a load only appends. A second thread sorts the names
  /// for their index.
  static func building(_ path: String) throws -> SQLiteConnection {
    let connection = try prepared(SQLiteConnection(path, creates: true))
    try connection.execute(
      """
      PRAGMA page_size = \(StoreSchema.pageSize);
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = MEMORY;
      PRAGMA synchronous = OFF;
      PRAGMA threads = 1;
      """)
    return connection
  }

  private static func prepared(_ connection: SQLiteConnection) throws -> SQLiteConnection {
    // Mapped pages would count toward the memory of the process, and crash it on a disk error.
    // The log of a large import must not stay large.
    try connection.execute(
      """
      PRAGMA cache_size = -\(cacheSize);
      PRAGMA mmap_size = 0;
      PRAGMA journal_size_limit = 16777216;
      """)
    return connection
  }

  /// Translates errors of SQLite to ``ContainerStoreError``.
  ///
  /// - Parameter path: the path of the container, for errors.
  static func translating<T>(of path: String? = nil, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw translated(error, of: path)
    }
  }

  static func translated(_ error: SQLiteError, of path: String? = nil) -> ContainerStoreError {
    switch error.primaryCode {
    case _ where error.isDiskFull: .diskFull
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_READONLY: .readOnly
    case SQLITE_CANTOPEN: .cannotOpen(message: error.message)
    case _ where error.isDamage: .damagedPage(of: path, message: error.message)
    // Work is stopped so that the container can be closed.
    case SQLITE_MISUSE, SQLITE_INTERRUPT: .closed
    default: .sqlite(code: error.code, message: error.message)
    }
  }
}

/// The way to open a container file, according to its layout.
struct StoreLocation {
  /// The location for SQLite: the path, or a URI with options.
  let text: String
  /// Whether only one connection at a time can have the file open. Connections share it through the
  /// index of the log, and the disk has no space for the index.
  var isExclusive = false

  init(text: String) { self.text = text }

  /// Checks the layout of a file, unless only one connection can have it open.
  ///
  /// - Parameter file: a connection to the file, which has the header of a container.
  /// - Throws: ``ContainerStoreError/Code/otherVersion``, or errors of reading.
  init(of file: SQLiteFile, at path: String, _ mode: ContainerStore.OpenMode) throws {
    do {
      if mode != .readOnly {
        try StoreFile.checkHasOneName(path)
        try StoreFile.checkIsNotMounted(path)
        try StoreFile.checkIsWritable(path)
      }
      try Self.check(file.connection, path)
      text = path
    } catch let error as SQLiteError where error.isDiskFull {
      guard mode == .readOnly else { throw ContainerStoreError.diskFull }
      text = path
      isExclusive = true
    } catch let error as SQLiteError where Self.isAboutFolder(error) {
      // Nothing can be written beside the file, not even the index of the log.
      for log in ["-wal", "-journal"] where (StoreFile.auxiliaryFileSize(log, of: path) ?? 0) > 0 {
        throw ContainerStoreError.logUnreadable(path: path)
      }
      guard mode == .readOnly else { throw ContainerStoreError.folderReadOnly(path: path) }
      let location = try Self.immutable(path)
      text = location
      try StoreConnection.translating(of: path) {
        try Self.check(SQLiteFile(location, isReadOnly: true).connection, path)
      }
    } catch let error as SQLiteError {
      throw StoreConnection.translated(error, of: path)
    }
  }

  /// Whether SQLite could not create a file beside the container: it reports an unreadable file on
  /// a read-only file system, and a read-only one if the folder's permissions forbid it.
  private static func isAboutFolder(_ error: SQLiteError) -> Bool {
    error.primaryCode == SQLITE_CANTOPEN || error.primaryCode == SQLITE_READONLY
  }

  /// Returns the URI that opens a file as immutable: without locks and without a log.
  static func immutable(_ path: String) throws -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%")
    guard let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) else {
      throw ContainerStoreError.invalidPath(path)
    }
    return "file://\(escaped)?immutable=1"
  }

  /// Checks that this code knows the layout. The version is queried through SQLite, because the
  /// header may be older than the log. Versions of RecordPack before the first release changed the
  /// tables of version 1, so they are compared, too.
  static func check(_ db: SQLiteConnection, _ path: String) throws {
    let version = try db.integer("PRAGMA user_version") ?? 0
    guard version <= Int64(StoreSchema.version) else {
      throw ContainerStoreError.newerVersion(
        path: path, found: Int(clamping: version), supported: Int(StoreSchema.version))
    }
    let found = try StoreSchema.stored(in: db)
    for (name, sql) in StoreSchema.definitions where sql.hasPrefix("CREATE TABLE") {
      guard found[name] != sql else { continue }
      throw ContainerStoreError.otherLayout(path: path, table: name, isMissing: found[name] == nil)
    }
  }
}

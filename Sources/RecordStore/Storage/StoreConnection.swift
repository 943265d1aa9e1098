import GRDB

/// The settings of connections to a container.
enum StoreConnection {
  /// The size of SQLite's cache per connection in KiB. It bounds the memory of the largest import
  /// and export; a larger one makes neither faster, measured up to 16 MiB.
  static let cacheSize = 2_048
  /// The time to wait for another's lock, in seconds.
  static let busySeconds = 10.0

  static func configuration(readOnly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.label = "ContainerStore"
    configuration.readonly = readOnly
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(busySeconds)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      // Mapped pages would count toward the memory of the process, and crash it on a disk error.
      // The log of a large import must not stay large.
      try db.execute(
        sql: """
          PRAGMA cache_size = -\(cacheSize);
          PRAGMA mmap_size = 0;
          PRAGMA trusted_schema = OFF;
          PRAGMA journal_size_limit = 16777216;
          """)
    }
    return configuration
  }

  /// Returns the settings for a file that is not visible until it is finished: nothing of it needs
  /// to survive a crash. The journal in memory stays small, because a load only appends. A second
  /// thread sorts the names for their index.
  static func buildConfiguration() -> Configuration {
    var configuration = configuration()
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA page_size = \(StoreSchema.pageSize);
          PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA journal_mode = MEMORY;
          PRAGMA synchronous = OFF;
          PRAGMA threads = 1;
          """)
    }
    return configuration
  }

  /// Translates errors of SQLite to ``ContainerStoreError``.
  static func translating<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw translated(error.extendedResultCode.rawValue, error.message ?? "no message")
    } catch let error as RowDecodingError {
      throw ContainerStoreError.damaged(detail: "\(error)")
    }
  }

  /// Returns the error for an extended result code of SQLite.
  static func translated(_ code: Int32, _ message: String) -> ContainerStoreError {
    switch ResultCode(rawValue: code & 0xFF) {
    case .SQLITE_FULL: .diskFull
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
    case .SQLITE_READONLY: .readOnly
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(detail: message)
    case .SQLITE_MISUSE: .closed
    default: .storage(code: Int(code), message: message)
    }
  }
}

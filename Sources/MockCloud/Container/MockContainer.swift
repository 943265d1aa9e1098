import Foundation
import GRDB
import GRDBSQLite
import RecordModel
import RecordPlatform
import Synchronization

/// A CloudKit container offline: its databases, zones, records, subscriptions and assets in one
/// SQLite file, or in memory.
///
/// Every save is one transaction: it is there as a whole or not at all, whenever the process ends.
/// One thread or process writes at a time; any number read meanwhile, each what was there when it
/// began. A container may be open any number of times, in any number of processes.
public final class MockContainer: Sendable {
  /// Where the container's file lies; nil for one in memory.
  public let path: String?
  /// The limits saves are held to.
  public let limits: RecordLimits
  /// What time a save takes place; the real one unless a test gives another.
  let now: @Sendable () -> Date
  let access: any DatabaseWriter
  let isReadOnly: Bool
  /// The file that was opened; another may get its name.
  let file: FileIdentity?
  private let use = Mutex(Use())

  private struct Use {
    /// How many reads and writes are under way, those within others too.
    var running = 0
    var isClosed = false
  }

  init(
    _ access: any DatabaseWriter, path: String?, isReadOnly: Bool, limits: RecordLimits,
    now: @escaping @Sendable () -> Date
  ) {
    self.access = access
    self.path = path
    self.isReadOnly = isReadOnly
    self.limits = limits
    self.now = now
    file = path.flatMap(FileIdentity.init(path:))
    if let file, let path { OpenContainers.add(file, at: path) }
  }

  deinit {
    if !use.withLock({ $0.isClosed }) { _ = try? shutDown() }
  }

  /// One of the container's three databases.
  public func database(_ scope: DatabaseScope) -> MockDatabase {
    MockDatabase(container: self, scope: scope)
  }

  /// What the container says about itself.
  public func info() throws -> ContainerInfo {
    try snapshot { try $0.info() }
  }

  /// Replaces what the container says about itself.
  public func setInfo(_ info: ContainerInfo) throws {
    try write { try info.write(to: $0.db) }
  }

  /// Reads the container as it is when the call begins, however long that takes and whatever is
  /// saved meanwhile.
  ///
  /// The snapshot must not leave the closure. Calls may be nested; saves within the closure do not
  /// show in it, except in a container in memory, which has one view only.
  public func snapshot<T>(_ body: (ContainerSnapshot) throws -> T) throws -> T {
    try using {
      try access.unsafeReentrantRead { db in
        let snapshot = ContainerSnapshot(db, of: path)
        defer { snapshot.end() }
        if db.isInsideTransaction { return try body(snapshot) }
        return try db.readTransaction { try body(snapshot) }
      }
    }
  }

  /// Closes the container. Whatever is read or saved afterwards throws
  /// ``MockContainerError/closed``.
  ///
  /// A container that is not closed loses nothing; closing leaves a single plain file, which can be
  /// copied, and read where nothing can be written. As long as the container is open elsewhere, in
  /// this process or another, its log stays beside it, for the last one to remove.
  ///
  /// - Returns: whether the file holds all that was saved.
  /// - Throws: ``MockContainerError/inUse`` while something is read or written, by whatever thread.
  @discardableResult
  public func close() throws -> ContainerLog {
    let wasOpen = try use.withLock { use in
      guard use.running == 0 else { throw MockContainerError.inUse }
      defer { use.isClosed = true }
      return !use.isClosed
    }
    return wasOpen ? try shutDown() : .merged
  }

  /// Changes the store in one transaction: all of `body`, or nothing where it throws.
  func write<T>(isLarge: Bool = false, _ body: (StoreWriter) throws -> T) throws -> T {
    try transaction(isLarge: isLarge) { db in
      let writer = try StoreWriter(db)
      let result = try body(writer)
      try writer.finish()
      return result
    }
  }

  func writeBulk<T>(
    _ resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution,
    _ body: (ContainerWriter) throws -> T
  ) throws -> T {
    try transaction(isLarge: true) { try Self.fill($0, resolve, body) }
  }

  private func transaction<T>(
    isLarge: Bool = false, _ body: (Database) throws -> T
  ) throws -> T {
    guard !isReadOnly else { throw MockContainerError.readOnly }
    return try using {
      // Should it fill the disk, nothing else is in the log, and it can be given up as a whole.
      if isLarge { checkpoint(.passive) }
      do {
        return try access.unsafeReentrantWrite { db in try db.atomically { try body(db) } }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
        // What was written to the log before the disk was full is of no use, but fills it.
        checkpoint(.truncate)
        throw error
      }
    }
  }

  /// Moves the log into the file, as far as that can be done now.
  private func checkpoint(_ mode: Database.CheckpointMode) {
    guard path != nil else { return }
    try? access.unsafeReentrantWrite { db in
      if !db.isInsideTransaction { _ = try db.checkpoint(mode) }
    }
  }

  /// Calls `body` while the container cannot be closed, with SQLite's errors in the container's
  /// words.
  private func using<T>(_ body: () throws -> T) throws -> T {
    try use.withLock { use in
      guard !use.isClosed else { throw MockContainerError.closed }
      use.running += 1
    }
    defer { use.withLock { $0.running -= 1 } }
    return try StoreConnection.translating(body)
  }
}

extension MockContainer {
  private func shutDown() throws -> ContainerLog {
    defer { if let file, let path { OpenContainers.remove(file, at: path) } }
    guard let path else {
      try StoreConnection.translating { try access.close() }
      return .merged
    }
    let found = FileIdentity(path: path)
    if found == file {
      // The last one that closes the file keeps others waiting while it moves the log: do it before.
      if !isReadOnly { _ = ContainerLog.merge(path) }
    } else if found != nil {
      // SQLite would remove the log of the file that has the name now.
      access.writeWithoutTransaction { db in
        var isKept: Int32 = 1
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
      }
    }
    try StoreConnection.translating { try access.close() }
    return found == file ? ContainerLog.settle(path) : .merged
  }
}

extension Database {
  /// Runs `body` in a transaction, or in a savepoint where there is one already.
  func atomically<T>(_ body: () throws -> T) throws -> T {
    var result: T?
    try inSavepoint {
      result = try body()
      return .commit
    }
    guard let result else { throw DatabaseError(message: "a savepoint ended without a result") }
    return result
  }

  /// Runs `body` in a transaction that sees the database as it is now.
  func readTransaction<T>(_ body: () throws -> T) throws -> T {
    var result: T?
    try inTransaction(.deferred) {
      // The state that is seen is that of the first read.
      _ = try integer("SELECT rootpage FROM sqlite_master LIMIT 1")
      result = try body()
      return .commit
    }
    guard let result else { throw DatabaseError(message: "a transaction ended without a result") }
    return result
  }
}

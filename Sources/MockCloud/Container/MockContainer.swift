import Foundation
import GRDB
import RecordModel

/// A CloudKit container offline: its databases, zones, records, subscriptions and assets in one
/// SQLite file, or in memory.
///
/// Every save is one transaction: it is there as a whole or not at all, whenever the process ends.
/// One thread or process writes at a time; any number read meanwhile, each what was there when it
/// began.
public final class MockContainer: Sendable {
  /// Where the container's file lies; nil for one in memory.
  public let path: String?
  /// The limits saves are held to.
  public let limits: RecordLimits
  /// What time a save takes place; the real one unless a test gives another.
  let now: @Sendable () -> Date
  private let access: any DatabaseWriter
  private let isReadOnly: Bool

  init(
    _ access: any DatabaseWriter, path: String?, isReadOnly: Bool, limits: RecordLimits,
    now: @escaping @Sendable () -> Date
  ) {
    self.access = access
    self.path = path
    self.isReadOnly = isReadOnly
    self.limits = limits
    self.now = now
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

  /// Reads the container as it is now, however long that takes and whatever is saved meanwhile.
  ///
  /// The snapshot must not leave the closure. Calls may be nested; saves within the closure do not
  /// show in it, except in a container in memory, which has one view only.
  public func snapshot<T>(_ body: (ContainerSnapshot) throws -> T) throws -> T {
    try StoreConnection.translating {
      try access.unsafeReentrantRead { db in
        let snapshot = ContainerSnapshot(db)
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
  /// read where nothing can be written.
  public func close() throws {
    try StoreConnection.translating { try access.close() }
    if let path, !isReadOnly { StoreConnection.settle(path) }
  }

  /// Changes the store in one transaction: all of `body`, or nothing where it throws.
  func write<T>(_ body: (StoreWriter) throws -> T) throws -> T {
    try transaction { db in
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
    try transaction { try Self.fill($0, resolve, body) }
  }

  private func transaction<T>(_ body: (Database) throws -> T) throws -> T {
    guard !isReadOnly else { throw MockContainerError.readOnly }
    return try StoreConnection.translating {
      try access.unsafeReentrantWrite { db in try db.atomically { try body(db) } }
    }
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

  /// Runs `body` in a transaction that sees one state of the database.
  func readTransaction<T>(_ body: () throws -> T) throws -> T {
    var result: T?
    try inTransaction(.deferred) {
      result = try body()
      return .commit
    }
    guard let result else { throw DatabaseError(message: "a transaction ended without a result") }
    return result
  }
}

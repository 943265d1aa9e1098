import Foundation
import RecordModel

extension ContainerStore {
  /// Imports in one transaction: if `body` throws or the process ends, nothing is changed.
  ///
  /// - Parameters:
  ///   - resolve: decides about a record that exists with other content; by default the import
  ///     fails with an error that names both. An existing record with the same content is counted,
  ///     and not a conflict.
  ///   - body: adds the content.
  /// - Throws: the error of `body` or `resolve`, or ``ContainerStoreError``.
  @discardableResult
  public func importTransaction<T>(
    onConflict resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution = {
      throw $0.error
    },
    _ body: (ImportTransaction) throws -> T
  ) throws -> T {
    try writing(isLarge: true) { db in
      let transaction = try ImportTransaction(into: db, of: path, at: now(), resolve)
      return try transaction.completing { try body(transaction) }
    }
  }

  /// Creates a container file and fills it. This is the fastest way to load many records.
  ///
  /// The file is built under a temporary name without a journal, synced and then renamed: it
  /// appears when it is complete, or not at all.
  ///
  /// - Parameters:
  ///   - path: the path of the file; neither a file nor the log of an earlier container may exist
  ///     there (``ContainerStoreError/Code/log``).
  ///   - info: the metadata of the container.
  ///   - resolve: decides about a record that is repeated with other content; by default the build
  ///     fails with an error that names both.
  ///   - body: adds the content.
  @discardableResult
  public static func build<T>(
    path: String, info: ContainerInfo = ContainerInfo(),
    onConflict resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution = {
      throw $0.error
    },
    _ body: (ImportTransaction) throws -> T
  ) throws -> T {
    try buildFile(path: path, info: info, hasIdentityIndex: false) { db in
      let transaction = try ImportTransaction(new: db, InfoCache(), resolve)
      return try transaction.completing { try body(transaction) }
    }
  }

  /// Creates a container file with the saves of one transaction. The file appears when it is
  /// complete, or, if `body` throws, not at all.
  ///
  /// - Throws: the error of `body`, or ``ContainerStoreError``.
  package static func create<T>(
    path: String, info: ContainerInfo, limits: RecordLimits = .cloudKit, now: Date = Date(),
    _ body: (ContainerTransaction) throws -> T
  ) throws -> T {
    try buildFile(path: path, info: info) { db in
      let transaction = try ContainerTransaction(db, limits: limits, date: now)
      return try transaction.completing { try body(transaction) }
    }
  }

  /// Checks that a container could be created at a path, and writes nothing.
  package static func checkCreation(path: String) throws {
    try StoreFile.checkFolder(of: checkNew(path))
  }

  /// Returns the absolute form of a path where neither a file nor a log exists.
  private static func checkNew(_ path: String) throws -> String {
    let path = try StoreFile.absolute(path)
    guard try !StoreFile.exists(path) else { throw ContainerStoreError.alreadyExists(path: path) }
    try StoreFile.checkNoStaleLog(path)
    return path
  }

  /// Creates a container file and fills its database, which has the default zones.
  ///
  /// - Parameter hasIdentityIndex: whether names have their index from the start.
  static func buildFile<T>(
    path: String, info: ContainerInfo, hasIdentityIndex: Bool = true,
    _ fill: (SQLiteConnection) throws -> T
  ) throws -> T {
    let path = try checkNew(path)
    let file = try UnfinishedContainerFile(for: path)
    let result = try StoreConnection.translating {
      let db = try StoreConnection.building(file.path)
      let result = try db.atomically {
        try initialize(db, info, hasViews: true, hasIdentityIndex: hasIdentityIndex)
        let result = try fill(db)
        try FileStamp.renew(in: db)
        return result
      }
      // The mode is stored in the file, so processes that open it need not change it.
      try db.execute("PRAGMA journal_mode = WAL")
      try db.close()
      return result
    }
    try file.publish()
    return result
  }
}

extension ContainerStore {
  /// Opens or creates a container file; see ``open(path:mode:info:limits:now:)``.
  ///
  /// - Throws: ``ContainerStoreError``; `CocoaError` for a URL that is not a file URL.
  public static func open(
    url: URL, mode: OpenMode = .open, info: ContainerInfo = ContainerInfo(),
    limits: RecordLimits = .cloudKit, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> ContainerStore {
    try open(path: url.filePath(), mode: mode, info: info, limits: limits, now: now)
  }

  /// Creates a container file and fills it; see ``build(path:info:onConflict:_:)``.
  ///
  /// - Throws: the error of `body` or `resolve`, or ``ContainerStoreError``.
  @discardableResult
  public static func build<T>(
    url: URL, info: ContainerInfo = ContainerInfo(),
    onConflict resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution = {
      throw $0.error
    },
    _ body: (ImportTransaction) throws -> T
  ) throws -> T {
    try build(path: url.filePath(), info: info, onConflict: resolve, body)
  }
}

import Foundation
import RecordModel
import RecordPlatform
import Synchronization

extension ContainerStore {
  /// The ways to open a container file.
  public enum OpenMode: Sendable, Hashable {
    /// Creates a file; none may exist at the path.
    case create
    /// Opens an existing file.
    case open
    /// Opens a file, or creates it if it does not exist.
    case openOrCreate
    /// Opens an existing file for reading only.
    case readOnly
  }

  /// Opens or creates a container file.
  ///
  /// A new container has the default zone in its public and its private database, like every
  /// CloudKit container. Its file appears when it is complete, and only its owner can read it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - mode: whether to open or create the file.
  ///   - info: the metadata of a new container; ignored if the file exists.
  ///   - limits: the limits that saves are checked against.
  ///   - now: returns the time of a save.
  /// - Throws: ``ContainerStoreError``; its description says what the file is.
  public static func open(
    path: String, mode: OpenMode = .open, info: ContainerInfo = ContainerInfo(),
    limits: RecordLimits = .cloudKit, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> ContainerStore {
    try open(path: path, mode: mode, info: info, limits: limits, now: now, leavingOut: nil)
  }

  /// Opens or creates a container file; see ``open(path:mode:info:limits:now:)``.
  ///
  /// - Parameter damage: gets the errors of rows that cannot be read, which reads leave out; nil to have
  ///   reads throw them.
  package static func open(
    path: String, mode: OpenMode = .open, info: ContainerInfo = ContainerInfo(),
    limits: RecordLimits = .cloudKit, now: @escaping @Sendable () -> Date = { Date() },
    leavingOut damage: DamageLog?
  ) throws -> ContainerStore {
    let path = try StoreFile.absolute(path)
    if mode == .create || mode == .openOrCreate, try !StoreFile.exists(path) {
      do {
        try build(path: path, info: info) { _ in }
      } catch let error as ContainerStoreError
        where error.code == .alreadyExists && mode == .openOrCreate
      {
        // Another process has created it.
      }
    } else if mode == .create {
      throw ContainerStoreError.alreadyExists(path: path)
    }
    let identity = FileIdentity(path: path)
    // Kept open until the pool has the file open, so that the log does not change after the check.
    var file = try StoreFile.inspect(path)
    guard let location = try file.map({ try StoreLocation(of: $0, at: path, mode) }) else {
      throw ContainerStoreError.notFound(path: path)
    }
    // The only connection that can have the file open is that of the pool.
    if location.isExclusive { file = nil }
    return try withExtendedLifetime(file) {
      try StoreConnection.translating(of: path) {
        let isReadOnly = mode == .readOnly
        guard let identity else { throw ContainerStoreError.notFound(path: path) }
        let pool = try StoreConnection.pool(
          location, of: identity, at: path, isReadOnly: isReadOnly)
        if !isReadOnly { try pool.write(FileStamp.repair) }
        let store = ContainerStore(
          pool, path: path, isReadOnly: isReadOnly, limits: limits, now: now, leavingOut: damage)
        guard store.place?.file == identity else {
          throw ContainerStoreError.moved(path: path, log: nil)
        }
        return store
      }
    }
  }

  /// Whether the file at a path begins as an SQLite database, container or not.
  ///
  /// The file is read only through SQLite, so that this process keeps its locks on it; a pipe or
  /// device is not read at all.
  public static func isDatabase(path: String) -> Bool { StoreFile.isDatabase(path) }

  /// Creates a container in memory, which exists as long as it is referenced.
  public static func inMemory(
    info: ContainerInfo = ContainerInfo(), limits: RecordLimits = .cloudKit,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> ContainerStore {
    let store = try EmptyContainer.usual.store().copy(to: ":memory:", limits: limits, now: now)
    if info != ContainerInfo() { try store.setInfo(info) }
    return store
  }

  /// Returns a copy in memory. Neither changes with the other.
  ///
  /// The copy has the pages of the container as they are, which is faster than an import: tests can
  /// begin with the same contents at little cost.
  ///
  /// - Parameters:
  ///   - limits: the limits that saves to the copy are checked against; nil for those of the
  ///     container.
  ///   - now: returns the time of a save to the copy; nil for that of the container.
  public func fork(
    limits: RecordLimits? = nil, now: (@Sendable () -> Date)? = nil
  ) throws -> ContainerStore {
    try copy(to: ":memory:", limits: limits ?? self.limits, now: now ?? self.now)
  }

  /// Returns a copy that can be changed without changing the container. It exists as long as it is
  /// referenced, in a temporary file that has no name.
  ///
  /// - Parameter progress: Called during the copy; an error that it throws ends the copy.
  package func temporaryCopy(progress: () throws -> Void = {}) throws -> ContainerStore {
    // To SQLite, the empty path is such a file.
    try copy(to: "", limits: limits, now: now, pagesPerStep: 4_096, progress: progress)
  }

  func copy(
    to location: String, limits: RecordLimits, now: @escaping @Sendable () -> Date,
    pagesPerStep: Int32 = -1, progress: () throws -> Void = {}
  ) throws -> ContainerStore {
    try using {
      let copy = try connections.read {
        try Self.copy(of: $0, to: location, pagesPerStep: pagesPerStep, progress: progress)
      }
      return ContainerStore(
        ConnectionPool(writer: copy), path: nil, isReadOnly: false, limits: limits,
        infoCache: InfoCache(infoCache), now: now)
    }
  }

  /// Returns a connection to a copy of a database.
  static func copy(
    of db: SQLiteConnection, to location: String, pagesPerStep: Int32 = -1,
    progress: () throws -> Void = {}
  ) throws -> SQLiteConnection {
    let copy = try StoreConnection.temporary(location)
    try db.reading {
      // Pages are copied as they are.
      let pageSize = try db.integer("PRAGMA page_size") ?? 0
      try copy.execute("PRAGMA page_size = \(pageSize)")
      try db.copy(to: copy, pagesPerStep: pagesPerStep, progress: progress)
    }
    return copy
  }

  static func initialize(
    _ db: SQLiteConnection, _ info: ContainerInfo, hasViews: Bool, hasIdentityIndex: Bool
  ) throws {
    try StoreSchema.create(in: db, hasViews: hasViews, hasIdentityIndex: hasIdentityIndex)
    try info.write(to: db)
    let transaction = try ContainerTransaction(db, from: .load)
    try transaction.completing {
      for scope in [DatabaseScope.public, .private] {
        try transaction.write(RecordZone(zoneID: .default), in: scope)
      }
    }
  }
}

import Foundation
import GRDB
import RecordModel

extension MockContainer {
  /// How a container file is opened.
  public enum OpenMode: Sendable, Hashable {
    /// A new file is made; nothing may lie at the path.
    case create
    /// The file must be there.
    case openExisting
    /// The file is made where it is missing.
    case openOrCreate
    /// The file must be there, and nothing in it can be changed.
    case readOnly
  }

  /// Opens a container file, or makes a new one.
  ///
  /// A new container has the default zone in its public and its private database, as every CloudKit
  /// container does. It appears under its name when it is complete, and is readable for its owner
  /// only.
  ///
  /// - Parameters:
  ///   - path: where the file lies.
  ///   - mode: whether it must be there.
  ///   - info: what a new container says about itself; of no concern to one that is there.
  ///   - limits: the limits saves are held to.
  ///   - now: the time saves take place.
  /// - Throws: ``MockContainerError`` for what is no container, each kind of thing with a case of
  ///   its own.
  public static func open(
    path: String, mode: OpenMode = .openExisting, info: ContainerInfo = ContainerInfo(),
    limits: RecordLimits = .cloudKit, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer {
    let path = StoreFile.absolute(path)
    let isThere = try mode == .create ? StoreFile.exists(path) : StoreFile.inspect(path) != nil
    switch mode {
    case .create where isThere: throw MockContainerError.alreadyExists(path: path)
    case .openExisting where !isThere, .readOnly where !isThere:
      throw MockContainerError.notFound(path: path)
    default: break
    }
    if !isThere { try build(path: path, info: info) { _ in } }
    let isReadOnly = mode == .readOnly
    return try StoreConnection.translating {
      let pool = try DatabasePool(
        path: path, configuration: StoreConnection.configuration(readOnly: isReadOnly))
      // The header may be older than what lies in the write-ahead log.
      let version = try pool.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
      guard version <= StoreSchema.version else {
        throw MockContainerError.newerVersion(
          path: path, found: version, supported: Int(StoreSchema.version))
      }
      return MockContainer(pool, path: path, isReadOnly: isReadOnly, limits: limits, now: now)
    }
  }

  /// Makes a container in memory; it ends with the last reference to it.
  public static func inMemory(
    info: ContainerInfo = ContainerInfo(), limits: RecordLimits = .cloudKit,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer {
    try StoreConnection.translating {
      let queue = try DatabaseQueue(configuration: StoreConnection.configuration())
      try queue.inDatabase { db in try db.atomically { try initialize(db, info) } }
      return MockContainer(queue, path: nil, isReadOnly: false, limits: limits, now: now)
    }
  }

  static func initialize(_ db: Database, _ info: ContainerInfo) throws {
    try StoreSchema.create(in: db)
    try info.write(to: db)
    let writer = try StoreWriter(db)
    for scope in [DatabaseScope.public, .private] {
      try writer.save(RecordZone(zoneID: .default), in: scope)
    }
    try writer.finish()
  }
}

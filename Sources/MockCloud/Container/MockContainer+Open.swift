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
    let path = try StoreFile.absolute(path)
    if mode == .create || mode == .openOrCreate, try !StoreFile.exists(path) {
      do {
        try build(path: path, info: info) { _ in }
      } catch MockContainerError.alreadyExists where mode == .openOrCreate {
        // Another process was faster.
      }
    } else if mode == .create {
      throw MockContainerError.alreadyExists(path: path)
    }
    // Stays open until GRDB has the file open, so that the log stays as it is checked.
    guard let file = try StoreFile.inspect(path) else {
      throw MockContainerError.notFound(path: path)
    }
    let layout = try StoreLayout(of: file, at: path, mode)
    return try withExtendedLifetime(file) {
      try StoreConnection.translating {
        let isReadOnly = mode == .readOnly
        let pool = try DatabasePool(
          path: layout.location, configuration: StoreConnection.configuration(readOnly: isReadOnly))
        return MockContainer(pool, path: path, isReadOnly: isReadOnly, limits: limits, now: now)
      }
    }
  }

  /// Whether the file at a path begins as an SQLite database does, be it a container or not.
  ///
  /// The file is read through SQLite only, so that no lock of this process on it is lost; a pipe or
  /// device is not read at all.
  public static func isDatabase(path: String) -> Bool { StoreFile.isDatabase(path) }

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

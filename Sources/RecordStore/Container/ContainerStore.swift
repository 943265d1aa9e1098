import CSystemSQLite
import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import Synchronization

/// The contents of a CloudKit container in an SQLite file, or in memory.
///
/// ```swift
/// let container = try ContainerStore.inMemory()
/// var note = DraftRecord(recordType: "Note")
/// note["title"] = "Hello"
/// let saved = try container.transaction { try $0.save([note], in: .private) }
/// ```
///
/// Unlike the server, a store does not check rules: apart from limits on names and sizes,
/// everything can be saved, and a save replaces a record, whoever changed it. A `MockContainer` is
/// a server above it.
///
/// A transaction survives the end of the process completely or not at all.
/// One thread or process writes at a time; any number read concurrently, each the state at its
/// beginning. A container may be open any number of times, in any number of processes.
public final class ContainerStore: Sendable {
  /// The path of the container file; nil for a container in memory.
  public let path: String?
  /// The limits that saves are checked against.
  public let limits: RecordLimits
  /// Returns the time of a save; tests can replace it.
  let now: @Sendable () -> Date
  let connections: ConnectionPool
  package let isReadOnly: Bool
  /// The opened file; another file may get its path.
  let place: ContainerPlace?
  let infoCache: InfoCache
  /// Gets the errors of rows that cannot be read, which reads leave out; nil to have reads throw them.
  package let damage: DamageLog?
  /// A reader knows the fields that records have after it has read some.
  let readers = ResourcePool(keeping: 4) { RecordJSONReader() }
  /// Whether the connection that writes has the draft of an index.
  let isDrafting = Atomic(false)
  /// The template to keep the contents for, before they change.
  let template = Mutex(TemplateReference())
  /// Each transaction that commits calls this closure with its changes of records, before the next
  /// transaction begins.
  package let observer = Mutex<(@Sendable ([RecordChange]) -> Void)?>(nil)
  private let use = Mutex(Use())

  private struct Use {
    /// The number of current reads and writes, including nested ones.
    var running = 0
    var isClosed = false
    /// The error of reads and writes after the end.
    var end = ContainerStoreError.closed
  }

  init(
    _ connections: ConnectionPool, path: String?, isReadOnly: Bool, limits: RecordLimits,
    infoCache: InfoCache = InfoCache(), now: @escaping @Sendable () -> Date,
    leavingOut damage: DamageLog? = nil
  ) {
    self.damage = damage
    self.connections = connections
    self.infoCache = infoCache
    self.path = path
    self.isReadOnly = isReadOnly
    self.limits = limits
    self.now = now
    place = path.flatMap(ContainerPlace.init)
    if let place { OpenContainers.add(place.file, at: place.path) }
  }

  deinit {
    if !use.withLock({ $0.isClosed }) { _ = try? shutDown() }
  }

  /// Returns the metadata of the container.
  public func info() throws -> ContainerInfo {
    try snapshot { try $0.info() }
  }

  /// Replaces the metadata of the container.
  public func setInfo(_ info: ContainerInfo) throws {
    try transaction { try $0.setInfo(info) }
  }

  /// Reads the state of the container at the beginning of the call, however long that takes and
  /// whatever is saved meanwhile.
  ///
  /// The snapshot must not escape the closure. Calls may be nested. Saves within the closure are
  /// not visible in it, except for a container in memory.
  public func snapshot<T>(_ body: (ContainerSnapshot) throws -> T) throws -> T {
    try using {
      try connections.read { db in
        try readers.with { reader in
          let snapshot = ContainerSnapshot(
            db, of: path, infoCache, by: reader, leavingOut: damage)
          defer { snapshot.end() }
          return try db.reading { try body(snapshot) }
        }
      }
    }
  }

  /// Closes the container. Reads and saves after that throw ``ContainerStoreError/Code/closed``.
  ///
  /// A container that is not closed loses nothing. Closing leaves a single file, which can be
  /// copied, and read in a folder without write access. As long as the container is open elsewhere,
  /// its log stays beside it; the last one to close the container removes it.
  ///
  /// - Returns: whether the file contains all saves.
  /// - Throws: ``ContainerStoreError/Code/busy`` during a read or write on any thread;
  ///   ``ContainerStoreError/Code/moved`` if another program has moved or replaced the file. The container
  ///   is closed then.
  @discardableResult
  public func close() throws -> WriteAheadLogState {
    let wasOpen = try use.withLock { use in
      guard use.running == 0 else { throw ContainerStoreError.inUse }
      defer { use.isClosed = true }
      return !use.isClosed
    }
    guard wasOpen else { return .merged }
    do {
      return try shutDown()
    } catch let error as ContainerStoreError where error.code == .moved {
      use.withLock { $0.end = error }
      throw error
    }
  }

  /// Changes the container in one transaction, which is rolled back if `body` throws.
  ///
  /// The transaction must not escape the closure.
  @discardableResult
  public func transaction<T>(_ body: (ContainerTransaction) throws -> T) throws -> T {
    try transaction(isLarge: false, body)
  }

  /// Changes the container in one transaction, which is rolled back if `body` throws.
  ///
  /// - Parameters:
  ///   - isLarge: whether the transaction may fill the disk. If it does, its log is removed.
  ///   - limits: the limits that saves are checked against; nil for those of the store.
  ///   - date: the time of the transaction; nil for that of the store's clock.
  @discardableResult
  package func transaction<T>(
    isLarge: Bool = false, limits: RecordLimits? = nil, at date: Date? = nil,
    _ body: (ContainerTransaction) throws -> T
  ) throws -> T {
    let observer = observer.withLock(\.self)
    var changes: [RecordChange] = []
    return try writing(isLarge: isLarge) { db in
      try readers.with { reader in
        let transaction = try ContainerTransaction(
          db, of: path, infoCache, by: reader, limits: limits ?? self.limits,
          date: date ?? self.now())
        if observer != nil { transaction.before = RecordsBefore() }
        return try transaction.completing {
          let result = try body(transaction)
          changes = try transaction.recordChanges()
          return result
        }
      }
    } committed: {
      if !changes.isEmpty { observer?(changes) }
    }
  }

  /// Changes the container to what a server has, in one transaction: if `body` throws or the process
  /// ends, nothing is changed.
  ///
  /// The contents are those that the container was filled with: it has no history of changes, as
  /// after an import into a new container. Change tokens of the databases that change expire.
  package func mirrorTransaction<T>(_ body: (MirrorTransaction) throws -> T) throws -> T {
    try writing(isLarge: true) { db in
      let transaction = try MirrorTransaction(
        db, of: path, infoCache, from: .mirror, limits: limits, date: self.now())
      return try transaction.completing { try body(transaction) }
    }
  }

  /// Calls `body` with the connection that writes, in a transaction.
  ///
  /// - Parameter committed: is called after the transaction, before the next one begins.
  func writing<T>(
    isLarge: Bool = false, _ body: (SQLiteConnection) throws -> T, committed: () -> Void = {}
  ) throws -> T {
    guard !isReadOnly else { throw ContainerStoreError.readOnly }
    return try using {
      do {
        return try connections.write { db in
          try place?.check(db)
          // If this transaction fills the disk, the log contains nothing else, and can be truncated.
          if isLarge { checkpoint(SQLITE_CHECKPOINT_PASSIVE) }
          try template.withLock { reference in
            try reference.template?.keep(db)
            reference.template = nil
          }
          let result = try db.atomically { try stamping(db, body) }
          committed()
          // Before this call returns, the saves can be found under the path.
          try place?.check(db)
          return result
        }
      } catch let error as SQLiteError where error.isDiskFull {
        // The pages in the log from before the disk was full are useless, but take space.
        checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        throw error
      }
    }
  }

  /// Calls `body`, and gives the file a new stamp if `body` changes it.
  private func stamping<T>(
    _ db: SQLiteConnection, _ body: (SQLiteConnection) throws -> T
  ) throws -> T {
    guard path != nil else { return try body(db) }
    let before = try db.state()
    let result = try body(db)
    if try db.state() != before { try FileStamp.renew(in: db) }
    return result
  }

  /// Whether the path of the container leads to its file.
  ///
  /// While nothing is being saved, also whether the file was written over.
  package var isInPlace: Bool {
    guard let place else { return true }
    guard place.isHere else { return false }
    let hasOwnContent = try? connections.write(waiting: false, place.hasOwnContent)
    return (hasOwnContent ?? nil) ?? true
  }

  /// Moves the log into the file, as far as possible now.
  private func checkpoint(_ mode: Int32) {
    guard path != nil else { return }
    try? connections.write { db in
      if !db.isInsideTransaction { try db.checkpoint(mode) }
    }
  }

  /// Calls `body` while the container cannot be closed, and translates SQLite's errors.
  func using<T>(_ body: () throws -> T) throws -> T {
    try use.withLock { use in
      guard !use.isClosed else { throw use.end }
      use.running += 1
    }
    defer { use.withLock { $0.running -= 1 } }
    return try StoreConnection.translating(of: path, body)
  }
}

extension ContainerStore {
  private func shutDown() throws -> WriteAheadLogState {
    defer {
      if let place {
        OpenContainers.remove(place.file, at: place.path)
        if isReadOnly { StoreFile.removeOwnSideFiles(of: place.path) }
      }
    }
    if let template = template.withLock({ $0.template }) {
      // A container in memory that has not changed.
      template.take(connections)
      return .merged
    }
    return try StoreConnection.translating(of: path) {
      guard let place else {
        try connections.close()
        return .merged
      }
      do {
        if !isReadOnly { try connections.write { try place.check($0) } }
      } catch let error as ContainerStoreError where error.code == .moved {
        try connections.close { try place.settle($0) }
        throw place.moved
      } catch {
        // The file cannot be read; closing it does not depend on that.
      }
      let isHere = place.isHere
      // The last one to close the file blocks others while it moves the log, so do that before.
      if isHere, !isReadOnly { _ = WriteAheadLogState.merge(place.path, of: place.file) }
      try connections.close()
      return isHere ? WriteAheadLogState.settle(place.path, of: place.file) : .merged
    }
  }
}

/// A container with its contents in a ``ContainerStore``: the store itself, or a server above it.
///
/// Code that reads and writes contents without rules, as the archiver does, takes either.
public protocol StoredContainer: Sendable {
  /// The contents of the container.
  var store: ContainerStore { get }
}

extension ContainerStore: StoredContainer {
  /// The store itself.
  public var store: ContainerStore { self }
}

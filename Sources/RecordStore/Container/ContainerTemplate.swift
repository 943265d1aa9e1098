import Foundation
import RecordModel
import Synchronization

/// The contents that a container in memory has when the template is made, for containers that begin
/// with them.
///
/// Until the container changes, copies are made of it. Before its first change, the template gets a
/// copy of its own: a container that is only read costs no copy.
package final class ContainerTemplate: Sendable {
  private struct State {
    /// The connection to the contents.
    var connections: ConnectionPool
    /// Whether the container uses the connection, too.
    var isShared = true
  }

  private let state: Mutex<State>
  /// The metadata of the contents.
  private let infoCache: InfoCache

  /// Makes a template of a container in memory. A container has one template at a time.
  package init(of original: ContainerStore) {
    state = Mutex(State(connections: original.connections))
    infoCache = InfoCache(original.infoCache)
    original.template.withLock { $0.template = self }
  }

  /// Returns a container in memory with the contents; nil if another thread uses the container that
  /// the template was made of, because that may take long, or wait for this thread.
  ///
  /// - Parameters:
  ///   - limits: the limits that saves to the copy are checked against.
  ///   - now: returns the time of such a save.
  package func copy(
    limits: RecordLimits, now: @escaping @Sendable () -> Date
  ) throws -> ContainerStore? {
    while true {
      let (connections, isShared) = state.withLock { ($0.connections, $0.isShared) }
      let result = try StoreConnection.translating {
        try connections.write(waiting: !isShared) { db -> ContainerStore? in
          // The container may just have changed.
          guard state.withLock({ $0.connections === connections }) else { return nil }
          let copy = try ContainerStore.copy(of: db, to: ":memory:")
          return ContainerStore(
            ConnectionPool(writer: copy), path: nil, isReadOnly: false, limits: limits,
            infoCache: InfoCache(infoCache), now: now)
        }
      }
      guard let result else { return nil }
      if let copy = result { return copy }
    }
  }

  /// Copies the contents of the container, which is about to change.
  ///
  /// - Parameter db: the connection that the container shares with the template.
  func keep(_ db: SQLiteConnection) throws {
    take(ConnectionPool(writer: try ContainerStore.copy(of: db, to: ":memory:")))
  }

  /// Has a connection to the contents for itself.
  func take(_ connections: ConnectionPool) {
    state.withLock { $0 = State(connections: connections, isShared: false) }
  }
}

/// The template that a container belongs to as long as it has not changed, if the template is still
/// used.
struct TemplateReference {
  weak var template: ContainerTemplate?
}

/// An empty container in memory, which is made once per process: to copy its pages takes a tenth of
/// the time of creating the tables.
final class EmptyContainer: Sendable {
  static let usual = EmptyContainer(hasIdentityIndex: true)
  /// Without the index of names, which a load builds at its end.
  static let toFill = EmptyContainer(hasIdentityIndex: false)

  private let hasIdentityIndex: Bool
  private let made = Mutex<ContainerStore?>(nil)

  private init(hasIdentityIndex: Bool) { self.hasIdentityIndex = hasIdentityIndex }

  /// Returns the container, which nothing may change.
  func store() throws -> ContainerStore {
    try made.withLock { made in
      if let made { return made }
      let store = try StoreConnection.translating {
        let db = try StoreConnection.temporary(":memory:")
        try db.execute("PRAGMA page_size = \(StoreSchema.pageSize)")
        try db.atomically {
          // Each copy would parse the views, too.
          try ContainerStore.initialize(
            db, ContainerInfo(), hasViews: false, hasIdentityIndex: hasIdentityIndex)
        }
        return ContainerStore(
          ConnectionPool(writer: db), path: nil, isReadOnly: false, limits: .cloudKit,
          now: { Date() })
      }
      // Copies know the metadata, too.
      _ = try store.info()
      made = store
      return store
    }
  }
}

/// A container in memory that is filled once, which is quicker than an import into an empty one.
package struct NewContainer: Sendable {
  /// The container, to be used when it is filled.
  package let store: ContainerStore

  /// - Parameters:
  ///   - limits: the limits that saves to the container are checked against.
  ///   - now: returns the time of such a save.
  package init(limits: RecordLimits, now: @escaping @Sendable () -> Date) throws {
    store = try EmptyContainer.toFill.store().copy(to: ":memory:", limits: limits, now: now)
  }

  /// Fills the container; to be called once.
  ///
  /// - Parameters:
  ///   - resolve: decides about a record that is repeated with other content.
  ///   - body: adds the content.
  package func fill<T>(
    onConflict resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution,
    _ body: (ImportTransaction) throws -> T
  ) throws -> T {
    try store.writing { db in
      let transaction = try ImportTransaction(new: db, store.infoCache, resolve)
      return try transaction.completing { try body(transaction) }
    }
  }
}

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

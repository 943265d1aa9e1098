import Foundation
import RecordModel
import Synchronization

/// The contents that a container in memory has when the template is made, for containers that begin
/// with them.
///
/// Until the container changes, copies are made of it. Before its first change, the template gets a
/// copy of its own: a container that is only read costs no copy.
package final class ContainerTemplate: Sendable {
  /// The container with the contents: the one that the template was made of, or a copy that nothing
  /// changes.
  private let store: Mutex<ContainerStore>

  /// Makes a template of a container in memory. A container has one template at a time.
  package init(of original: ContainerStore) {
    store = Mutex(original)
    original.template.withLock { $0.template = self }
  }

  /// Returns a container in memory with the contents.
  ///
  /// - Parameters:
  ///   - limits: the limits that saves to it are checked against.
  ///   - now: returns the time of such a save.
  package func copy(
    limits: RecordLimits, now: @escaping @Sendable () -> Date
  ) throws -> ContainerStore {
    while true {
      let store = current
      do {
        // A change that is made between both lines is waited for, and seen.
        let copy = try store.connections.read { _ in
          store === current ? try store.fork(limits: limits, now: now) : nil
        }
        if let copy { return copy }
      } catch  where store !== current {
        // The container was closed.
      }
    }
  }

  private var current: ContainerStore { store.withLock { $0 } }

  /// Copies the contents of the container, which is about to change or to be closed. Called with its
  /// connection.
  func keep(_ original: ContainerStore) throws {
    let copy = try original.fork()
    store.withLock { $0 = copy }
  }
}

/// The template that a container belongs to as long as it has not changed, if the template is still
/// used.
struct TemplateReference {
  weak var template: ContainerTemplate?
}

import Dispatch
import RecordStore
import Synchronization

/// Work on containers that may take long, and goes on while pages without its results are shown.
package final class BackgroundWork: Sendable {
  private struct State {
    var isEnding = false
    /// The containers whose indexes are made.
    var indexing: Set<ObjectIdentifier> = []
    var errors: [ObjectIdentifier: any Error] = [:]
  }

  private let state = Mutex(State())
  private let group = DispatchGroup()

  /// How long a request waits for the end of the work that it begins, in seconds.
  private static let wait = 0.4

  /// Whether nothing more is to be begun.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Ends the work: a search after its step, and an index when it is made. Containers can then be closed.
  package func end() {
    state.withLock { $0.isEnding = true }
    group.wait()
  }

  /// Begins work, and waits for its end for a moment.
  func begin(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    // Pages are read on the other threads: the work does not hold them up.
    DispatchQueue.global(qos: .utility).async(group: group) {
      body()
      done.signal()
    }
    _ = done.wait(timeout: .now() + Self.wait)
  }

  /// Begins to make indexes that a container does not have.
  ///
  /// - Returns: whether the container has all of them.
  func make(_ kinds: [RecordIndex.Kind], in store: ContainerStore) throws -> Bool {
    func isMade() throws -> Bool { try store.snapshot { try kinds.allSatisfy($0.hasIndex) } }
    if try isMade() { return true }
    let id = ObjectIdentifier(store)
    if state.withLock({ $0.indexing.insert(id).inserted }) {
      begin {
        let result = Result { for kind in kinds where !self.isEnding { try store.makeIndex(kind) } }
        self.state.withLock { state in
          state.indexing.remove(id)
          if case .failure(let error) = result { state.errors[id] = error }
        }
      }
    }
    if let error = state.withLock({ $0.errors.removeValue(forKey: id) }) { throw error }
    return try isMade()
  }
}

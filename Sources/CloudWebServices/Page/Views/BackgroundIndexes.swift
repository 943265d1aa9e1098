import Dispatch
import RecordStore
import Synchronization

/// Makes indexes of whole containers, which may take long, while pages without their results are shown.
final class BackgroundIndexes: Sendable {
  private struct State {
    var running: Set<ObjectIdentifier> = []
    var errors: [ObjectIdentifier: any Error] = [:]
  }

  private let state = Mutex(State())

  /// How long a request waits for the indexes, in seconds.
  private static let wait = 0.4

  /// Begins to make the indexes that a container does not have.
  ///
  /// - Returns: whether the container has all of them.
  func make(_ kinds: [RecordIndex.Kind], in store: ContainerStore) throws -> Bool {
    func isMade() throws -> Bool { try store.snapshot { try kinds.allSatisfy($0.hasIndex) } }
    if try isMade() { return true }
    let id = ObjectIdentifier(store)
    if state.withLock({ $0.running.insert(id).inserted }) {
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global(qos: .utility).async {
        let result = Result { try kinds.forEach(store.makeIndex) }
        self.state.withLock { state in
          state.running.remove(id)
          if case .failure(let error) = result { state.errors[id] = error }
        }
        done.signal()
      }
      _ = done.wait(timeout: .now() + Self.wait)
    }
    if let error = state.withLock({ $0.errors.removeValue(forKey: id) }) { throw error }
    return try isMade()
  }
}

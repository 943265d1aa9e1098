import Dispatch
import RecordStore
import Synchronization

/// Work on containers that may take long, and goes on while pages without its results are shown.
///
/// A container in memory has one connection, so its pages wait for the work.
package final class ContainerWork: Sendable {
  private struct State {
    var isEnding = false
    /// The containers of the work that goes on, by its numbers.
    var running: [Int: ContainerStore] = [:]
    var last = 0
    /// The things that are made.
    var making: Set<ObjectIdentifier> = []
    var errors: [ObjectIdentifier: any Error] = [:]
  }

  private let state = Mutex(State())
  private let group = DispatchGroup()

  /// How long a request waits for the end of the work that it begins, in seconds.
  private static let wait = 0.4
  /// Up to so many records, a request makes what it needs itself.
  static let maxRecords: Int64 = 2_000

  /// Whether nothing more is to be begun.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Ends the work: a search after its step, the making of indexes at once, and a copy for a user before
  /// its next record. The containers of the work do not get new indexes any more.
  func stop() {
    let stores = state.withLock { state in
      state.isEnding = true
      return state.running.values
    }
    for store in stores { store.stopMakingIndexes() }
  }

  /// Ends the work, and waits for it. Containers can then be closed.
  package func end() {
    stop()
    group.wait()
  }

  /// Begins work on a container, and waits for its end for a moment.
  func begin(on store: ContainerStore, _ body: @escaping @Sendable () -> Void) {
    let number = state.withLock { state -> Int? in
      guard !state.isEnding else { return nil }
      state.last += 1
      state.running[state.last] = store
      group.enter()
      return state.last
    }
    guard let number else { return }
    let done = DispatchSemaphore(value: 0)
    // A queue of its own: the work holds up no other, and waits for none.
    DispatchQueue(label: "RecordPack.background", qos: .utility).async {
      body()
      self.state.withLock { $0.running[number] = nil }
      self.group.leave()
      done.signal()
    }
    _ = done.wait(timeout: .now() + Self.wait)
  }

  /// Makes indexes that a container does not have, or begins to.
  ///
  /// - Returns: whether the container has them.
  func make(_ missing: MissingIndex, in store: ContainerStore) throws -> Bool {
    if try store.makeAtOnce(missing, maxRecords: Self.maxRecords) { return true }
    let id = ObjectIdentifier(store)
    try make(store, on: store) {
      let result = Result { try store.make(missing) }
      if case .failure(let error) = result { self.state.withLock { $0.errors[id] = error } }
    }
    if let error = state.withLock({ $0.errors.removeValue(forKey: id) }) { throw error }
    return try store.has(missing)
  }

  /// Begins to make something of a thing unless that is going on, and waits for the end for a moment.
  ///
  /// - Throws: `ContainerStoreError` if nothing more is to be begun.
  func make(
    _ thing: AnyObject, on store: ContainerStore, _ body: @escaping @Sendable () -> Void
  ) throws {
    guard !isEnding else { throw ContainerStoreError.closed }
    let id = ObjectIdentifier(thing)
    guard state.withLock({ $0.making.insert(id).inserted }) else { return }
    begin(on: store) {
      body()
      self.state.withLock { _ = $0.making.remove(id) }
    }
  }
}

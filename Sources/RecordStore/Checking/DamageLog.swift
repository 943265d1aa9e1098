import Synchronization

/// The errors of rows that could not be read, and were left out; each once.
package final class DamageLog: Sendable {
  /// The number of errors that are kept.
  private static let limit = 1_000

  private struct State {
    var errors: [ContainerStoreError] = []
    var texts: Set<String> = []
    var count = 0
  }

  private let state = Mutex(State())

  package init() {}

  package func add(_ error: ContainerStoreError) {
    state.withLock { state in
      guard state.texts.count < Self.limit else { return state.count += 1 }
      guard state.texts.insert(error.description).inserted else { return }
      state.errors.append(error)
      state.count += 1
    }
  }

  /// The first errors.
  package var errors: [ContainerStoreError] { state.withLock { $0.errors } }

  /// The number of errors; more than there are, if many rows are damaged and read again.
  package var count: Int { state.withLock { $0.count } }
}

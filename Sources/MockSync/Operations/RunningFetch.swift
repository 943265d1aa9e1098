import CloudInterface
import Synchronization

/// A fetch that is running, which other calls can join.
final class RunningFetch: Sendable {
  private struct State {
    var result: Result<Void, any Error>?
    var waiting: [CheckedContinuation<Void, any Error>] = []
  }

  let scope: FetchChangesOptions.Scope
  private let state = Mutex(State())

  init(_ scope: FetchChangesOptions.Scope) { self.scope = scope }

  /// Waits for the end of the fetch.
  func result() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.waiting.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(with: result) }
    }
  }

  /// The number of calls that have joined.
  var joinedCount: Int { state.withLock { $0.waiting.count } }

  func end(_ result: Result<Void, any Error>) {
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(with: result) }
  }
}

import Synchronization

/// One task that waits until it is resumed or cancelled.
final class Suspension: Sendable {
  private let state = Mutex(State())

  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var result: Result<Void, any Error>?
  }

  /// Waits; returns at once if ``resume(with:)`` was called before.
  ///
  /// - Throws: the error with which the task is resumed; `CancellationError` if it is cancelled.
  func wait() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.continuation = continuation }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      resume(with: .failure(CancellationError()))
    }
  }

  /// Ends the wait.
  ///
  /// - Returns: false if it had ended before.
  @discardableResult
  func resume(with result: Result<Void, any Error> = .success(())) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      defer { state.continuation = nil }
      guard state.result == nil else {
        return (false, CheckedContinuation<Void, any Error>?.none)
      }
      state.result = result
      return (true, state.continuation)
    }
    continuation?.resume(with: result)
    return isFirst
  }
}

import Synchronization

/// Runs `body`, as long as it does something.
///
/// - Parameters:
///   - limit: the time without activity after which the result is nil. Time in which other tests have the
///     processor does not count, as long as the body has it now and then.
///   - maxActivity: how much the number may grow.
///   - activity: returns a greater number after each activity.
/// - Returns: nil if the body does nothing any more, or too much. It then goes on by itself: code of an app
///   that waits for ever cannot be ended.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, maxActivity: Int, activity: @escaping @Sendable () async -> Int,
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  let first = FirstResult<Value?>()
  let work = Task {
    do {
      first.resume(.success(try await body()))
    } catch {
      first.resume(.failure(error))
    }
  }
  let timer = Task.detached {
    let begin = await activity()
    var (last, idle) = (begin, 0)
    while idle < 10, last - begin <= maxActivity {
      try await Task.sleep(for: limit / 10)
      // Other tests may have the processor: the work gets as many turns as this task.
      for _ in 0..<100 { await Task.yield() }
      let now = await activity()
      (last, idle) = (now, now == last ? idle + 1 : 0)
    }
    work.cancel()
    first.resume(.success(nil))
  }
  defer { timer.cancel() }
  return try await withCheckedThrowingContinuation { first.wait($0) }
}

/// A continuation that the first of several tasks resumes.
private final class FirstResult<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value, any Error>)
    case result(Result<Value, any Error>)
    case resumed
  }

  private let state = Mutex(State.empty)

  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let result = state.withLock { state -> Result<Value, any Error>? in
      guard case .result(let result) = state else {
        state = .waiting(continuation)
        return nil
      }
      state = .resumed
      return result
    }
    if let result { continuation.resume(with: result) }
  }

  func resume(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .empty: state = .result(result)
      case .waiting(let continuation):
        state = .resumed
        return continuation
      case .result, .resumed: break
      }
      return nil
    }
    waiting?.resume(with: result)
  }
}

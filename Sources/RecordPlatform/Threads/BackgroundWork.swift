import Foundation

/// Work on a thread of its own, if the system has one, one piece at a time.
///
/// Use it from one thread.
package final class BackgroundWork: @unchecked Sendable {
  // Unchecked: `condition` protects the state.
  private let condition = NSCondition()
  private let name: String
  private var isRunning = false
  private var failure: (any Error)?

  /// - Parameter name: the name of the thread in debuggers.
  package init(name: String) { self.name = name }

  deinit { assert(!isRunning, "wait before the last reference goes") }

  /// Waits for the last piece of work, and starts the next.
  ///
  /// - Throws: the error of the last piece, without starting the next.
  package func start(_ work: @escaping @Sendable () throws -> Void) throws {
    try wait()
    condition.withLock { isRunning = true }
    let run = { @Sendable [self] in
      let result = Result { try work() }
      condition.withLock {
        if case .failure(let error) = result { failure = error }
        isRunning = false
        condition.broadcast()
      }
    }
    // If the system has no more threads, the caller's does the work.
    do { try WorkerThread.start(name: name, run) } catch { run() }
  }

  /// Waits for the last piece of work.
  ///
  /// - Throws: its error, once.
  package func wait() throws {
    let failure = condition.withLock {
      while isRunning { condition.wait() }
      defer { self.failure = nil }
      return self.failure
    }
    if let failure { throw failure }
  }
}

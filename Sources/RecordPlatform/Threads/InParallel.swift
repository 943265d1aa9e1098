import Dispatch
import Synchronization

/// Runs two closures at the same time, if a thread is free, and returns both results.
///
/// - Throws: the error of the first, or of the second.
package func inParallel<A: Sendable, B: Sendable>(
  _ first: @Sendable () throws -> A, _ second: @Sendable () throws -> B
) throws -> (A, B) {
  let one = Mutex<Result<A, any Error>?>(nil)
  let other = Mutex<Result<B, any Error>?>(nil)
  DispatchQueue.concurrentPerform(iterations: 2) { part in
    if part == 0 {
      let result = Result { try first() }
      one.withLock { $0 = result }
    } else {
      let result = Result { try second() }
      other.withLock { $0 = result }
    }
  }
  // Both parts have run.
  return (try one.withLock { $0 }!.get(), try other.withLock { $0 }!.get())
}

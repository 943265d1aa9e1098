import Foundation
import RecordPlatform
import Synchronization
import Testing

@Suite("A thread for work")
struct WorkerThreadTests {
  @Test("runs its work once, on another thread")
  func run() throws {
    let done = DispatchSemaphore(value: 0)
    let caller = Caller()
    let runs = Mutex<[Bool]>([])
    try WorkerThread.start(name: "recordpack.tests") {
      runs.withLock { $0.append(pthread_equal(pthread_self(), caller.thread) == 0) }
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 1200) == .success)
    #expect(runs.withLock { $0 } == [true])
  }
}

/// A number on Linux, a pointer on Apple's platforms.
private struct Caller: @unchecked Sendable {
  let thread = pthread_self()
}

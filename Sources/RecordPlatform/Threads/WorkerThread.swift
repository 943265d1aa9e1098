import Dispatch
import Foundation
import Synchronization

/// Starts threads.
package enum WorkerThread {
  /// Runs `body` on a new thread.
  ///
  /// `Thread` does not tell that the system has no more threads, so that its work would be waited for
  /// without end.
  ///
  /// - Parameters:
  ///   - name: the name in debuggers, on Apple's platforms.
  ///   - body: the work; the thread ends with it.
  /// - Throws: ``SystemError`` if no thread could be started; `body` is not called then.
  package static func start(
    name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Darwin gives secondary threads only 512 KiB, too little to parse deeply nested values.
    pthread_attr_setstacksize(&attributes, 4 << 20)
    let work = Unmanaged.passRetained(Work(name: name, body: body))
    #if canImport(Darwin)
      pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INITIATED, 0)
      var thread: pthread_t?
      let code = pthread_create(&thread, &attributes, { Work.run($0) }, work.toOpaque())
    #else
      var thread = pthread_t()
      let code = pthread_create(&thread, &attributes, { Work.run($0!) }, work.toOpaque())
    #endif
    guard code == 0 else {
      work.release()
      throw SystemError(code, "start a thread")
    }
  }

  /// The maximum number of threads for one task.
  package static let maxCount = 256

  /// The number of cores, at most eight: beyond that, the caller's thread is the bottleneck, and
  /// every thread costs buffers.
  package static let recommendedCount = max(
    1, min(8, ProcessInfo.processInfo.activeProcessorCount))
}

/// The work of a thread.
private final class Work: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  /// Runs and releases the work to which a pointer leads.
  static func run(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
    #if canImport(Darwin)
      pthread_setname_np(work.name)
      autoreleasepool { work.body() }
    #else
      work.body()
    #endif
    return nil
  }
}

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

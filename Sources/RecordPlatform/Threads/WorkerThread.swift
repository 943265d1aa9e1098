import Foundation

/// Starts threads.
package enum WorkerThread {
  /// Runs `body` on a new thread.
  /// - Parameters:
  ///   - name: the name in debuggers.
  ///   - body: the work; the thread ends with it.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    // Darwin gives secondary threads only 512 KiB, too little to parse deeply nested values.
    thread.stackSize = 4 << 20
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  /// The maximum number of threads for one task.
  package static let maxCount = 256

  /// The number of cores, at most eight: beyond that, the caller's thread is the bottleneck, and
  /// every thread costs buffers.
  package static let recommendedCount = max(
    1, min(8, ProcessInfo.processInfo.activeProcessorCount))
}

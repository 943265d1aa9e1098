import Foundation

/// Starts threads.
package enum WorkerThread {
  /// Runs `body` on a thread of its own.
  /// - Parameters:
  ///   - name: what debuggers show.
  ///   - body: what to do; the thread ends with it.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    // Darwin gives secondary threads only 512 KiB, little for a parser of nested values.
    thread.stackSize = 4 << 20
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  /// The most threads that are started for one task.
  package static let maxCount = 256

  /// As many threads as have a core of their own, up to eight: beyond that, the caller's side is
  /// the bottleneck, and every thread costs buffers.
  package static var recommendedCount: Int {
    max(1, min(8, ProcessInfo.processInfo.activeProcessorCount))
  }
}

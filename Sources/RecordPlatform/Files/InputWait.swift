import Foundation
import Synchronization

/// Reads from pipes and terminals, where a read may wait forever.
package enum InputWait {
  private static let isCancelled = Atomic(false)
  /// The interval at which a waiting read checks for cancellation, in milliseconds.
  private static let interval: Int32 = 100

  /// Ends all waiting reads, and all later ones, with a `CancellationError`. A program calls it
  /// when it handles a terminating signal.
  package static func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Opens a file or pipe for reading. On Linux, a pipe's writer is only awaited by
  /// ``read(_:into:)``.
  /// - Returns: the descriptor, or -1 with `errno` set.
  package static func open(_ path: String) -> Int32 {
    var flags = O_RDONLY | O_CLOEXEC
    #if os(Linux)
      // On other systems, a pipe without a writer would appear to be at its end.
      flags |= O_NONBLOCK
    #endif
    return SystemCall.retrying { Foundation.open(path, flags) }
  }

  /// Reads the available bytes, waiting for at least one; none at the end.
  ///
  /// - Returns: the number of bytes.
  /// - Throws: `CancellationError` after ``cancel()``, or the ``SystemError`` of the call.
  package static func read(
    _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isReady = SystemCall.retrying { poll(&waiting, 1, interval) }
      if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
      if isReady == 0 { continue }
      let count = SystemCall.retrying {
        Foundation.read(descriptor, bytes.baseAddress, bytes.count)
      }
      if count >= 0 { return count }
      if errno != EAGAIN { throw SystemError(errno, "read it") }
    }
  }
}

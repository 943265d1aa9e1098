import Foundation

/// Syncs a file to the disk while others write it, on a thread of its own, so that the last sync has
/// little left to wait for. Files that are smaller than ``step`` have nothing from it.
///
/// Does nothing on Apple's platforms, where only a flush of the drive's cache would help.
package final class PeriodicSync: @unchecked Sendable {
  // Unchecked: `condition` protects the state.
  private let condition = NSCondition()
  private let descriptor: Int32
  private var isEnding = false
  private var isRunning = false
  private var failure: Int32 = 0

  /// The number of bytes by which the file grows between two syncs.
  package static let step = 16 << 20

  /// Starts to sync; ``end()`` has to be called while the descriptor is open.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    #if os(Linux)
      isRunning = true
      // Without a thread, all is synced at the end.
      do { try WorkerThread.start(name: "recordpack.sync", run) } catch { isRunning = false }
    #endif
  }

  deinit { assert(!isRunning, "end before the last reference goes") }

  /// Waits for the last sync.
  ///
  /// - Throws: the first error of a sync. The system reports an error once, so that no later sync
  ///   would see it.
  package func end() throws {
    let failure = condition.withLock {
      isEnding = true
      condition.broadcast()
      while isRunning { condition.wait() }
      return self.failure
    }
    if failure != 0 { throw SystemError(failure, "sync it to the disk") }
  }

  #if os(Linux)
    private func run() {
      var synced = 0
      condition.lock()
      while !isEnding, failure == 0 {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
        var status = stat()
        guard !isEnding, fstat(descriptor, &status) == 0, Int(status.st_size) - synced >= Self.step
        else { continue }
        synced = Int(status.st_size)
        condition.unlock()
        let error = SystemCall.retrying { fdatasync(descriptor) } == 0 ? 0 : errno
        condition.lock()
        failure = error
      }
      isRunning = false
      condition.broadcast()
      condition.unlock()
    }
  #endif
}

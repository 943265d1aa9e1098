import RecordPlatform
import Synchronization

extension Archiver {
  /// Calls `work` with this archiver on a thread of its own, so that it does not block the
  /// cooperative thread pool, and returns the result.
  ///
  /// ```swift
  /// let summary = try await Archiver().perform { try $0.export(container, to: url) }
  /// ```
  ///
  /// - Throws: What `work` throws; `CancellationError` if the task is cancelled.
  public func perform<R: Sendable>(
    _ work: @escaping @Sendable (Archiver) throws -> R
  ) async throws -> R {
    let cancelled = CancellationFlag()
    var archiver = self
    let inner = progress
    archiver.progress = { progress in
      if cancelled.isSet { throw CancellationError() }
      try inner?(progress)
    }
    let ready = archiver
    return try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return try await withCheckedThrowingContinuation { continuation in
        do {
          try WorkerThread.start(name: "recordpack.archive") {
            continuation.resume(with: Result { try work(ready) })
          }
        } catch {
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      cancelled.set()
    }
  }
}

private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

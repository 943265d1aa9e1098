import Foundation
import MockCloud
import RecordBundle
import RecordPlatform
import Synchronization

extension Archiver {
  /// Exports a container; see ``export(_:to:mustNotExist:)``. Called off with its task.
  public func export(
    _ container: MockContainer, to path: String, mustNotExist: Bool = false
  ) async throws -> BundleSummary {
    try await onThread { try $0.export(container, to: path, mustNotExist: mustNotExist) }
  }

  /// Imports a bundle; see ``importBundle(_:into:)``. Called off with its task.
  public func importBundle(
    _ bundle: BundleReader, into container: MockContainer
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundle(bundle, into: container) }
  }

  /// Imports a bundle; see ``importBundle(_:creating:)``. Called off with its task.
  public func importBundle(
    _ bundle: BundleReader, creating path: String
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundle(bundle, creating: path) }
  }

  /// Runs blocking work on a thread of its own, so that it does not hold up the pool of tasks.
  private func onThread<R: Sendable>(
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
        WorkerThread.start(name: "recordpack.archive") {
          continuation.resume(with: Result { try work(ready) })
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

import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform
import Synchronization

extension Archiver {
  /// Exports a container; see ``export(_:to:mustNotExist:)``. Ends when its task is cancelled.
  public func export(
    _ container: MockContainer, to path: String, mustNotExist: Bool = false
  ) async throws -> BundleSummary {
    try await onThread { try $0.export(container, to: path, mustNotExist: mustNotExist) }
  }

  /// Imports a bundle; see ``importBundle(_:into:)``. Ends when its task is cancelled.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, into container: MockContainer
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundle(bundle, into: container) }
  }

  /// Imports a bundle; see ``importBundle(_:creating:)``. Ends when its task is cancelled.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, creating path: String
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundle(bundle, creating: path) }
  }

  /// Imports several bundles; see ``importBundles(_:into:)``. Ends when its task is cancelled.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], into container: MockContainer
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundles(bundles, into: container) }
  }

  /// Imports several bundles; see ``importBundles(_:creating:)``. Ends when its task is cancelled.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], creating path: String
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundles(bundles, creating: path) }
  }

  /// Imports responses; see ``importResponses(_:database:into:)``. Ends when its task is
  /// cancelled.
  @discardableResult
  public func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, into container: MockContainer
  ) async throws -> ImportReport {
    try await onThread {
      try $0.importResponses(sources, database: database, into: container)
    }
  }

  /// Imports responses; see ``importResponses(_:database:creating:)``. Ends when its task is
  /// cancelled.
  @discardableResult
  public func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, creating path: String
  ) async throws -> ImportReport {
    try await onThread { try $0.importResponses(sources, database: database, creating: path) }
  }

  /// Writes a response; see ``exportResponse(_:as:to:mustNotExist:)``. Ends when its task is
  /// cancelled.
  @discardableResult
  public func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices, to path: String,
    mustNotExist: Bool = false
  ) async throws -> ExportedResponse {
    try await onThread {
      try $0.exportResponse(source, as: dialect, to: path, mustNotExist: mustNotExist)
    }
  }

  /// Writes a response; see ``exportResponse(_:as:output:)``. Ends when its task is cancelled.
  ///
  /// - Parameter output: called on another thread.
  @discardableResult
  public func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices,
    output: @escaping @Sendable (Data) throws -> Void
  ) async throws -> ExportedResponse {
    try await onThread { try $0.exportResponse(source, as: dialect, output: output) }
  }

  /// Imports bundles of several schema versions; see ``importBundles(_:into:)``. Ends when its task
  /// is cancelled.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], into container: MockContainer
  ) async throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try await onThread { try $0.importBundles(sources, into: container) }
  }

  /// Imports bundles of several schema versions; see ``importBundles(_:creating:)``. Ends when its
  /// task is cancelled.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], creating path: String
  ) async throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try await onThread { try $0.importBundles(sources, creating: path) }
  }

  /// Migrates into a bundle; see ``migrate(_:with:to:mustNotExist:)``. Ends when its task is
  /// cancelled.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to path: String, mustNotExist: Bool = false
  ) async throws -> (summary: BundleSummary, report: MigrationReport) {
    try await onThread {
      try $0.migrate(source, with: migrator, to: path, mustNotExist: mustNotExist)
    }
  }

  /// Migrates into a new container file; see ``migrate(_:with:creating:)``. Ends when its task is
  /// cancelled.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating path: String
  ) async throws -> (imported: ImportReport, report: MigrationReport) {
    try await onThread { try $0.migrate(source, with: migrator, creating: path) }
  }

  /// Migrates into a container; see ``migrate(_:with:into:)``. Ends when its task is cancelled.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, into container: MockContainer
  ) async throws -> (imported: ImportReport, report: MigrationReport) {
    try await onThread { try $0.migrate(source, with: migrator, into: container) }
  }

  /// Migrates a container in its place; see ``migrate(inPlace:with:)``. Ends when its task is
  /// cancelled.
  public func migrate(
    inPlace container: MockContainer, with migrator: Migrator
  ) async throws -> MigrationReport {
    try await onThread { try $0.migrate(inPlace: container, with: migrator) }
  }

  /// Finds out what a migration would do; see ``dryRun(_:with:)``. Ends when its task is cancelled.
  public func dryRun(
    _ source: ArchiveSource, with migrator: Migrator
  ) async throws -> MigrationReport {
    try await onThread { try $0.dryRun(source, with: migrator) }
  }

  /// Runs blocking work on a thread of its own, so that it does not hold up the pool of tasks.
  func onThread<R: Sendable>(
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

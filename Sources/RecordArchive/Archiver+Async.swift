import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform
import Synchronization

extension Archiver {
  /// Asynchronously exports a container; see ``export(_:to:mustNotExist:)``.
  public func export(
    _ container: MockContainer, to path: String, mustNotExist: Bool = false
  ) async throws -> BundleSummary {
    try await onThread { try $0.export(container, to: path, mustNotExist: mustNotExist) }
  }

  /// Asynchronously imports a bundle; see ``importBundle(_:into:)``.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, into container: MockContainer
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundle(bundle, into: container) }
  }

  /// Asynchronously imports a bundle; see ``importBundle(_:creating:)``.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, creating path: String
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundle(bundle, creating: path) }
  }

  /// Asynchronously imports bundles; see ``importBundles(_:into:)``.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], into container: MockContainer
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundles(bundles, into: container) }
  }

  /// Asynchronously imports bundles; see ``importBundles(_:creating:)``.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], creating path: String
  ) async throws -> ImportReport {
    try await onThread { try $0.importBundles(bundles, creating: path) }
  }

  /// Asynchronously imports responses; see ``importResponses(_:database:into:)``.
  @discardableResult
  public func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, into container: MockContainer
  ) async throws -> ImportReport {
    try await onThread {
      try $0.importResponses(sources, database: database, into: container)
    }
  }

  /// Asynchronously imports responses; see ``importResponses(_:database:creating:)``.
  @discardableResult
  public func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, creating path: String
  ) async throws -> ImportReport {
    try await onThread { try $0.importResponses(sources, database: database, creating: path) }
  }

  /// Asynchronously writes a response; see ``exportResponse(_:as:to:mustNotExist:)``.
  @discardableResult
  public func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices, to path: String,
    mustNotExist: Bool = false
  ) async throws -> ExportedResponse {
    try await onThread {
      try $0.exportResponse(source, as: dialect, to: path, mustNotExist: mustNotExist)
    }
  }

  /// Asynchronously writes a response; see `exportResponse(_:as:output:)`. Calls `output` on another
  /// thread.
  @discardableResult
  public func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices,
    output: @escaping @Sendable (Data) throws -> Void
  ) async throws -> ExportedResponse {
    try await onThread { try $0.exportResponse(source, as: dialect, output: output) }
  }

  /// Asynchronously imports bundles of several schema versions; see ``importBundles(_:into:)``.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], into container: MockContainer
  ) async throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try await onThread { try $0.importBundles(sources, into: container) }
  }

  /// Asynchronously imports bundles of several schema versions; see ``importBundles(_:creating:)``.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], creating path: String
  ) async throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try await onThread { try $0.importBundles(sources, creating: path) }
  }

  /// Asynchronously migrates into a bundle; see ``migrate(_:with:to:mustNotExist:)``.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to path: String, mustNotExist: Bool = false
  ) async throws -> (summary: BundleSummary, report: MigrationReport) {
    try await onThread {
      try $0.migrate(source, with: migrator, to: path, mustNotExist: mustNotExist)
    }
  }

  /// Asynchronously migrates into a new container file; see ``migrate(_:with:creating:)``.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating path: String
  ) async throws -> (imported: ImportReport, report: MigrationReport) {
    try await onThread { try $0.migrate(source, with: migrator, creating: path) }
  }

  /// Asynchronously migrates into a container; see ``migrate(_:with:into:)``.
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, into container: MockContainer
  ) async throws -> (imported: ImportReport, report: MigrationReport) {
    try await onThread { try $0.migrate(source, with: migrator, into: container) }
  }

  /// Asynchronously migrates a container in place; see ``migrate(inPlace:with:)``.
  public func migrate(
    inPlace container: MockContainer, with migrator: Migrator
  ) async throws -> MigrationReport {
    try await onThread { try $0.migrate(inPlace: container, with: migrator) }
  }

  /// Asynchronously reports what a migration would do; see ``dryRun(_:with:)``.
  public func dryRun(
    _ source: ArchiveSource, with migrator: Migrator
  ) async throws -> MigrationReport {
    try await onThread { try $0.dryRun(source, with: migrator) }
  }

  /// Runs blocking work on its own thread, so that it does not block the cooperative thread pool.
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

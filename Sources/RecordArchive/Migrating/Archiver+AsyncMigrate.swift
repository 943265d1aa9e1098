import MockCloud
import RecordBundle
import RecordMigration

extension Archiver {
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
}

import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform

/// The methods that take a path, with a file URL instead.
extension Archiver {
  /// Exports to a file; see the method that takes a path.
  @discardableResult
  public func export(
    _ container: MockContainer, to url: URL, overwrite: Bool = true
  ) throws -> BundleSummary {
    try export(container, to: url.filePath(), overwrite: overwrite)
  }

  /// Imports a bundle into a new container file.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, creating url: URL
  ) throws -> ImportReport {
    try importBundle(bundle, creating: url.filePath())
  }

  /// Asynchronously exports to a file.
  @discardableResult
  public func export(
    _ container: MockContainer, to url: URL, overwrite: Bool = true
  ) async throws -> BundleSummary {
    try await export(container, to: url.filePath(), overwrite: overwrite)
  }

  /// Asynchronously imports a bundle into a new container file.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, creating url: URL
  ) async throws -> ImportReport {
    try await importBundle(bundle, creating: url.filePath())
  }

  /// Imports several bundles into a new container file.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], creating url: URL
  ) throws -> ImportReport {
    try importBundles(bundles, creating: url.filePath())
  }

  /// Imports several bundles into a new container file, migrating each.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], creating url: URL
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try importBundles(sources, creating: url.filePath())
  }

  /// Imports responses into a new container file.
  @discardableResult
  public func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, creating url: URL
  ) throws -> ImportReport {
    try importResponses(sources, database: database, creating: url.filePath())
  }

  /// Migrates into a new bundle.
  @discardableResult
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to url: URL, overwrite: Bool = true
  ) throws -> (summary: BundleSummary, report: MigrationReport) {
    try migrate(source, with: migrator, to: url.filePath(), overwrite: overwrite)
  }

  /// Migrates into a new container file.
  @discardableResult
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating url: URL
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    try migrate(source, with: migrator, creating: url.filePath())
  }
}

extension ArchiveSource {
  /// Opens a container or a bundle.
  ///
  /// - Parameter urls: One file, or the files of one split bundle.
  public static func open(_ urls: [URL]) throws -> ArchiveSource {
    try open(urls.map { try $0.filePath() })
  }
}

extension Archiver.ResponseSource {
  /// Creates a source that reads a file.
  public init(url: URL, dialect: ResponseDialect = .webServices) throws {
    try self.init(path: url.filePath(), dialect: dialect)
  }
}

import Foundation
import RecordStore
import RecordBundle
import RecordCoding
import RecordMigration
import RecordPlatform

// MARK: Export

extension Archiver {
  /// Exports a container, or the part that passes ``filter``, to a bundle.
  ///
  /// The export reads a snapshot of the container; saves during the export do not change it. The
  /// bundle includes the assets of the exported records.
  ///
  /// - Parameters:
  ///   - container: The container.
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Returns: A summary of the bundle.
  /// - Throws: The errors of ``run(from:through:into:)``. An existing file is then unchanged, and no
  ///   new one appears.
  @discardableResult
  public func export(
    _ container: some StoredContainer, to path: String, overwrite: Bool = true
  ) throws -> BundleSummary {
    try run(from: [.container(container.store)], into: .bundle(path: path, overwrite: overwrite))
      .bundle
  }

  /// Exports a container to a bundle at a file URL.
  @discardableResult
  public func export(
    _ container: some StoredContainer, to url: URL, overwrite: Bool = true
  ) throws -> BundleSummary {
    try export(container, to: url.filePath(), overwrite: overwrite)
  }
}

// MARK: Responses

extension Archiver {
  /// Writes the records of a bundle or container as one response, without the bytes of assets.
  ///
  /// ```swift
  /// let exported = try archiver.exportResponse(of: source, as: .canopy) { data in
  ///   try file.write(contentsOf: data)
  /// }
  /// for loss in exported.losses.clauses { print(loss) }
  /// ```
  ///
  /// - Parameters:
  ///   - source: The bundle or container.
  ///   - dialect: The dialect of the response.
  ///   - output: Called with each piece of the text.
  /// - Returns: The number of records, and what the dialect cannot express.
  @discardableResult
  public func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices,
    output: @escaping (Data) throws -> Void
  ) throws -> ExportedResponse {
    try run(from: [source], into: .responseText(dialect, output)).response
  }
}

// MARK: Import

extension Archiver {
  /// Imports a bundle, or the part that passes ``filter``, into a container, in one transaction.
  ///
  /// - Returns: The counts of the import.
  /// - Throws: The errors of ``run(from:through:into:)``. The container is then unchanged.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, into container: some StoredContainer
  ) throws -> ImportReport {
    try importBundles([bundle], into: container)
  }

  /// Imports a bundle into a new container file.
  ///
  /// - Parameters:
  ///   - bundle: The bundle.
  ///   - path: The path of the container, where no file may exist.
  /// - Throws: The errors of ``run(from:through:into:)``. No file is created then.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, creating path: String
  ) throws -> ImportReport {
    try importBundles([bundle], creating: path)
  }

  /// Imports a bundle into a new container at a file URL.
  @discardableResult
  public func importBundle(_ bundle: BundleReader, creating url: URL) throws -> ImportReport {
    try importBundle(bundle, creating: url.filePath())
  }

  /// Imports several bundles into a container, in one transaction.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], into container: some StoredContainer
  ) throws -> ImportReport {
    try run(from: bundles.map(ArchiveSource.bundle), into: .container(container.store)).imported
  }

  /// Imports several bundles into a new container file.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], creating path: String
  ) throws -> ImportReport {
    try run(from: bundles.map(ArchiveSource.bundle), into: .newContainer(path: path)).imported
  }
}

// MARK: Migrate

extension Archiver {
  /// Migrates a bundle or container to a new bundle.
  ///
  /// The source's schema is checked first, and each result against the target schema. Memory is
  /// bounded by batches, and by the number of records that are renamed or moved to another zone
  /// (about 100 bytes each).
  ///
  /// - Parameters:
  ///   - source: The bundle or container.
  ///   - migrator: The migrations.
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Returns: A summary of the bundle, and the report of each step.
  @discardableResult
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to path: String, overwrite: Bool = true
  ) throws -> (summary: BundleSummary, report: MigrationReport) {
    let result = try run(
      from: [source], through: [.migrate(with: migrator)],
      into: .bundle(path: path, overwrite: overwrite))
    return (result.bundle, result.report(of: migrator))
  }

  /// Migrates a bundle or container to a new bundle at a file URL.
  @discardableResult
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, to url: URL, overwrite: Bool = true
  ) throws -> (summary: BundleSummary, report: MigrationReport) {
    try migrate(source, with: migrator, to: url.filePath(), overwrite: overwrite)
  }

  /// Migrates a bundle or container to a new container file.
  ///
  /// - Parameters:
  ///   - source: The bundle or container.
  ///   - migrator: The migrations.
  ///   - path: The path of the container, where no file may exist.
  @discardableResult
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating path: String
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    try migrate(source, with: migrator, into: .newContainer(path: path))
  }

  /// Migrates a bundle or container to a new container at a file URL.
  @discardableResult
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, creating url: URL
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    try migrate(source, with: migrator, creating: url.filePath())
  }

  /// Migrates a bundle or container, and imports the results into a container in one transaction.
  @discardableResult
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, into container: some StoredContainer
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    try migrate(source, with: migrator, into: .container(container.store))
  }

  private func migrate(
    _ source: ArchiveSource, with migrator: Migrator, into destination: ArchiveDestination
  ) throws -> (imported: ImportReport, report: MigrationReport) {
    let result = try run(from: [source], through: [.migrate(with: migrator)], into: destination)
    return (result.imported, result.report(of: migrator))
  }
}

extension ArchiveResult {
  fileprivate func report(of migrator: Migrator) -> MigrationReport {
    migrations.first.flatMap(\.self) ?? migrator.emptyReport()
  }
}

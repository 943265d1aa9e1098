import RecordStore
import RecordBundle
import RecordMigration

extension Archiver {
  /// Reads records, and everything that belongs to them, from sources, and writes them to a
  /// destination.
  ///
  /// ```swift
  /// let result = try Archiver().run(
  ///   from: [.bundle(try BundleReader(path: "Old.recordpack"))],
  ///   through: [.migrate(with: migrator), .validate(.init())],
  ///   into: .newContainer(path: "New.sqlite"))
  /// print(result.imported.added, "records")
  /// ```
  ///
  /// Each source is read as it is at the start. A record that occurs twice, or exists in the
  /// destination, with equal bytes is written once. ``filter`` applies to the sources, before all
  /// stages; ``conflictPolicy`` applies to their results. Info that a container lacks is set from
  /// the first source that has it.
  ///
  /// Several sources for one bundle or response are first merged in a temporary container. If a
  /// migration renames or moves records, references to them are updated in all sources with the
  /// same migration.
  ///
  /// - Throws: ``ImportError`` for a conflict under the policy `.fail`; ``ExportError``;
  ///   ``RecordValidationError``; `MigrationError`, also if the sources would not end in the same
  ///   schema version or two records of a source would get the same name; `BundleError`,
  ///   `FrameError` and `ContainerStoreError`; what ``progress`` throws. An existing destination is
  ///   then unchanged, and no new one appears.
  @discardableResult
  public func run(
    from sources: [ArchiveSource], through stages: [ArchiveStage] = [],
    into destination: ArchiveDestination
  ) throws -> ArchiveResult {
    if let result = try runTransform(from: sources, through: stages, into: destination) {
      return result
    }
    var result = try ArchiveRun(self, sources, stages).run(into: destination)
    for case .responses(let responses) in sources { result.responseErrors += responses.errors }
    return result
  }
}

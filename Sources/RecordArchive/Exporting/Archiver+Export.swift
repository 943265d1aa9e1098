import MockCloud
import RecordBundle
import RecordModel
import RecordSchema

extension Archiver {
  /// Exports a container, or the part that passes ``filter``, to a bundle.
  ///
  /// The export reads a snapshot of the container; saves during the export do not change it. The
  /// bundle includes the assets of the exported records.
  ///
  /// - Parameters:
  ///   - container: The container to export.
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - mustNotExist: Whether to throw if the file exists.
  /// - Returns: A summary of the bundle.
  /// - Throws: `MockContainerError`, `FrameError`, ``RecordValidationError``, or what ``progress``
  ///   throws. An existing file is then unchanged, and no new one appears.
  @discardableResult
  public func export(
    _ container: MockContainer, to path: String, mustNotExist: Bool = false
  ) throws -> BundleSummary {
    try container.snapshot { snapshot in
      let reader = ArchiveReader(snapshot, of: container)
      return try BundleExport(
        self, reader, .copied(snapshot), info: validated(reader), to: path,
        mustNotExist: mustNotExist
      ).run()
    }
  }

  /// Validates the records to export. Returns the info for the bundle, with the schema grown in
  /// development.
  private func validated(_ reader: ArchiveReader) throws -> ContainerInfo {
    var info = try reader.info()
    guard let validation else { return info }
    let source = info.identifier ?? "the container"
    let census = try reader.census(RecordCensus(source: source), filter, threads, progress)
    let outcome = try validation.check(census, embedded: info.schemaDocument(of: source))
    if let growth = outcome.growth { info.schema = SchemaPrinter().print(growth.schema) }
    return info
  }
}

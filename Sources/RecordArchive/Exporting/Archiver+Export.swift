import MockCloud
import RecordBundle
import RecordModel
import RecordSchema

extension Archiver {
  /// Exports a container, or the part that ``filter`` lets pass, as a bundle.
  ///
  /// The container is read as it is when the export begins, whatever is saved meanwhile. Assets
  /// that the exported records hold come with them.
  ///
  /// - Parameters:
  ///   - path: where the bundle will lie; `-` is standard output.
  ///   - mustNotExist: refuse to replace an existing file.
  /// - Returns: what was written.
  /// - Throws: `MockContainerError`, `FrameError`, ``RecordValidationError``, or what ``progress`` throws.
  ///   Nothing stands under the bundle's name then that was not there before.
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

  /// Holds what is to be exported against the schema, before anything is written; what is known of
  /// the container then, with the schema grown in development.
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

import MockCloud
import RecordBundle

extension Archiver {
  /// Imports several bundles into a container, in one transaction; see
  /// ``importBundle(_:into:)``.
  ///
  /// What the first bundle says of the container counts, where the container does not say it.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], into container: MockContainer
  ) throws -> ImportReport {
    try transaction(into: container) { try fill($0, from: bundles) }
  }

  /// Imports several bundles into a new container file.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], creating path: String
  ) throws -> ImportReport {
    guard let first = bundles.first else {
      throw BundleError(.notFound, in: path, "no bundle was named")
    }
    return try build(path, first.container) { try fill($0, from: bundles) }
  }

  private func fill(_ target: ContainerImport, from bundles: [BundleReader]) throws {
    let totalBytes = bundles.reduce(0) { $0 + $1.indexes.reduce(0) { $0 + $1.bytes } }
    let totalRecords = filter == .all ? bundles.reduce(0) { $0 + $1.recordCount } : nil
    var (records, bytes) = (0, 0)
    for bundle in bundles {
      var archiver = self
      if let report = progress {
        // Each bundle reports its own progress; what came before is added.
        archiver.progress = { [records, bytes] progress in
          try report(
            ArchiveProgress(
              records: records + progress.records, totalRecords: totalRecords,
              bytes: bytes + progress.bytes, totalBytes: totalBytes))
        }
      }
      try archiver.fill(target, from: bundle)
      records += bundle.recordCount
      bytes += bundle.indexes.reduce(0) { $0 + $1.bytes }
    }
  }
}

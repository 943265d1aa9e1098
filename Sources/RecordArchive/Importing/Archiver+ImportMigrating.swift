import MockCloud
import RecordBundle
import RecordMigration
import RecordModel

extension Archiver {
  /// A bundle, and what carries its records to the schema version they are imported in.
  public struct MigratedBundle: Sendable {
    /// The bundle.
    public var bundle: BundleReader
    /// The migrations; nil where the bundle has that version already.
    public var migrator: Migrator?

    /// Makes a source.
    public init(_ bundle: BundleReader, with migrator: Migrator?) {
      self.bundle = bundle
      self.migrator = migrator
    }
  }

  /// Imports bundles of several schema versions into a container, in one transaction: all of them
  /// or nothing.
  ///
  /// Where a migration gives records other names or zones, references to them follow in all bundles
  /// that take the same migration. The ``filter`` is about records as they are in the bundles; the
  /// ``conflictPolicy`` and the ``validation`` are about what they become.
  ///
  /// - Returns: what was imported, and what the migrations of each bundle have done.
  /// - Throws: `MigrationError`, also where the bundles do not come out in one version and where two
  ///   records of a bundle would get one name; else as ``importBundle(_:into:)``.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], into container: MockContainer
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    let plan = try MigratingImport(self, sources)
    var reports: [MigrationReport?] = []
    let imported = try transaction(into: container) { reports = try plan.fill($0) }
    return (imported, reports)
  }

  /// Imports bundles of several schema versions into a new container file.
  ///
  /// - Parameter path: where the container will lie; nothing may lie there.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], creating path: String
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    let plan = try MigratingImport(self, sources)
    var reports: [MigrationReport?] = []
    let imported = try build(path, plan.info) { reports = try plan.fill($0) }
    return (imported, reports)
  }
}

/// The import of bundles that are brought to one schema version on the way.
private struct MigratingImport {
  private let archiver: Archiver
  private let parts: [(bundle: BundleReader, job: MigrationJob?)]
  /// What migrations need on the disk, as long as they run.
  private let folders: [TemporaryFolder]
  /// What the container says about itself afterwards, where it does not say so now.
  let info: ContainerInfo

  init(_ archiver: Archiver, _ sources: [Archiver.MigratedBundle]) throws {
    self.archiver = archiver
    guard let first = sources.first else {
      throw BundleError(.notFound, in: "the sources", "no bundle was named")
    }
    try Self.checkVersions(sources)
    var jobs: [MigrationJob] = []
    var folders: [TemporaryFolder] = []
    let leftBehind = LeftBehind()
    for source in sources {
      guard let migrator = source.migrator else { continue }
      let folder = try TemporaryFolder()
      var job = MigrationJob(source.bundle, migrator, archiver)
      job.leftBehind = leftBehind
      try job.checkSource()
      job.environment = try archiver.environment(for: source.bundle, migrator, in: folder)
      jobs.append(job)
      folders.append(folder)
    }
    try MigrationJob.findIdentities(&jobs)
    var rest = jobs[...]
    parts = sources.map { ($0.bundle, $0.migrator == nil ? nil : rest.popFirst()) }
    self.folders = folders
    info = first.migrator?.migrated(first.bundle.container) ?? first.bundle.container
  }

  /// Records of two schema versions do not belong into one container.
  private static func checkVersions(_ sources: [Archiver.MigratedBundle]) throws {
    var known: (version: String, name: String)?
    for source in sources {
      guard
        let version = source.migrator?.migrations.last?.to ?? source.bundle.container.schemaVersion
      else { continue }
      let name = source.bundle.fileNames.first ?? "a bundle"
      if let known, !MigrationJob.isSame(known.version, version) {
        throw MigrationError.invalid(
          "'\(known.name)' would be imported in the schema version '\(known.version)', and '\(name)' "
            + "in '\(version)'. Nothing was written")
      }
      known = known ?? (version, name)
    }
  }

  func fill(_ target: ContainerImport) throws -> [MigrationReport?] {
    let totalBytes = parts.reduce(0) { $0 + $1.bundle.lineBytes }
    let totalRecords =
      archiver.filter == .all ? parts.reduce(0) { $0 + $1.bundle.recordCount } : nil
    var (records, bytes) = (0, 0)
    var reports: [MigrationReport?] = []
    for (bundle, job) in parts {
      var archiver = archiver
      if let report = self.archiver.progress {
        archiver.progress = { [records, bytes] progress in
          try report(
            ArchiveProgress(
              records: records + progress.records, totalRecords: totalRecords,
              bytes: bytes + progress.bytes, totalBytes: totalBytes))
        }
      }
      if let job {
        reports.append(try archiver.fill(target, migrating: job))
      } else {
        try archiver.fill(target, from: bundle)
        reports.append(nil)
      }
      records += bundle.recordCount
      bytes += bundle.lineBytes
    }
    for (index, part) in parts.enumerated() {
      guard let job = part.job else { continue }
      reports[index]?.danglingReferences = try job.danglingReferences()
    }
    return reports
  }
}

extension BundleReader {
  /// Bytes of the lines of all files.
  fileprivate var lineBytes: Int { indexes.reduce(0) { $0 + $1.bytes } }
}

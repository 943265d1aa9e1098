import RecordBundle
import RecordMigration
import RecordModel
import RecordPlatform
import RecordStore
import Synchronization

/// Moves records between bundles, containers and responses, and migrates and validates them.
///
/// ```swift
/// let archiver = Archiver()
/// try archiver.export(container, to: "Tact.recordpack")
/// try archiver.importBundle(BundleReader(path: "Tact.recordpack"), creating: "copy.sqlite")
/// ```
///
/// These are short forms of ``run(from:through:into:)``, which takes any source, stages and
/// destination. Each method blocks until it is done; in a task, call it in ``perform(_:)``. Memory
/// use depends on the size of a batch of records, not on the size of the container.
public struct Archiver: Sendable {
  /// How an import handles a record, zone or subscription that exists with other content.
  public enum ConflictPolicy: String, Sendable, Hashable, CaseIterable {
    /// The import fails, and the error names both sides.
    case fail
    /// The existing item is kept.
    case keep
    /// The incoming item replaces the existing one; an incoming deletion deletes it.
    case replace
  }

  /// The records and other items that are read from the sources.
  public var filter = RecordFilter.all
  /// The condition that the records of the sources must meet, beside ``filter``; nil for none. Deleted
  /// records, which have no values, do not meet any.
  package var condition: ArchiveCondition?
  /// Whether values that an app's store requires and records lack are those of its own objects.
  package var takesValuesOfStore = false
  /// The options of written bundles.
  public var bundleOptions = BundleWriter.Options()
  /// How an import handles conflicts.
  public var conflictPolicy = ConflictPolicy.fail
  /// The number of threads that compress, decompress, check and migrate. The caller's, which reads or
  /// writes the container, is one of them. The same value as in ``bundleOptions``.
  public var threads: Int {
    get { bundleOptions.threads }
    set { bundleOptions.threads = newValue }
  }
  /// Called periodically on the working thread. If it throws, the call ends with that error and
  /// changes nothing.
  public var progress: (@Sendable (ArchiveProgress) throws -> Void)?

  /// Creates an archiver for all content, with the default options.
  public init() {}

  func report(_ progress: @autoclosure () -> ArchiveProgress) throws {
    guard let report = self.progress else { return }
    try report(progress())
  }

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
  /// - Throws: ``ArchiveError``; `MigrationError`, even if each record can be migrated: the sources
  ///   would not end in the same schema version, or two records of a source would get the same name;
  ///   `BundleError` and `ContainerStoreError`; the error of ``progress``. An existing destination is
  ///   then unchanged, and no new one appears.
  @discardableResult
  public func run(
    from sources: [ArchiveSource], through stages: [ArchiveStage] = [],
    into destination: ArchiveDestination
  ) throws -> ArchiveResult {
    if let result = try runCondition(from: sources, through: stages, into: destination) {
      return result
    }
    if let result = try runTransform(from: sources, through: stages, into: destination) {
      return result
    }
    var result = try ArchiveRun(self, sources, stages).run(into: destination)
    for case .responses(let responses) in sources {
      result.responseErrors += responses.errors
      result.users = responses.users
    }
    return result
  }

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

  /// Imports a bundle, or the part that passes ``filter``, into a container, in one transaction.
  ///
  /// - Returns: The counts of the import.
  /// - Throws: The errors of ``run(from:through:into:)``. The container is then unchanged.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, into container: some StoredContainer
  ) throws -> ImportReport {
    try run(from: [.bundle(bundle)], into: .container(container.store)).imported
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
    try run(from: [.bundle(bundle)], into: .newContainer(path: path)).imported
  }

  /// Migrates a bundle or container.
  ///
  /// The source's schema is checked first, and each result against the target schema. Memory is
  /// bounded by batches, and by the number of records that are renamed or moved to another zone
  /// (about 100 bytes each).
  ///
  /// - Parameters:
  ///   - source: The bundle or container.
  ///   - migrator: The migrations.
  ///   - destination: The new bundle or container, or an existing container.
  /// - Returns: The result, and the report of each step.
  @discardableResult
  public func migrate(
    _ source: ArchiveSource, with migrator: Migrator, into destination: ArchiveDestination
  ) throws -> (result: ArchiveResult, report: MigrationReport) {
    let result = try run(from: [source], through: [.migrate(with: migrator)], into: destination)
    return (result, result.migrations.first.flatMap(\.self) ?? migrator.emptyReport())
  }

  /// Calls `work` with this archiver on a thread of its own, so that it does not block the
  /// cooperative thread pool, and returns the result.
  ///
  /// ```swift
  /// let summary = try await Archiver().perform { try $0.export(container, to: "Tact.recordpack") }
  /// ```
  ///
  /// - Throws: The error of `work`; `CancellationError` if the task is cancelled.
  public func perform<R: Sendable>(
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
        do {
          try WorkerThread.start(name: "recordpack.archive") {
            continuation.resume(with: Result { try work(ready) })
          }
        } catch {
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      cancelled.set()
    }
  }
}

/// Decides whether a record is included. Called on several threads at a time.
package typealias ArchiveCondition = @Sendable (ResultRecord, DatabaseScope) throws -> Bool

/// The progress of an export, import or migration.
public struct ArchiveProgress: Sendable, Hashable {
  /// The number of records processed.
  public var records: Int
  /// The number of records to process; nil if it is not known in advance.
  public var totalRecords: Int?
  /// The number of bytes of lines processed.
  public var bytes: Int
  /// The number of bytes of lines to process; nil if it is not known in advance.
  public var totalBytes: Int?

  package init(records: Int, totalRecords: Int? = nil, bytes: Int, totalBytes: Int? = nil) {
    self.records = records
    self.totalRecords = totalRecords
    self.bytes = bytes
    self.totalBytes = totalBytes
  }

  /// The part that is done, from 0 to 1; nil if the total is not known.
  public var fraction: Double? {
    if let totalBytes, totalBytes > 0 { return min(1, Double(bytes) / Double(totalBytes)) }
    guard let totalRecords, totalRecords > 0 else { return nil }
    return min(1, Double(records) / Double(totalRecords))
  }
}

private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

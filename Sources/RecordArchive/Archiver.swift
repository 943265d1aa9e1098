import RecordStore
import RecordBundle
import RecordModel

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
}

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

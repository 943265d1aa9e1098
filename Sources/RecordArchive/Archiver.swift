import MockCloud
import RecordBundle
import RecordModel

/// Carries containers to bundles and back.
///
/// ```swift
/// let archiver = Archiver()
/// try archiver.export(container, to: "Tact.recordpack")
/// try archiver.importBundle(BundleReader(path: "Tact.recordpack"), creating: "copy.sqlite")
/// ```
///
/// Each call blocks until it is done, and has an `async` overload that runs on a thread of its own
/// and ends when its task is cancelled.
/// Memory is bounded by batches of records, not by containers.
public struct Archiver: Sendable {
  /// What an import does about a record, zone or subscription that is there already with another
  /// content.
  public enum ConflictPolicy: String, Sendable, Hashable, CaseIterable {
    /// Nothing is imported, and the error names both sides.
    case fail
    /// What is there stays.
    case keep
    /// What comes takes its place; what comes as deleted is deleted.
    case replace
  }

  /// Which part is exported or imported.
  public var filter = RecordFilter.all
  /// Whether an import of responses fails where no response has a zone or record type of ``filter``.
  public var requiresSelected = false
  /// How bundles are written.
  public var bundleOptions = BundleWriter.Options()
  /// What is done about conflicts.
  public var conflictPolicy = ConflictPolicy.fail
  /// How records are held against a schema on the way; nil for not at all. Records that do not pass
  /// end the work with a ``RecordValidationError``, and leave everything as it was.
  public var validation: Validation?
  /// Threads that compress, decompress and check, beside the one that reads or writes the container;
  /// the same number as that of ``bundleOptions``.
  public var threads: Int {
    get { bundleOptions.threads }
    set { bundleOptions.threads = newValue }
  }
  /// Called now and then on the working thread; what it throws calls the work off, and leaves
  /// everything as it was.
  public var progress: (@Sendable (ArchiveProgress) throws -> Void)?

  /// Makes an archiver for everything, with the default options.
  public init() {}

  func report(_ progress: @autoclosure () -> ArchiveProgress) throws {
    guard let report = self.progress else { return }
    try report(progress())
  }
}

/// How far an export or import is.
public struct ArchiveProgress: Sendable, Hashable {
  /// Records done.
  public var records: Int
  /// Records there are; nil where that is not known beforehand.
  public var totalRecords: Int?
  /// Bytes of lines done.
  public var bytes: Int
  /// Bytes of lines there are; nil where that is not known beforehand.
  public var totalBytes: Int?

  /// The part that is done, 0 to 1; nil where the whole is not known.
  public var fraction: Double? {
    if let totalBytes, totalBytes > 0 { return min(1, Double(bytes) / Double(totalBytes)) }
    guard let totalRecords, totalRecords > 0 else { return nil }
    return min(1, Double(records) / Double(totalRecords))
  }
}

import RecordPlatform

/// The result of writing a bundle.
public struct BundleSummary: Sendable, Hashable {
  /// A file of the bundle.
  public struct File: Sendable, Hashable {
    /// The path of the file, or "standard output".
    public var path: String
    /// The size of the file in bytes.
    public var size: Int
    /// The index of the file.
    package var index: BundleIndex
    /// SHA-256 of the index frame, 64 lowercase hexadecimal digits. The index has the digests of
    /// all other frames, so this digest reflects every change of the file.
    package var indexSHA256: String
  }

  /// The files; one unless the bundle is split.
  public var files: [File]
  /// The number of assets that records refer to but whose bytes the source lacks. With any missing,
  /// the bundle is not intact. Not counted, and 0, for a bundle that is migrated with all its assets.
  package var missingAssets = 0

  package init(files: [File] = []) { self.files = files }

  /// The total size of the files in bytes.
  public var size: Int { files.reduce(0) { $0 + $1.size } }
  /// The size of the lines in all files in bytes.
  package var contentSize: Int { files.reduce(0) { $0 + $1.index.bytes } }
  /// The content hash: see ``BundleReader/contentHash``.
  public var contentHash: String { ContentHash(of: files.map(\.index)).description }
  /// The number of records.
  public var records: Int {
    files.flatMap(\.index.sections).reduce(0) { $0 + ($1.kind == .record ? $1.lines : 0) }
  }
}

/// The number of threads to use.
public enum BundleThreads {
  /// The number of cores, at most eight.
  public static var recommended: Int { WorkerThread.recommendedCount }
}

import RecordPlatform

/// What a writer has written.
public struct BundleSummary: Sendable, Hashable {
  /// One file.
  public struct File: Sendable, Hashable {
    /// The file's path, or "standard output".
    public var path: String
    /// Its size in bytes.
    public var size: Int
    /// Its index.
    public var index: BundleIndex
    /// SHA-256 of the index frame, 64 lower-case hexadecimal digits. The index has the digests of
    /// all other frames, so that this one tells every change of the file.
    public var indexSHA256: String
  }

  /// The files, one unless the bundle was split.
  public var files: [File]
  /// Assets that records refer to and whose bytes the source does not have: what was written is not
  /// intact without them.
  public package(set) var missingAssets = 0

  /// Bytes of all files.
  public var size: Int { files.reduce(0) { $0 + $1.size } }
  /// Bytes of the lines in all files.
  public var contentSize: Int { files.reduce(0) { $0 + $1.index.bytes } }
  /// The identity of the content: see ``BundleReader/contentHash``.
  public var contentHash: String {
    files.reduce(ContentHash()) { $0 + $1.index.hash }.description
  }
  /// The number of records.
  public var records: Int {
    files.reduce(0) { sum, file in
      sum + file.index.sections.filter { $0.kind == .record }.reduce(0) { $0 + $1.lines }
    }
  }
}

/// How many threads to use.
public enum BundleThreads {
  /// As many as the machine has cores for, up to eight.
  public static var recommended: Int { WorkerThread.recommendedCount }
}

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
  }

  /// The files, one unless the bundle was split.
  public var files: [File]

  /// Bytes of all files.
  public var size: Int { files.reduce(0) { $0 + $1.size } }
  /// Bytes of the lines in all files.
  public var contentSize: Int { files.reduce(0) { $0 + $1.index.bytes } }
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

extension BundleReader {
  /// Reads the whole bundle. Checks every byte of the files, the form and order of every line, the
  /// index, the bytes of every asset, and that each record's zone and assets exist. A bundle that
  /// passes is imported completely.
  ///
  /// - Parameters:
  ///   - threads: the number of threads that decompress and check.
  ///   - progress: called repeatedly with the bytes of lines read and in total; may throw to
  ///     cancel.
  /// - Returns: the findings. The frames after a damaged one are checked, too.
  public func verify(
    threads: Int = BundleThreads.recommended,
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> VerifyReport {
    var check = BundleCheck(self)
    let total = indexes.reduce(0) { $0 + $1.bytes }
    try mapFrames(where: nil, threads: threads) {
      (file, number, reader) -> (BundleFile, Result<FrameCheck, BundleError>) in
      do {
        return try file.frames.withFrame(number, verifiedBy: .digestAndChecksum) {
          (file, .success(FrameCheck(BundleFrame(file: file, content: $0, reader: reader))))
        }
      } catch let error as BundleError where error.frame == number {
        // The other frames are checked nevertheless.
        return (file, .failure(error))
      }
    } consume: { file, result in
      switch result {
      case .success(let frame): try check.add(frame)
      case .failure(let error): check.addDamage(error, in: file)
      }
      try progress(check.report.bytes, total)
    }
    return try check.finish(self, threads: threads)
  }
}

/// The result of checking a whole bundle.
public struct VerifyReport: Sendable, Hashable {
  /// A problem that was found.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The name of the file.
    public var source: String
    /// The number of the zstd frame, from 0, if the finding concerns one.
    public var frame: Int?
    /// The number of the line, from 1, if the finding concerns one.
    public var line: Int?
    /// The problem.
    public var message: String

    /// The location and the message in one line.
    public var description: String {
      let places = [frame.map { "frame \($0)" }, line.map { "line \($0)" }].compactMap { $0 }
      return "\(([source] + places).joined(separator: ", ")): \(message)"
    }
  }

  /// The first 100 problems.
  public internal(set) var findings: [Finding] = []
  /// The number of all problems, listed or not.
  package internal(set) var findingCount = 0
  /// The number of lines that were read.
  public internal(set) var lines = 0
  /// The size in bytes of the lines that were read.
  public internal(set) var bytes = 0
  /// The number of records that were read.
  public internal(set) var records = 0
  /// The number of complete assets that match their digest.
  public internal(set) var assets = 0
  /// The content hash according to the indexes: see ``BundleReader/contentHash``.
  public internal(set) var contentHash = ""
  /// SHA-256 of the index frame of each file: see ``BundleReader/indexDigests``.
  package internal(set) var indexDigests: [String] = []

  /// The maximum number of problems in ``findings``; all are counted.
  package static let maxFindings = 100

  /// Whether no problem was found.
  public var isIntact: Bool { findingCount == 0 }

  mutating func add(
    _ message: String, in source: String, frame: Int? = nil, line: Int? = nil
  ) {
    findingCount += 1
    guard findings.count < Self.maxFindings else { return }
    findings.append(Finding(source: source, frame: frame, line: line, message: message))
  }
}

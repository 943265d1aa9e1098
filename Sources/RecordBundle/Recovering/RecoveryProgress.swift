/// The progress of reading the damaged files three times.
final class RecoveryProgress {
  private let total: Int
  private let report: (_ done: Int, _ total: Int) throws -> Void
  private var done = 0
  /// The number of bytes that the first pass has read, by path.
  private var scanned: [String: Int] = [:]

  init(of files: RecoveryFiles, _ report: @escaping (_ done: Int, _ total: Int) throws -> Void) {
    total = 3 * files.size
    self.report = report
  }

  /// Updates the progress of the first pass through a file.
  func scan(_ path: String, _ offset: UInt64) throws {
    done += Int(clamping: offset) - scanned[path, default: 0]
    scanned[path] = Int(clamping: offset)
    try report(done, total)
  }

  /// Adds a frame that a later pass reads.
  func add(_ frame: RecoveryFrame) throws {
    try report(done, total)
    done += frame.compressedSize
  }
}

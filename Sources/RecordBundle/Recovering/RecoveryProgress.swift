/// How much of the damaged files was read, of the three times that they are.
final class RecoveryProgress {
  private let total: Int
  private let report: (_ done: Int, _ total: Int) throws -> Void
  private var done = 0
  /// Bytes of the files that the first walk is through with.
  private var scanned: [String: Int] = [:]

  init(of files: RecoveryFiles, _ report: @escaping (_ done: Int, _ total: Int) throws -> Void) {
    total = 3 * files.size
    self.report = report
  }

  /// Notes how far the first walk through a file is.
  func scan(_ path: String, _ offset: UInt64) throws {
    done += Int(clamping: offset) - scanned[path, default: 0]
    scanned[path] = Int(clamping: offset)
    try report(done, total)
  }

  /// Notes that a later walk visits a frame.
  func add(_ frame: RecoveryFrame) throws {
    try report(done, total)
    done += frame.compressedSize
  }
}

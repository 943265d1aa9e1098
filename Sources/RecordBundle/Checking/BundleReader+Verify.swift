extension BundleReader {
  /// Reads everything and checks all that can be checked: every byte of the files, the form and order
  /// of every line, all that the index says, the bytes of every asset, and that each record's zone
  /// and assets are there. What passes is imported whole.
  ///
  /// - Parameters:
  ///   - progress: called now and then with the bytes read and the bytes there are; may throw to
  ///     call the check off.
  /// - Returns: what is wrong. A file that is damaged within a frame is reported as far as it can
  ///   be read.
  public func verify(
    threads: Int = BundleThreads.recommended,
    progress: (_ done: Int, _ total: Int) throws -> Void =
      { _, _ in }
  ) throws -> VerifyReport {
    var check = BundleCheck(self)
    let total = indexes.reduce(0) { $0 + $1.bytes }
    do {
      try mapFrames(threads: threads, transform: FrameCheck.init) {
        try check.add($0)
        try progress(check.report.bytes, total)
      }
    } catch let error as FrameError {
      check.report.add(error.message, in: error.source, frame: error.frame)
      return check.report
    }
    return try check.finish(self, threads: threads)
  }
}

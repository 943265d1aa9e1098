extension BundleReader {
  /// Reads everything and checks all that can be checked: digests, the form and order of every
  /// line, the counts of the index, the bytes of every asset, and that each record's zone and
  /// assets are there.
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
    var check = BundleCheck()
    let total = indexes.reduce(0) { $0 + $1.bytes }
    do {
      try mapFrames(threads: threads, transform: FrameCheck.init) {
        check.add($0)
        try progress(check.report.bytes, total)
      }
    } catch let error as FrameError {
      check.report.add(error.message, in: error.source, frame: error.frame)
      return check.report
    }
    return check.finish(in: files[0].name)
  }
}

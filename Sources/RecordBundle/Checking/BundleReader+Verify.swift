extension BundleReader {
  /// Reads the whole bundle and checks every byte of the files, the form and order of every line,
  /// the index, the bytes of every asset, and that each record's zone and assets exist. A bundle
  /// that passes is imported completely.
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
      (file, number, reader) -> (BundleFile, Result<FrameCheck, FrameError>) in
      do {
        return try file.frames.withFrame(number, verifiedBy: .digestAndChecksum) {
          (file, .success(FrameCheck(BundleFrame(file: file, content: $0, reader: reader))))
        }
      } catch let error as FrameError where error.frame == number {
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

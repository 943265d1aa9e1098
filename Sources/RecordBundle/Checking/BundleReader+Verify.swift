import RecordCoding
import RecordPlatform

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
    progress: (_ done: Int, _ total: Int) throws -> Void =
      { _, _ in }
  ) throws -> VerifyReport {
    var check = BundleCheck(self)
    let total = indexes.reduce(0) { $0 + $1.bytes }
    let readers = ResourcePool(keeping: threads) { RecordJSONReader() }
    for file in files {
      var next = 0
      while next < file.contentFrames.upperBound {
        do {
          try file.frames.mapFrames(
            next..<file.contentFrames.upperBound, threads: threads,
            transform: { content in
              try readers.with { FrameCheck(BundleFrame(file: file, content: content, reader: $0)) }
            }
          ) { number, frame in
            next = number + 1
            try check.add(frame)
            try progress(check.report.bytes, total)
          }
        } catch let error as FrameError where error.frame == next {
          // The other frames are checked nevertheless.
          check.addDamage(error, in: file)
          next += 1
        }
      }
    }
    return try check.finish(self, threads: threads)
  }
}

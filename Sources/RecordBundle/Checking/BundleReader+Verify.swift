import RecordCoding
import RecordPlatform

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
          // The other frames are checked all the same.
          check.addDamage(error, in: file)
          next += 1
        }
      }
    }
    return try check.finish(self, threads: threads)
  }
}

/// Compresses filled jobs to frames and writes them to a sink in the order of submission.
protocol FrameEngine: AnyObject {
  /// Returns an empty job, waiting for one if necessary. A caller may hold at most two.
  /// - Throws: the first error of any earlier frame.
  func takeEmptyJob() throws -> FrameJob

  /// Takes back a filled job, which becomes the next frame.
  /// - Throws: the first error of this or any earlier frame.
  func submit(_ job: FrameJob) throws

  /// Waits until a submitted frame has been written.
  /// - Throws: the first error of any frame.
  func info(ofFrame index: Int) throws -> FrameInfo

  /// Waits until all frames have been written.
  /// - Returns: all frames in order.
  /// - Throws: the first error of any frame.
  func drain() throws -> [FrameInfo]

  /// Stops all work and waits for the threads to end. May be called again.
  func stop()
}

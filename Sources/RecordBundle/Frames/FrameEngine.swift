/// Turns filled jobs into compressed frames in a sink, in the order in which they are given.
protocol FrameEngine: AnyObject {
  /// An empty job, as soon as there is one. At most two are out at a time.
  /// - Throws: the first error of any frame before.
  func takeEmptyJob() throws -> FrameJob

  /// Takes a filled job back; its frame is the next one.
  /// - Throws: the first error of this frame or any before.
  func submit(_ job: FrameJob) throws

  /// Waits until a frame that was submitted has been written.
  /// - Throws: the first error of any frame.
  func info(ofFrame index: Int) throws -> FrameInfo

  /// Waits until everything has been written.
  /// - Returns: all frames in order.
  /// - Throws: the first error of any frame.
  func drain() throws -> [FrameInfo]

  /// Ends all work and waits until no thread is left. May be called again.
  func stop()
}

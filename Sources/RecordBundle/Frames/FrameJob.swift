import RecordCoding

/// A frame that is being filled and compressed.
///
/// A job is used by one thread at a time: the caller fills it, a worker compresses it, and then it
/// is free for another frame. It is handed over under the engine's lock, which makes `Sendable`
/// safe.
final class FrameJob: @unchecked Sendable {
  var index = 0
  /// The lines, each with its newline.
  let content: ByteBuffer
  @exclusivity(unchecked) var lineCount = 0
  /// The number of lines at the beginning of ``content`` that do not count toward the content hash.
  @exclusivity(unchecked) var uncountedLines = 0
  private let usualSize: Int

  init(frameSize: Int) {
    usualSize = frameSize
    content = ByteBuffer(capacity: frameSize)
  }

  func reset() {
    index = 0
    lineCount = 0
    uncountedLines = 0
    content.reset(keeping: usualSize + usualSize / 4)
  }
}

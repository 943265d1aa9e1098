import RecordCoding
import RecordPlatform

/// A frame that is compressed, and waits for its turn to be written.
///
/// One thread uses it at a time: it is handed over under the engine's lock, which makes `Sendable`
/// safe.
final class CompressedFrame: @unchecked Sendable {
  /// The complete zstd frame.
  let bytes = ByteBuffer()
  /// What the writer tells of it, with the offset 0; nil before compression.
  var info: FrameInfo?
  private let usualSize: Int

  init(frameSize: Int) { usualSize = frameSize }

  func reset() {
    info = nil
    bytes.reset(keeping: usualSize + usualSize / 4)
  }
}

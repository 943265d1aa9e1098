import RecordCoding
import RecordPlatform

/// One frame on its way from lines to compressed bytes.
///
/// A job belongs to one thread at a time: the caller fills it, a worker compresses it, whoever
/// has the turn writes it, and then it is free for the next frame. It changes hands under the
/// engine's lock, which is why it may be marked `Sendable`.
final class FrameJob: @unchecked Sendable {
  /// The frame's number in the file.
  var index = 0
  /// The lines, each with its newline.
  let content: ByteBuffer
  /// Lines in ``content``.
  var lineCount = 0
  /// Lines at the beginning of ``content`` that are left out of the content hash.
  var uncountedLines = 0
  /// The whole zstd frame, once compressed.
  let compressed: ByteBuffer
  /// SHA-256 of ``compressed``, once compressed.
  var digest: SHA256Digest?
  /// The hash of the counted lines, once compressed.
  var contentHash = ContentHash()
  private let usualSize: Int

  /// Makes an empty job.
  /// - Parameter frameSize: bytes that a frame usually holds.
  init(frameSize: Int) {
    usualSize = frameSize
    content = ByteBuffer(capacity: frameSize)
    compressed = ByteBuffer()
  }

  /// Empties the job for its next frame.
  func reset() {
    index = 0
    lineCount = 0
    uncountedLines = 0
    digest = nil
    contentHash = ContentHash()
    content.reset(keeping: usualSize + usualSize / 4)
    compressed.reset(keeping: usualSize + usualSize / 4)
  }

  /// What is to be remembered of the frame, once it is compressed.
  /// - Returns: `nil` before that.
  func info(at offset: UInt64) -> FrameInfo? {
    let checksumPlace = compressed.count - ZstdFormat.checksumSize
    guard let digest, let checksum = compressed.bytes.littleEndianUInt32(at: checksumPlace)
    else { return nil }
    return FrameInfo(
      offset: offset, compressedSize: UInt32(clamping: compressed.count),
      size: UInt32(clamping: content.count), lineCount: UInt32(clamping: lineCount),
      checksum: checksum, digest: digest, contentHash: contentHash)
  }
}

import RecordCoding
import RecordPlatform

/// A frame that is being filled, compressed and written.
///
/// A job is used by one thread at a time: the caller fills it, a worker compresses it, the thread
/// whose turn it is writes it, and then it is free for another frame. It is handed over under the
/// engine's lock, which makes `Sendable` safe.
final class FrameJob: @unchecked Sendable {
  var index = 0
  /// The lines, each with its newline.
  let content: ByteBuffer
  @exclusivity(unchecked) var lineCount = 0
  /// The number of lines at the beginning of ``content`` that do not count toward the content hash.
  @exclusivity(unchecked) var uncountedLines = 0
  /// The complete zstd frame, once compressed.
  let compressed: ByteBuffer
  /// SHA-256 of ``compressed``, once compressed.
  var digest: SHA256Digest?
  /// The hash of the counted lines, once compressed.
  var contentHash = ContentHash()
  private let usualSize: Int

  init(frameSize: Int) {
    usualSize = frameSize
    content = ByteBuffer(capacity: frameSize)
    compressed = ByteBuffer()
  }

  func reset() {
    index = 0
    lineCount = 0
    uncountedLines = 0
    digest = nil
    contentHash = ContentHash()
    content.reset(keeping: usualSize + usualSize / 4)
    compressed.reset(keeping: usualSize + usualSize / 4)
  }

  /// Returns the metadata of the frame at an offset; `nil` before compression.
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

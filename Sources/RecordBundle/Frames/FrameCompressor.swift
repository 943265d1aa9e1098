import RecordCoding
import RecordCompression
import RecordPlatform

/// A frame that is being filled, compressed and written.
///
/// One thread uses it at a time: the owner of a writer fills it, any thread compresses it, and then the
/// owner writes it, and fills it again.
final class FrameJob: @unchecked Sendable {
  /// The lines, each with its newline.
  let content: ByteBuffer
  @exclusivity(unchecked) var lineCount = 0
  /// The number of lines at the beginning of ``content`` that do not count toward the content hash.
  @exclusivity(unchecked) var uncountedLines = 0
  /// The complete zstd frame; empty before compression.
  let compressed = ByteBuffer()
  /// The metadata of the compressed frame, with the offset 0; nil before compression.
  var info: FrameInfo?
  private let usualSize: Int

  init(frameSize: Int) {
    usualSize = frameSize
    content = ByteBuffer(capacity: frameSize)
  }

  func reset() {
    lineCount = 0
    uncountedLines = 0
    info = nil
    content.reset(keeping: usualSize + usualSize / 4)
    compressed.reset(keeping: usualSize + usualSize / 4)
  }
}

/// Compresses frames on one thread, with one zstd context.
///
/// The output depends only on the content, the level and the version of zstd. `Sendable` because a
/// pool hands it from thread to thread.
final class FrameCompressor: @unchecked Sendable {
  private let zstd: ZstdCompressor
  private let name: String

  init(level: Int, name: String) throws {
    guard let zstd = ZstdCompressor() else {
      throw BundleError(.inputOutput, in: name, "out of memory for compression")
    }
    self.zstd = zstd
    self.name = name
    try set(.level, level)
    if level == 1 {
      // zstd's own level 1 uses a window of half a megabyte and short matches. Lines of records
      // repeat long strings over a whole frame: with these settings the output is 3 % larger than
      // at level 2, instead of 7 %, and compression still a fifth faster.
      try set(.windowLog, 21)
      try set(.hashLog, 15)
      try set(.minMatch, 7)
    }
    try set(.checksum, 1)
    try set(.contentSize, 1)
  }

  /// Compresses a job's content, and computes the digest of the frame and the hash of the content.
  func compress(_ job: FrameJob) throws {
    let content = job.content.bytes
    let buffer = job.compressed
    buffer.reset()
    buffer.reserve(ZstdCompressor.bound(of: content.count))
    let size: Int
    do throws(ZstdError) {
      size = try zstd.compress(content, into: buffer.base)
    } catch {
      throw BundleError(.inputOutput, in: name, "compression failed: \(error)")
    }
    buffer.setCount(size)
    guard let checksum = buffer.bytes.littleEndianUInt32(at: size - ZstdFormat.checksumSize) else {
      throw BundleError(.inputOutput, in: name, "zstd wrote no checksum")
    }
    job.info = FrameInfo(
      offset: 0, compressedSize: UInt32(clamping: size), size: UInt32(clamping: content.count),
      lineCount: UInt32(clamping: job.lineCount), checksum: checksum,
      digest: SHA256Digest(of: buffer.bytes),
      contentHash: ContentHash(of: FrameLines(content).dropFirst(job.uncountedLines)))
  }

  private func set(_ parameter: ZstdCompressor.Parameter, _ value: Int) throws {
    do throws(ZstdError) {
      try zstd.set(parameter, to: value)
    } catch {
      throw BundleError(
        .misuse, in: name, "zstd rejects the parameter \(parameter) (\(value)): \(error)")
    }
  }
}

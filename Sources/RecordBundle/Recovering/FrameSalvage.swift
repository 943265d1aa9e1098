import CZstd
import RecordCoding

/// Decompresses what can be decompressed of a frame that is damaged. No checksum proves the result.
final class FrameSalvage {
  private let context: OpaquePointer
  private let file: RandomAccessFile
  private let limits: FrameLimits
  /// Frames that may still be tried: a file can be made so that each byte begins one.
  private var triesLeft = 4096

  init(file: RandomAccessFile, limits: FrameLimits = .standard) throws {
    guard let context = ZSTD_createDCtx() else {
      throw FrameError(.inputOutput, in: file.name, "out of memory for decompression")
    }
    self.context = context
    self.file = file
    self.limits = limits
  }

  deinit { ZSTD_freeDCtx(context) }

  /// The content of the frame at a place, as far as it comes out; empty where none begins there.
  func content(at offset: UInt64) throws -> ByteBuffer {
    let content = ByteBuffer()
    let start = try file.bytes(at: offset, count: ZstdFormat.maxFrameHeaderSize)
    guard triesLeft > 0, let header = start.withUnsafeBytes({ try? FrameHeader($0) }),
      let size = header.contentSize, size <= limits.maxFrameContent,
      header.windowSize <= limits.maxWindow
    else { return content }
    triesLeft -= 1
    content.reserve(Int(size))
    let length = min(UInt64(limits.maxCompressedFrame), file.size - offset)
    let compressed = try file.bytes(at: offset, count: Int(length))
    compressed.withUnsafeBytes { source in
      ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
      var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
      var output = ZSTD_outBuffer(dst: content.base, size: 0, pos: 0)
      // Blocks come out one by one; the first that cannot be decoded, or the checksum, ends it. Given
      // room for the whole content, zstd would decode it at once, or give nothing.
      while output.pos < size {
        let before = (input.pos, output.pos)
        output.size = min(Int(size), output.pos + max(1, min(Int(size) / 2, 64 << 10)))
        let result = ZSTD_decompressStream(context, &output, &input)
        if ZSTD_isError(result) != 0 || result == 0 || before == (input.pos, output.pos) { break }
      }
      content.setCount(output.pos)
    }
    content.padWithZeros()
    return content
  }
}

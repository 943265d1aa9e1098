import CZstd
import RecordCoding

/// Decompresses as much as possible of a damaged frame. No checksum verifies the result.
final class PartialDecoder {
  private let context: OpaquePointer
  private let file: RandomAccessFile
  private let limits = FrameLimits.standard
  /// The number of frames that may still be tried: in a malicious file each byte can begin one.
  private var triesLeft = 4096

  init(file: RandomAccessFile) throws {
    guard let context = ZSTD_createDCtx() else {
      throw FrameError(.inputOutput, in: file.name, "out of memory for decompression")
    }
    self.context = context
    self.file = file
  }

  deinit { ZSTD_freeDCtx(context) }

  /// Returns what can be decompressed of the frame at an offset; empty if none begins there.
  func content(at offset: UInt64) throws -> ByteBuffer {
    let content = ByteBuffer()
    let start = try file.bytes(at: offset, count: ZstdFormat.maxFrameHeaderSize)
    guard triesLeft > 0, let header = start.withUnsafeBytes({ try? FrameHeader($0) }),
      let size = header.contentSize, size <= limits.maxFrameContent,
      header.windowSize <= limits.maxWindow
    else { return content }
    triesLeft -= 1
    content.reserve(Int(size))
    let target = UnsafeMutableRawBufferPointer(start: content.base, count: Int(size))
    target.initializeMemory(as: UInt8.self, repeating: 0)
    let length = min(UInt64(limits.maxCompressedFrame), file.size - offset)
    let compressed = try file.bytes(at: offset, count: Int(length))
    // An error does not matter: what was decompressed before it is in the target. Lines contain no
    // NUL, so the first one marks the end.
    _ = compressed.withUnsafeBytes {
      ZSTD_decompressDCtx(context, target.baseAddress, target.count, $0.baseAddress, $0.count)
    }
    content.setCount(target.firstIndex(of: 0) ?? target.count)
    content.padWithZeros()
    return content
  }
}

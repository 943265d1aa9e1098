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
    let target = UnsafeMutableRawBufferPointer(start: content.base, count: Int(size))
    target.initializeMemory(as: UInt8.self, repeating: 0)
    let length = min(UInt64(limits.maxCompressedFrame), file.size - offset)
    let compressed = try file.bytes(at: offset, count: Int(length))
    // Whether this ends with an error does not matter: what came before it lies in the target. Lines
    // hold no NUL, so the first one tells how far it came.
    _ = compressed.withUnsafeBytes {
      ZSTD_decompressDCtx(context, target.baseAddress, target.count, $0.baseAddress, $0.count)
    }
    content.setCount(target.firstIndex(of: 0) ?? target.count)
    content.padWithZeros()
    return content
  }
}

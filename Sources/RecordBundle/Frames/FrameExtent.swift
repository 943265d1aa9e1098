/// The extent of a zstd frame, found by following its block headers (RFC 8878, section 3.1.1.2)
/// without reading the blocks.
///
/// libzstd can do this only for a frame that is completely in memory.
struct FrameExtent {
  let header: FrameHeader
  /// The size of the frame in bytes, including the checksum.
  let compressedSize: UInt64

  /// The reason why a frame is not intact.
  struct Problem: Error {
    let reason: String
  }

  /// Follows the frame that begins at `offset`.
  /// - Parameter blocks: incremented by the number of block headers read.
  /// - Throws: ``Problem`` for a frame that cannot be followed to its end.
  init(
    _ file: RandomAccessFile, at offset: UInt64, limits: FrameLimits, blocks: inout Int
  ) throws {
    let start = try file.bytes(at: offset, count: ZstdFormat.maxFrameHeaderSize)
    do {
      header = try start.withUnsafeBytes { try FrameHeader($0) }
    } catch let problem as FrameHeader.Problem {
      throw Problem(reason: problem.rawValue)
    }
    var position = offset + UInt64(header.size)
    for _ in 0..<limits.maxBlocks {
      let bytes = try file.bytes(at: position, count: 3)
      guard bytes.count == 3 else { throw Problem(reason: "the file ends inside the frame") }
      blocks += 1
      let block = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
      let size = block >> 3
      guard size <= ZstdFormat.maxBlockSize, block >> 1 & 3 != 3 else {
        throw Problem(reason: "a block header of the frame is not valid")
      }
      // A run of one repeated byte (block type 1) is stored as one byte, whatever its size.
      position += 3 + (block >> 1 & 3 == 1 ? 1 : UInt64(size))
      if block & 1 == 1 {
        position += header.hasChecksum ? UInt64(ZstdFormat.checksumSize) : 0
        guard position <= file.size else { throw Problem(reason: "the file ends inside the frame") }
        compressedSize = position - offset
        return
      }
    }
    throw Problem(reason: "the frame has too many blocks")
  }
}

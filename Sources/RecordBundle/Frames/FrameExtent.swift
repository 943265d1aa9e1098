/// The extent of a zstd frame, found by following its block headers (RFC 8878, section 3.1.1.2)
/// without reading the blocks.
///
/// libzstd can do this only for a frame that is completely in memory.
struct FrameExtent: Sendable, Hashable {
  let header: FrameHeader
  /// The size of the frame in bytes, including the checksum.
  let compressedSize: UInt64

  /// The result of following a frame.
  enum Outcome: Sendable {
    /// The structure of the frame is complete.
    case frame(FrameExtent)
    /// The frame cannot be followed to its end.
    case broken(reason: String)
  }

  /// Follows the frame that begins at `offset`.
  /// - Parameter blocks: incremented by the number of block headers read.
  static func follow(
    _ file: RandomAccessFile, at offset: UInt64, limits: FrameLimits, blocks: inout Int
  ) throws -> Outcome {
    let header: FrameHeader
    switch try readHeader(file, at: offset) {
    case .success(let found): header = found
    case .failure(.notZstd): return .broken(reason: "no frame begins here")
    case .failure(.incomplete): return .broken(reason: "the file ends inside a frame header")
    case .failure(.reservedBit): return .broken(reason: "the frame header is not valid")
    }
    var position = offset + UInt64(header.size)
    for _ in 0..<limits.maxBlocks {
      let bytes = try file.bytes(at: position, count: 3)
      guard bytes.count == 3 else { return .broken(reason: "the file ends inside the frame") }
      blocks += 1
      let block = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
      let size = block >> 3
      guard size <= ZstdFormat.maxBlockSize, block >> 1 & 3 != 3 else {
        return .broken(reason: "a block header of the frame is not valid")
      }
      // A run of one repeated byte (block type 1) is stored as one byte, whatever its size.
      position += 3 + (block >> 1 & 3 == 1 ? 1 : UInt64(size))
      if block & 1 == 1 {
        position += header.hasChecksum ? UInt64(ZstdFormat.checksumSize) : 0
        guard position <= file.size else {
          return .broken(reason: "the file ends inside the frame")
        }
        return .frame(FrameExtent(header: header, compressedSize: position - offset))
      }
    }
    return .broken(reason: "the frame has too many blocks")
  }

  private static func readHeader(
    _ file: RandomAccessFile, at offset: UInt64
  ) throws -> Result<FrameHeader, FrameHeader.Problem> {
    let start = try file.bytes(at: offset, count: ZstdFormat.maxFrameHeaderSize)
    return start.withUnsafeBytes { bytes in
      Result { () throws(FrameHeader.Problem) in try FrameHeader(bytes) }
    }
  }
}

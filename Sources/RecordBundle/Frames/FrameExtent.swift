/// How far a zstd frame reaches, found by going from block header to block header (RFC 8878,
/// section 3.1.1.2) without reading the blocks.
///
/// libzstd can do this only for a frame that is in memory as a whole.
struct FrameExtent: Sendable, Hashable {
  /// The frame's header.
  let header: FrameHeader
  /// Bytes of the whole frame, with the checksum.
  let compressedSize: UInt64

  /// What following a frame came to.
  enum Outcome: Sendable {
    /// The frame is whole as far as its structure tells.
    case frame(FrameExtent)
    /// It cannot be followed to its end.
    case broken(reason: String)
  }

  /// Follows the frame that begins at `offset`.
  /// - Parameter blocks: how many block headers were read, added to what is there.
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
      // A repeated byte (kind 1) is stored once, whatever size it stands for.
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
